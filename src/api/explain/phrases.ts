// Pieces of sentences, for explanations of users and of the game.

export function quoteKey(text: string): string {
  return JSON.stringify(text)
}

export function quoteAll(texts: readonly string[]): string {
  return joined(texts.map(quoteKey), 'and')
}

/** //=> joined(['a', 'b', 'c'], 'and') is 'a, b and c' */
export function joined(parts: readonly string[], word: 'and' | 'or'): string {
  if (parts.length <= 1) return parts.join('')
  return `${parts.slice(0, -1).join(', ')} ${word} ${parts.at(-1)}`
}

/** //=> quantity(2, 'event') is '2 events' */
export function quantity(number: number, noun: string, several: string = `${noun}s`): string {
  return `${number} ${number === 1 ? noun : several}`
}

/** The names of a streak's periods. */
export const NOUNS = { daily: 'day', weekly: 'week', monthly: 'month' } as const

/** The game's streak, or a named one. */
export function theStreak({ key }: { readonly key?: string }): string {
  return key === undefined ? 'the streak' : `the streak ${quoteKey(key)}`
}
