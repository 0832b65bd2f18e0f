import { mount } from 'svelte'
import '../src/look/look.css'
import { followPrefs, prefs, type Prefs } from '../src/prefs.svelte'
import Gallery from './Gallery.svelte'

const asked = new URLSearchParams(location.search)
Object.assign(prefs, {
  theme: (asked.get('theme') ?? 'light') as Prefs['theme'],
  palette: (asked.get('palette') ?? 'sand') as Prefs['palette'],
  language: (asked.get('language') ?? 'en') as Prefs['language'],
})
followPrefs()
mount(Gallery, { target: document.getElementById('app')! })
