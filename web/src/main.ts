import { mount } from 'svelte'
import App from './App.svelte'
import './look/look.css'
import { followPrefs } from './prefs.svelte'

followPrefs()

mount(App, { target: document.getElementById('app')! })
