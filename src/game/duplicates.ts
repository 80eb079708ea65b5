import type { Maybe } from './json-access.ts'
import { type Mistakes, type Path, toPathText } from './mistakes.ts'

/** A mistake for each item of a list that is there already. `what` they are. */
export function checkDuplicates(
  items: readonly Maybe[],
  placeOf: (index: number) => Path,
  what: string,
  mistakes: Mistakes,
): void {
  const first = new Map<Maybe, number>()
  for (const [index, item] of items.entries()) {
    if (typeof item !== 'string' && typeof item !== 'number') continue
    const earlier = first.get(item)
    if (earlier === undefined) first.set(item, index)
    else mistakes.add(placeOf(index), `is the same ${what} as ${toPathText(placeOf(earlier))}; change or remove one`)
  }
}
