import { mount } from 'svelte'
import App from './App.svelte'
import './look/look.css'
import './look/controls.css'
import { followPrefs } from './prefs.svelte'
import { followLinks } from './router.svelte'

followPrefs()
followLinks()

mount(App, { target: document.getElementById('app')! })

if (import.meta.env.PROD && 'serviceWorker' in navigator) {
  void navigator.serviceWorker.register('/sw.js')
}
