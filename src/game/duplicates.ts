import type { Maybe } from './json-access.ts'
import { type Mistakes, type Path, toPathText } from './mistakes.ts'

/** Adds a mistake for each item that the list has before it already. `what`: the word for an item in the message. */
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
