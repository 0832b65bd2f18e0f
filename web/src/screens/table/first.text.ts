import { texts } from '../../text/language.svelte'

/** What each game is about, for somebody who has never played it. */
export const firstWords = texts({
  en: {
    title: 'What it is about',
    mandala:
      'Six colours complete a mandala; then you share out its centre. Who has more cards in the field chooses first. Late colours score most.',
    patterns:
      'Open a group with your tile, then flip or swap tiles beside it to make it grow. Group 1 scores 1 a tile, group 6 scores 6.',
    flowers:
      'Win tiles and pair their colours into flowers. When a mandala shows six colours, whoever leads there picks one of its two tiles.',
    more: 'How it works',
    done: 'Got it',
  },
  de: {
    title: 'Worum es geht',
    mandala:
      'Sechs Farben vollenden ein Mandala, dann teilt ihr sein Zentrum auf. Wer mehr Karten im Feld hat, wählt zuerst. Späte Farben zählen am meisten.',
    patterns:
      'Eröffne mit deinem Plättchen eine Gruppe und lass sie wachsen: umdrehen oder austauschen. Gruppe 1 bringt 1 je Plättchen, Gruppe 6 bringt 6.',
    flowers:
      'Gewinne Plättchen und mach aus zweien einer Farbe eine Blume. Zeigt ein Mandala sechs Farben, nimmt sich eins, wer dort führt.',
    more: 'So geht’s',
    done: 'Alles klar',
  },
})
