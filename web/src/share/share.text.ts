import { texts } from '../text/language.svelte'

/** Texts for sharing a link. */
export const shareWords = texts({
  en: {
    link: 'Link',
    copy: 'Copy',
    copied: 'Copied. Now send it to your friends.',
    share: 'Share',
    qr: 'The link as a code to scan',
    showCode: 'Show a code to scan',
  },
  de: {
    link: 'Link',
    copy: 'Kopieren',
    copied: 'Kopiert. Jetzt kannst du ihn verschicken.',
    share: 'Teilen',
    qr: 'Der Link als Code zum Scannen',
    showCode: 'Code zum Scannen zeigen',
  },
})
