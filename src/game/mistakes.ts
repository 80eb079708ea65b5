import type { Issue } from '../errors.ts'

/** Keys of records and indices of lists, from the definition inwards. */
export type Path = readonly (string | number)[]

/** What is wrong with a definition, in the order in which it was found, at most once for each place. */
export interface Mistakes {
  readonly issues: readonly Issue[]
  /** Ignored where the place has a mistake already: another one may only follow from that. */
  readonly add: (path: Path, message: string) => void
}

export function createMistakes(): Mistakes {
  const found = new Map<string, Issue>()
  return {
    get issues() {
      return [...found.values()]
    },
    add: (path, message) => {
      const place = toPathText(path)
      if (!found.has(place)) found.set(place, { path: place, message })
    },
  }
}

const IDENTIFIER = /^[A-Za-z_$][\w$]*$/

/** `points.xp.triggers[0].metric`; keys that are no identifiers as `metrics["a b"]`. */
export function toPathText(path: Path): string {
  let text = ''
  for (const part of path) {
    if (typeof part === 'number') text += `[${part}]`
    else if (!IDENTIFIER.test(part)) text += `[${JSON.stringify(part)}]`
    else text += text === '' ? part : `.${part}`
  }
  return text
}
