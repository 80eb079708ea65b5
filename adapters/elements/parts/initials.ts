/** The first letters of the first two words, whatever the script. */
export function initialsOf(name: string): string {
  const words = name.split(/[^\p{L}\p{N}\p{M}\p{Extended_Pictographic}\u200d]+/u).filter((word) => word !== '')
  return words
    .slice(0, 2)
    .map((word) => firstCharacter(word).toLocaleUpperCase())
    .join('')
}

function firstCharacter(word: string): string {
  const [first] = new Intl.Segmenter(undefined, { granularity: 'grapheme' }).segment(word)
  return first?.segment ?? ''
}
