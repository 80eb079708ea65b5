const LONE_SURROGATE = /\p{Surrogate}/u

/** Well-formed Unicode without U+0000: what every database keeps as it is. */
export function isText(value: string): boolean {
  return !value.includes('\u0000') && !LONE_SURROGATE.test(value)
}

/** Whether a text has at most so many characters: code points, not the two halves in which some are kept. */
export function hasAtMost(most: number, value: string): boolean {
  return value.length <= most || (value.length <= 2 * most && [...value].length <= most)
}
