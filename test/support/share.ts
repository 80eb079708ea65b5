import { BINDINGS, type BindingName } from './bindings.ts'
import { SOAK } from './zones.ts'

/** `npm run test:heavy`, and the soak, go through what `npm test` takes a part of. */
export const HEAVY: boolean = SOAK || process.env.HEAVY === '1'

/** How many histories or requests at random: in `npm test`, in `npm run test:heavy`, and in the soak. */
export function howMany(few: number, heavy: number, soak: number): number {
  if (SOAK) return soak
  return HEAVY ? heavy : few
}

/**
 * The rows of a table that are tried through a binding. `node` gets all of them. Each other binding gets a tenth of its
 * own, and the rows that it answers in a way of its own.
 */
export function shareOf<Row>(
  binding: BindingName,
  rows: readonly Row[],
  isSpecial: (row: Row) => boolean = () => false,
): readonly Row[] {
  if (HEAVY || binding === 'node') return rows
  const place = BINDINGS.indexOf(binding)
  return rows.filter((row, index) => index % 10 === place % 10 || isSpecial(row))
}
