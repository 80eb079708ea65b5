import type { Completion, PointsBalance, RunningTotal } from '../../src/rules/state.ts'
import type { ProgressRow } from './progress.ts'
import type { Progress } from './user-rows.ts'

export function toProgress(rows: readonly ProgressRow[]): Progress {
  const totals = new Map<string, RunningTotal>()
  const tallies = new Map<string, RunningTotal>()
  const completions = new Map<string, Completion>()
  const points = new Map<string, PointsBalance>()
  for (const { kind, key, amount, highest, note } of rows) {
    if (kind === 'total') totals.set(key, { total: amount, highest })
    else if (kind === 'tally') tallies.set(key, { total: amount, highest })
    else if (kind === 'points') points.set(key, { total: amount, level: note })
    else completions.set(key, { at: amount, entryId: note ?? '', count: highest })
  }
  return { totals, tallies, completions, points }
}
