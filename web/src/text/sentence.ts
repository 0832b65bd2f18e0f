/** Words that stand alone begin with a capital letter. */
export const sentence = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1)
