import { expect } from 'vitest'
import { parseGame } from '../../src/game/compile.ts'
import { addDerivedRows, noDerivedRows, periodKey, toAwardRow } from '../../src/record/accept/derived-rows.ts'
import type { Entry } from '../../src/rules/entry.ts'
import { foldLog } from '../../src/rules/fold.ts'
import { loadGames } from '../../src/sql/games.ts'
import { loadLog } from '../../src/sql/log.ts'
import { loadCounters } from '../../src/sql/queries.ts'
import { loadUser } from '../../src/sql/read-user.ts'
import { loadUserKeys } from '../../src/sql/user-lists.ts'
import type { UserKey } from '../../src/storage/rows.ts'
import type { Storage } from '../../src/storage/storage.ts'

/** A user's log, however long. */
export async function wholeLog(storage: Storage, key: UserKey): Promise<readonly Entry[]> {
  const log: Entry[] = []
  for (;;) {
    const last = log.at(-1)
    const after = last === undefined ? {} : { after: { at: last.at, seq: last.seq } }
    const chunk = await loadLog(storage, key, { limit: 1_000, ...after })
    log.push(...chunk)
    if (chunk.length === 0) return log
  }
}

function bump(counts: Map<string, number>, key: readonly string[]): void {
  const text = JSON.stringify(key)
  counts.set(text, (counts.get(text) ?? 0) + 1)
}

/** Folds every user's log from empty and expects exactly what the tables hold; returns how many users there are. */
export async function checkFold(storage: Storage): Promise<number> {
  const games = new Map((await loadGames(storage)).map(({ epoch, definition }) => [epoch, parseGame(definition).rules]))
  const expected = new Map<string, Map<string, number>>()
  let users = 0
  let after: UserKey | undefined
  for (;;) {
    const keys = await loadUserKeys(storage, { limit: 500, ...(after === undefined ? {} : { after }) })
    for (const key of keys) {
      users += 1
      const projection = noDerivedRows()
      const state = foldLog(games, await wholeLog(storage, key), (entry, step) =>
        addDerivedRows(projection, entry, step.changes),
      )
      const view = await loadUser(storage, key, { awards: {}, periods: {} })
      expect(view.state).toEqual(state)
      const awards = [...projection.awards.values()].map((award) => toAwardRow(award))
      expect(new Map(view.awards.map((award) => [award.id, award]))).toEqual(
        new Map(awards.map((award) => [award.id, award])),
      )
      expect(new Map(view.periods.map((period) => [periodKey(period), period]))).toEqual(projection.periods)

      const counts = expected.get(key.tenant) ?? new Map<string, number>()
      expected.set(key.tenant, counts)
      const isOtherName = state !== null && state.mergedInto !== null
      if (!isOtherName) bump(counts, ['users', ''])
      for (const achievement of state?.completions.keys() ?? []) bump(counts, ['completions', achievement])
      for (const [system, { level }] of state?.points ?? []) {
        if (level !== null) bump(counts, ['level', JSON.stringify([system, level])])
      }
    }
    after = keys.at(-1)
    if (keys.length < 500) break
  }
  for (const [tenant, counts] of expected) {
    const stored = await loadCounters(storage, tenant)
    const byKey = new Map(stored.map(({ kind, key, count }) => [JSON.stringify([kind, key]), count]))
    expect(byKey).toEqual(counts)
  }
  return users
}
