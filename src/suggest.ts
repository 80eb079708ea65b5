const MOST_LISTED = 16

const LONGEST_SHOWN = 60
/** Comparing longer names, or more of them, takes too much time. */
const LONGEST_COMPARED = 64
const MOST_COMPARED = 1_000

export function shorten(text: string): string {
  return text.length > LONGEST_SHOWN ? `${text.slice(0, LONGEST_SHOWN - 3)}…` : text
}

/** `'words'`, shortened if a message would become unreadable. */
export function quote(text: string): string {
  return `'${shorten(text)}'`
}

/** The candidate that was probably meant, or `null` if none is near. */
export function suggest(text: string, candidates: Iterable<string>): string | null {
  let best: string | null = null
  let bestDistance = Number.POSITIVE_INFINITY
  let compared = 0
  if (text.length > LONGEST_COMPARED) return null
  for (const candidate of candidates) {
    compared += 1
    if (compared > MOST_COMPARED) break
    if (candidate.length > LONGEST_COMPARED) continue
    const longest = Math.max(text.length, candidate.length)
    const limit = Math.min(Math.max(1, Math.floor(longest / 3)), longest - 1)
    if (Math.abs(text.length - candidate.length) > limit) continue
    const distance = editDistance(text.toLowerCase(), candidate.toLowerCase())
    if (distance <= limit && distance < bestDistance) {
      best = candidate
      bestDistance = distance
    }
  }
  return best
}

/** `; did you mean 'words-written'?`, or the list of candidates. */
export function hint(text: string, candidates: readonly string[], otherwise: string): string {
  const near = suggest(text, candidates)
  if (near !== null) return `; did you mean ${quote(near)}?`
  if (candidates.length === 0) return `; ${otherwise}`
  const listed = candidates.slice(0, MOST_LISTED).map(quote).join(', ')
  return `; ${otherwise}, or use one of ${listed}${candidates.length > MOST_LISTED ? ', …' : ''}`
}

const MOST_OUTLINED = 5

/** `an object with user and value`: the required properties, or the optional ones if none are required. */
export function outline(required: readonly string[], all: readonly string[], kind = 'an object'): string {
  if (required.length > 0) return `${kind} with ${required.join(', ').replace(/, ([^,]+)$/, ' and $1')}`
  const names = all.slice(0, MOST_OUTLINED).join(', ')
  return all.length === 0 ? kind : `${kind} with any of ${names}${all.length > MOST_OUTLINED ? ', …' : ''}`
}

/** Common other names of a property, in lower case, and its name here. */
const OTHER_NAMES: ReadonlyMap<string, string> = new Map([
  ['timezone', 'tz'],
  ['time_zone', 'tz'],
  ['zone', 'tz'],
  ['timestamp', 'occurredAt'],
  ['userid', 'id'],
])

/** `unknown property 'emial'; did you mean 'email'?` */
export function unknownProperty(name: string, known: readonly string[]): string {
  const other = OTHER_NAMES.get(name.toLowerCase()) ?? ''
  const help = known.includes(other) ? `; did you mean ${quote(other)}?` : hint(name, known, 'remove it')
  return `unknown property ${quote(name)}${help}`
}

/** Letters to insert, leave out or replace (Levenshtein), or neighbours to swap, that make one text the other. */
function editDistance(a: string, b: string): number {
  let beforePrevious: number[] = []
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i += 1) {
    const current = [i]
    for (let j = 1; j <= b.length; j += 1) {
      const same = a[i - 1] === b[j - 1]
      let cost = Math.min(at(previous, j) + 1, at(current, j - 1) + 1, at(previous, j - 1) + (same ? 0 : 1))
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        cost = Math.min(cost, at(beforePrevious, j - 2) + 1)
      }
      current.push(cost)
    }
    beforePrevious = previous
    previous = current
  }
  return at(previous, b.length)
}

function at(row: readonly number[], index: number): number {
  return row[index] ?? 0
}
