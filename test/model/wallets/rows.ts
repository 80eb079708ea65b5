// The parts of a statement that the naive walk and the engine have in common.

import type { Game, Row } from './types.ts'

interface About {
  readonly games: readonly Game[]
  readonly system: string
}

/** Points by time are one row for each call, so a system with them is compared by its last balance alone. */
export function comparable(rows: readonly Row[], { games, system }: About): readonly object[] {
  if (games.some(({ systems }) => systems[system]?.time !== undefined)) {
    return [{ balance: rows.reduce((sum, { amount }) => sum + amount, 0) }]
  }
  return rows
}
