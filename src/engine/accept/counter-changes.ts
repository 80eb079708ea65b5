import type { UserState } from '../../rules/state.ts'
import type { CounterChange } from '../../storage.ts'

/** What one user's change does to the counters over all users. */
export function countChanges(before: UserState | null, after: UserState): readonly CounterChange[] {
  const counted = new Map<string, CounterChange>()
  const count = (kind: CounterChange['kind'], key: string, by: 1 | -1): void => {
    const id = JSON.stringify([kind, key])
    counted.set(id, { kind, key, by: (counted.get(id)?.by ?? 0) + by })
  }
  if (before === null && after.mergedInto === null) count('users', '', 1)
  if (before?.completions !== after.completions) {
    for (const key of after.completions.keys()) if (before?.completions.has(key) !== true) count('completions', key, 1)
    for (const key of before?.completions.keys() ?? []) if (!after.completions.has(key)) count('completions', key, -1)
  }
  if (before?.points !== after.points) countLevels(before, after, count)
  return [...counted.values()].filter(({ by }) => by !== 0)
}

function countLevels(
  before: UserState | null,
  after: UserState,
  count: (kind: 'level', key: string, by: 1 | -1) => void,
): void {
  for (const system of new Set([...(before?.points.keys() ?? []), ...after.points.keys()])) {
    const old = before?.points.get(system)?.level ?? null
    const level = after.points.get(system)?.level ?? null
    if (old === level) continue
    if (old !== null) count('level', levelCounterKey(system, old), -1)
    if (level !== null) count('level', levelCounterKey(system, level), 1)
  }
}

export function levelCounterKey(system: string, level: string): string {
  return JSON.stringify([system, level])
}
