import { mount } from 'svelte'
import App from './App.svelte'
import './look/look.css'
import './look/controls.css'
import { applyPrefs } from './prefs.svelte'
import { handleLinks } from './router.svelte'

applyPrefs()
handleLinks()

mount(App, { target: document.getElementById('app')! })

if (import.meta.env.PROD && 'serviceWorker' in navigator) {
  void navigator.serviceWorker.register('/sw.js')
}
