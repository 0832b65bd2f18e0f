import { svelte } from '@sveltejs/vite-plugin-svelte'
import { defineConfig } from 'vitest/config'

const server = process.env.MANDALA_SERVER ?? 'http://127.0.0.1:8080'

export default defineConfig({
  plugins: [svelte()],
  build: { outDir: '../src/mandala/page', emptyOutDir: true, assetsInlineLimit: 0 },
  server: { proxy: { '/api': { target: server, ws: true, changeOrigin: true } } },
  resolve: process.env.VITEST ? { conditions: ['browser'] } : {},
  test: { environment: 'happy-dom', include: ['src/**/*.test.ts'] },
})
