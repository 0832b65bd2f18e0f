import { mount } from 'svelte'
import '../src/look/look.css'
import { followPrefs, prefs } from '../src/prefs.svelte'
import Gallery from './Gallery.svelte'

const asked = new URLSearchParams(location.search)
prefs.theme = asked.get('theme') === 'dark' ? 'dark' : 'light'
prefs.palette = asked.get('palette') === 'clear' ? 'clear' : 'sand'
prefs.language = asked.get('language') === 'de' ? 'de' : 'en'
followPrefs()
mount(Gallery, { target: document.getElementById('app')!, props: { asked } })
