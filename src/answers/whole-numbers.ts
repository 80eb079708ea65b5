/** How a score becomes a whole number: the nearest one, or the next one below. */
export type WholeNumbers = 'round' | 'floor'

const ROUNDINGS: Record<WholeNumbers, (score: number) => number> = { round: Math.round, floor: Math.floor }

export function isWholeNumbers(value: unknown): value is WholeNumbers {
  return value === 'round' || value === 'floor'
}

/** Objects with scores on a leaderboard, or lists of them. */
const SCORES: ReadonlySet<string> = new Set(['threshold', 'value', 'previousValue', 'rankings', 'history'])

/** The total at which a points trigger gives points. */
const THRESHOLD = 'metricThreshold'

/** An answer or a message in which scores of leaderboards, and thresholds of points triggers, are whole numbers. */
export function withWholeNumbers(answer: unknown, wholeNumbers: WholeNumbers): unknown {
  const toInteger = ROUNDINGS[wholeNumbers]

  /** Below a leaderboard, by the names of its properties; everything else is copied. */
  function copy(value: unknown, isScore: boolean): unknown {
    if (typeof value === 'number') return isScore ? toInteger(value) : value
    if (Array.isArray(value)) return value.map((item) => copy(item, isScore))
    if (typeof value !== 'object' || value === null) return value
    const isBoard = isScore || 'rankBy' in value
    return Object.fromEntries(
      Object.entries(value).map(([name, field]) => [
        name,
        copy(field, name === THRESHOLD || (isBoard && SCORES.has(name))),
      ]),
    )
  }

  return copy(answer, false)
}
