import { expect, test } from 'vitest'
import { parseGame } from '../../src/game/compile.ts'
import type { Entry, EntryBody } from '../../src/rules/entry.ts'
import { foldLog } from '../../src/rules/fold.ts'
import type { UserState } from '../../src/rules/state.ts'

const { rules } = parseGame(
  JSON.stringify({
    metrics: { words: { name: 'Words' } },
    streak: { frequency: 'daily', metrics: { words: {} } },
    leaderboards: { all: { name: 'All', rankBy: 'metric', metric: 'words', start: '2026-01-01' } },
  }),
)
const games = new Map([[1, rules]])
const DAY = 86_400_000
/** 2026-03-10T00:00:00Z. */
const TENTH = 1_773_100_800_000
const TENTH_DAY = 20_522

const on = (day: number, seq: number, body: EntryBody): Entry => ({
  id: `entry-${seq}`,
  seq,
  at: TENTH + day * DAY,
  recordedAt: TENTH + day * DAY,
  epoch: 1,
  dating: { zone: 'UTC', date: TENTH_DAY + day, time: 0 },
  profile: null,
  ...body,
})
const words = (value: number): EntryBody => ({
  kind: 'eventRecorded',
  metric: 'words',
  value,
  attributes: new Map(),
  idempotencyKey: null,
})
const stateOf = (entries: readonly Entry[]): UserState => {
  const state = foldLog(games, entries)
  if (state === null) throw new RangeError('There are entries')
  return state
}

const SUSPENDED: EntryBody = { kind: 'userSuspended', from: ['leaderboards'], reason: 'Forged' }

test('A suspension says since when and why, and what is scored goes on behind it', () => {
  const state = stateOf([on(0, 1, words(5)), on(1, 2, SUSPENDED), on(1, 3, words(2))])
  expect(state.suspended).toEqual({ from: ['leaderboards'], reason: 'Forged', since: TENTH + DAY })
  expect(state.leaderboards.get('all')).toMatchObject([{ value: 7 }])
})

test('Not even time passes with a suspension: what it would bring is judged with the next entry', () => {
  const state = stateOf([on(0, 1, words(5)), on(9, 2, SUSPENDED)])
  expect(state.streak).toMatchObject({ length: 1, lost: null })
  expect([state.seq, state.at]).toEqual([2, TENTH + 9 * DAY])
})

test('Who is restored is as if nothing had been, but for the number of entries', () => {
  const never = stateOf([on(0, 1, words(5)), on(2, 2, words(1))])
  const restored = stateOf([
    on(0, 1, words(5)),
    on(1, 2, SUSPENDED),
    on(1, 3, { kind: 'userRestored' }),
    on(2, 4, words(1)),
  ])
  expect({ ...restored, seq: 2 }).toEqual(never)
})
