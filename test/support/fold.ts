import { parseGame } from '../../src/game/compile.ts'
import { addDerivedRows, noDerivedRows, periodKey, toAwardRow } from '../../src/record/accept/derived-rows.ts'
import type { Entry } from '../../src/rules/entry.ts'
import { foldLog } from '../../src/rules/fold.ts'
import { loadGames } from '../../src/sql/games.ts'
import { loadLog } from '../../src/sql/log.ts'
import { loadCounters } from '../../src/sql/queries.ts'
import { loadUser } from '../../src/sql/read-user.ts'
import { loadUserKeys } from '../../src/sql/user-lists.ts'
import { type Award, type UserKey, userKeyText } from '../../src/storage/rows.ts'
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

export interface Fold {
  readonly users: number
  readonly stored: ReadonlyMap<string, unknown>
  readonly expected: ReadonlyMap<string, unknown>
}

/** The stored rows of each user and tenant, and those that follow when every user's log is folded from empty. */
export async function readFold(storage: Storage): Promise<Fold> {
  const games = new Map((await loadGames(storage)).map(({ epoch, definition }) => [epoch, parseGame(definition).rules]))
  const [stored, expected] = [new Map<string, unknown>(), new Map<string, unknown>()]
  const counters = new Map<string, Map<string, number>>()
  let users = 0
  let after: UserKey | undefined
  for (;;) {
    const keys = await loadUserKeys(storage, { limit: 500, ...(after === undefined ? {} : { after }) })
    for (const key of keys) {
      users += 1
      const projection = noDerivedRows()
      const state = foldLog(
        games,
        await wholeLog(storage, key),
        (entry, step) => addDerivedRows(projection, entry, step.changes),
        key.user,
      )
      const view = await loadUser(storage, key, { awards: {}, periods: {} })
      const awards = [...projection.awards.values()].map((award) => toAwardRow(award))
      expected.set(userKeyText(key), { state, awards: byId(awards), periods: projection.periods })
      stored.set(userKeyText(key), {
        state: view.state,
        awards: byId(view.awards),
        periods: new Map(view.periods.map((period) => [periodKey(period), period])),
      })

      const counts = counters.get(key.tenant) ?? new Map<string, number>()
      counters.set(key.tenant, counts)
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
  for (const [tenant, counts] of counters) {
    expected.set(`counters of ${tenant}`, counts)
    const rows = await loadCounters(storage, tenant)
    stored.set(
      `counters of ${tenant}`,
      new Map(rows.map(({ kind, key, count }) => [JSON.stringify([kind, key]), count])),
    )
  }
  return { users, stored, expected }
}

const byId = (awards: readonly Award[]): ReadonlyMap<string, Award> => new Map(awards.map((award) => [award.id, award]))
