import { svelte } from '@sveltejs/vite-plugin-svelte'
import { defineConfig } from 'vite'

export default defineConfig({ root: 'gallery', plugins: [svelte()], server: { fs: { allow: ['..'] } } })
