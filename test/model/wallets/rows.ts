// The parts of a statement that the naive walk and the engine have in common.

import type { Entry, Game, Row } from './types.ts'

interface About {
  readonly games: readonly Game[]
  readonly log: readonly Entry[]
  readonly system: string
}

/**
 * Points by time are one row for each call, so a system with them is compared by its last balance alone. Time does not
 * pass with a void, so what happened before one may have its instant.
 */
export function comparable(rows: readonly Row[], { games, log, system }: About): readonly object[] {
  if (games.some(({ systems }) => systems[system]?.time !== undefined)) {
    return [{ balance: rows.reduce((sum, { amount }) => sum + amount, 0) }]
  }
  if (!log.some(({ act, isVoid }) => isVoid === true || act.type === 'void')) return rows
  const all: Omit<Row, 'at'>[] = []
  for (const { kind, points, amount, balance } of rows) {
    const last = all.at(-1)
    if (last?.kind !== kind) all.push({ kind, points, amount, balance })
    else all[all.length - 1] = { kind, points: last.points + points, amount: last.amount + amount, balance }
  }
  return all
}
