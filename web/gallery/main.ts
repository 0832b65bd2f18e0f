import { mount } from 'svelte'
import '../src/look/look.css'
import { applyPrefs, prefs } from '../src/prefs.svelte'
import Gallery from './Gallery.svelte'

const query = new URLSearchParams(location.search)
prefs.theme = query.get('theme') === 'dark' ? 'dark' : 'light'
prefs.palette = query.get('palette') === 'clear' ? 'clear' : 'sand'
prefs.language = query.get('language') === 'de' ? 'de' : 'en'
applyPrefs()
mount(Gallery, { target: document.getElementById('app')! })
