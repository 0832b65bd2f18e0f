import { texts } from '../../text/language.svelte'

/** What each game is about, for somebody who has never played it. */
export const firstWords = texts({
  en: {
    title: 'What it is about',
    mandala:
      'Fill the mandalas. When one shows all six colours, you share out its centre, and whoever has more cards in their field there chooses first. The earlier a colour comes to your river, the less each of its cards in your cup is worth.',
    patterns:
      'Grow patches of colour. Lay your tile to open one, then flip or swap its neighbours to make it larger. Your first patch scores 1 for each further tile, your sixth 6.',
    flowers:
      'Win flower tiles and pair them by colour. When a mandala shows all six colours, whoever leads there chooses one of its two tiles, and the second one gets the other.',
    more: 'How it works',
    done: 'Got it',
  },
  de: {
    title: 'Worum es geht',
    mandala:
      'Füll die Mandalas. Zeigt eins alle sechs Farben, teilt ihr sein Zentrum auf, und wer dort mehr Karten im Feld hat, wählt zuerst. Je früher eine Farbe in deinen Fluss kommt, desto weniger zählt jede ihrer Karten in deinem Kelch.',
    patterns:
      'Lass Farbflächen wachsen. Leg dein Plättchen, um eine zu eröffnen, und dreh dann Nachbarn um oder tausch sie aus. Deine erste Fläche bringt 1 Punkt für jedes weitere Plättchen, deine sechste 6.',
    flowers:
      'Gewinne Blumenplättchen und bilde Paare einer Farbe. Zeigt ein Mandala alle sechs Farben, wählt wer dort führt eins der beiden Plättchen, und wer Zweiter ist, bekommt das andere.',
    more: 'So geht’s',
    done: 'Alles klar',
  },
})
