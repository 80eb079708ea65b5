import type { Issue } from '../errors.ts'
import { shorten } from './suggest.ts'

/** Keys of records and indices of lists, from the definition inwards. */
export type Path = readonly (string | number)[]

/** What is wrong with a definition, in the order in which it was found, at most once for each place. */
export interface Mistakes {
  readonly issues: readonly Issue[]
  readonly count: number
  /** Ignored where the place has a mistake already: another one may only follow from that. */
  readonly add: (path: Path, message: string) => void
}

export function createMistakes(): Mistakes {
  const found = new Map<string, Issue>()
  return {
    get issues() {
      return [...found.values()]
    },
    get count() {
      return found.size
    },
    add: (path, message) => {
      const place = JSON.stringify(path)
      if (!found.has(place)) found.set(place, { path: toPathText(path), message })
    },
  }
}

const IDENTIFIER = /^[A-Za-z_$][\w$]*$/

/** `points.xp.triggers[0].metric`; keys that are no identifiers as `metrics["a b"]`. Long keys are shortened. */
export function toPathText(path: Path): string {
  let text = ''
  for (const part of path.map((each) => (typeof each === 'number' ? each : shorten(each)))) {
    if (typeof part === 'number') text += `[${part}]`
    else if (!IDENTIFIER.test(part)) text += `[${JSON.stringify(part)}]`
    else text += text === '' ? part : `.${part}`
  }
  return text
}
