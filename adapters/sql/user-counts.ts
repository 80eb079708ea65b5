import type { UserState } from '../../src/rules/state.ts'
import type { CounterChange } from '../../src/storage.ts'

/** What a user adds to the counters of its tenant, `by` times; a merged user adds nothing. */
export function countsOf(
  { completions, points, mergedInto }: Pick<UserState, 'completions' | 'points' | 'mergedInto'>,
  by: 1 | -1,
): readonly CounterChange[] {
  if (mergedInto !== null) return []
  const levels = [...points].flatMap(([system, { level }]) => (level === null ? [] : [JSON.stringify([system, level])]))
  return [
    { kind: 'users', key: '', by },
    ...[...completions.keys()].map((key): CounterChange => ({ kind: 'completions', key, by })),
    ...levels.map((key): CounterChange => ({ kind: 'level', key, by })),
  ]
}
