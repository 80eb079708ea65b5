// A clock that is set back and forward while users keep coming. All users are in UTC.

import { describe, expect, test } from 'vitest'
import type { Gamification } from '../../src/gamification.ts'
import type { Storage } from '../../src/storage/storage.ts'
import { createTestClock, type TestClock } from '../../src/testing/test-clock.ts'
import { checkFold, wholeLog } from '../support/check-fold.ts'
import { times, useEngines, usePlaces } from '../support/places.ts'
import { type CrashGame, crashGame } from './crash-game.ts'
import { createRandom } from './random.ts'

const CALLS = process.env.SOAK === '1' ? 5_000 : 300

const places = usePlaces()
const start = useEngines('2026-03-01T00:00:00Z')

const ann = { id: 'ann' }

interface Scene {
  readonly clock: TestClock
  readonly storage: Storage
  readonly engine: Gamification<CrashGame>
  /** Sets the clock and sends 10 words; answers the length of the streak and the total. */
  visit(at: string): Promise<readonly [length: number, total: number]>
}

async function open(storage: Storage, at: string): Promise<Scene> {
  const clock = createTestClock(at)
  const engine = await start(crashGame, storage, { clock: clock.now })
  return {
    clock,
    storage,
    engine,
    visit: async (instant) => {
      clock.set(instant)
      const { currentStreak, total } = await engine.metrics.event('words', { user: ann, value: 10 })
      return [currentStreak.length, total]
    },
  }
}

const instants = (times: readonly number[]): readonly string[] => times.map((at) => new Date(at).toISOString())

/** The instants of the user's log in the order in which the entries came. */
async function logOf({ storage }: Scene): Promise<readonly string[]> {
  const log = await wholeLog(storage, { tenant: '', user: 'ann' })
  return instants([...log].sort((left, right) => left.seq - right.seq).map(({ at }) => at))
}

/** The dates of all awards, oldest first. */
async function awardDates({ engine }: Scene): Promise<readonly string[]> {
  const { awards } = await engine.users.points('ann', 'xp', { awards: 100 })
  return awards.map(({ date }) => date).reverse()
}

async function achievedAt({ engine }: Scene): Promise<{ readonly [key: string]: string | null }> {
  const all = await engine.users.achievements('ann')
  return Object.fromEntries(all.map(({ key, achievedAt: at }) => [key, at]))
}

describe.each(places)('In $name a clock', ({ make }) => {
  test('that is set back two hours costs no streak to who comes each day', async () => {
    const scene = await open(make()(), '2026-03-01T01:00:00Z')
    expect(await scene.visit('2026-03-01T01:00:00Z')).toEqual([1, 10])
    expect(await scene.visit('2026-03-02T01:00:00Z')).toEqual([2, 20])
    expect(await scene.visit('2026-03-03T01:00:00Z')).toEqual([3, 30])

    // At 01:59 the clock shows yesterday. From here on it stays two hours behind.
    expect(await scene.visit('2026-03-02T23:59:00Z')).toEqual([3, 40])
    expect(await scene.engine.users.streak('ann')).toMatchObject({
      length: 3,
      started: '2026-03-01',
      periodStart: '2026-03-03',
      expires: '2026-03-04',
    })
    // At one o'clock of the next days the clock shows eleven at night of the days before.
    expect(await scene.visit('2026-03-03T23:00:00Z')).toEqual([3, 50])
    expect(await scene.visit('2026-03-04T23:00:00Z')).toEqual([4, 60])
    expect(await scene.visit('2026-03-05T23:00:00Z')).toEqual([5, 70])
    expect(await logOf(scene)).toEqual([
      '2026-03-01T01:00:00.000Z',
      '2026-03-02T01:00:00.000Z',
      '2026-03-03T01:00:00.000Z',
      '2026-03-03T01:00:00.000Z',
      '2026-03-03T23:00:00.000Z',
      '2026-03-04T23:00:00.000Z',
      '2026-03-05T23:00:00.000Z',
    ])
    expect(await checkFold(scene.storage)).toBe(1)
  })

  test('that jumps ten days ahead and back has taken no streak from who was only looked at', async () => {
    const scene = await open(make()(), '2026-03-01T09:00:00Z')
    const lost: string[] = []
    scene.engine.on('streak.lost', ({ user }) => void lost.push(user.id))
    for (const day of ['01', '02', '03', '04']) await scene.visit(`2026-03-${day}T09:00:00Z`)
    const before = await scene.storage.readUser({ tenant: '', user: 'ann' }, { awards: {}, periods: {} })

    scene.clock.set('2026-03-14T09:00:00Z')
    expect(await scene.engine.users.streak('ann', { historyPeriods: 1 })).toMatchObject({ length: 0, started: null })
    await scene.engine.users.get('ann')
    await scene.engine.users.achievements('ann', { includeIncomplete: true })
    await scene.engine.users.points('ann', 'xp')
    await scene.engine.users.allMetrics('ann')
    // A replay writes nothing either, nor does what is refused.
    await expect(scene.engine.metrics.event('words', { user: ann, value: 1e16 })).rejects.toMatchObject({
      code: 'value_out_of_range',
    })

    scene.clock.set('2026-03-05T09:00:00Z')
    expect(await scene.storage.readUser({ tenant: '', user: 'ann' }, { awards: {}, periods: {} })).toEqual(before)
    expect(await scene.engine.users.streak('ann')).toMatchObject({
      length: 4,
      started: '2026-03-01',
      expires: '2026-03-05',
    })
    expect(await scene.visit('2026-03-05T09:00:00Z')).toEqual([5, 50])
    expect(lost).toEqual([])
    expect(await checkFold(scene.storage)).toBe(1)
  })

  test('that jumps ten days ahead and back lets who came meanwhile go on, and dates nothing back', async () => {
    const scene = await open(make()(), '2026-03-01T09:00:00Z')
    for (const day of ['01', '02', '03', '04']) await scene.visit(`2026-03-${day}T09:00:00Z`)
    // For all that is known nine days were missed.
    expect(await scene.visit('2026-03-14T10:00:00Z')).toEqual([1, 50])

    // Back at the true time: everything is of the newest instant until the clock has passed it.
    expect(await scene.visit('2026-03-04T11:00:00Z')).toEqual([1, 60])
    expect(await scene.engine.users.streak('ann')).toMatchObject({ length: 1, started: '2026-03-14' })
    for (const day of ['05', '06', '07', '08', '09', '10', '11', '12', '13']) {
      const [length] = await scene.visit(`2026-03-${day}T09:00:00Z`)
      expect([day, length]).toEqual([day, 1])
    }
    expect(await scene.visit('2026-03-14T09:00:00Z')).toEqual([1, 160])
    expect(await scene.visit('2026-03-15T09:00:00Z')).toEqual([2, 170])
    expect(await scene.visit('2026-03-16T09:00:00Z')).toEqual([3, 180])
    expect(await logOf(scene)).toEqual([
      '2026-03-01T09:00:00.000Z',
      '2026-03-02T09:00:00.000Z',
      '2026-03-03T09:00:00.000Z',
      '2026-03-04T09:00:00.000Z',
      ...times(12, () => '2026-03-14T10:00:00.000Z'),
      '2026-03-15T09:00:00.000Z',
      '2026-03-16T09:00:00.000Z',
    ])
    expect(await achievedAt(scene)).toEqual({
      first: '2026-03-01T09:00:00.000Z',
      'three-days': '2026-03-03T09:00:00.000Z',
      hundred: '2026-03-14T10:00:00.000Z',
    })
    // 20 for the user and one for each ten words; 5 for three days, twice, each before what came later.
    expect(await awardDates(scene)).toEqual([
      '2026-03-01T09:00:00.000Z',
      '2026-03-01T09:00:00.000Z',
      '2026-03-02T09:00:00.000Z',
      '2026-03-03T09:00:00.000Z',
      '2026-03-03T09:00:00.000Z',
      '2026-03-04T09:00:00.000Z',
      ...times(12, () => '2026-03-14T10:00:00.000Z'),
      '2026-03-15T09:00:00.000Z',
      '2026-03-16T09:00:00.000Z',
      '2026-03-16T09:00:00.000Z',
    ])
    expect(await checkFold(scene.storage)).toBe(1)
  })

  test('that leaps about at random never leads to an instant before the one before it', async () => {
    const scene = await open(make()(), '2026-03-01T09:00:00Z')
    const random = createRandom(4)
    const expected: number[] = []
    let now = Date.parse('2026-03-01T09:00:00Z')
    for (let call = 0; call < CALLS; call += 1) {
      now += random.chance(0.1) ? random.whole(-10, 10) * 86_400_000 : random.whole(-2 * 3_600_000, 8 * 3_600_000)
      scene.clock.set(new Date(now))
      await scene.engine.users.streak('ann').catch(({ code }) => expect(code).toBe('unknown_user'))
      const { total } = await scene.engine.metrics.event('words', { user: ann, value: 7 })
      expect(total).toBe(7 * (call + 1))
      expected.push(Math.max(now, expected.at(-1) ?? now))
    }
    expect(await logOf(scene)).toEqual(instants(expected))

    const dates = await awardDates(scene)
    expect(dates).toEqual([...dates].sort())
    const { awards } = await scene.storage.readUser({ tenant: '', user: 'ann' }, { awards: {} })
    const bySeq = [...awards].sort((left, right) => left.seq - right.seq || left.ordinal - right.ordinal)
    const sorted = bySeq.map(({ at }) => at).sort((left, right) => left - right)
    expect(bySeq.map(({ at }) => at)).toEqual(sorted)
    expect(bySeq.reduce((sum, { awarded }) => sum + awarded, 0)).toBe(
      (await scene.engine.users.points('ann', 'xp')).total,
    )
    expect(await checkFold(scene.storage)).toBe(1)
  })
})
