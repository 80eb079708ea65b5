import { afterEach, describe, expect, test } from 'vitest'
import { memory } from '../../../adapters/memory/index.ts'
import { createGamification, defineGame, type GameDefinition, type StreakDefinition } from '../../../src/index.ts'
import { type Engine, onEachStorage, openOn } from '../../support/engine.ts'

const opened: Engine[] = []
afterEach(async () => {
  for (const engine of opened.splice(0)) await engine.close()
})

function gameWith(streak: Partial<StreakDefinition<string>> = {}): GameDefinition {
  return {
    metrics: { words: { name: 'Words' } },
    streak: { frequency: 'daily', metrics: { words: {} }, ...streak } as StreakDefinition<string>,
  }
}

async function open(streak?: Partial<StreakDefinition<string>>): Promise<Engine> {
  const engine = await openOn(memory(), { now: '2011-01-01T12:00:00Z' }, gameWith(streak))
  opened.push(engine)
  return engine
}

/** Ann writes at these instants, each perhaps with the zone she is in then. */
async function write(engine: Engine, ...when: readonly (readonly [at: string, tz?: string])[]): Promise<void> {
  for (const [at, tz] of when) {
    engine.at(at)
    await engine.metrics.event('words', { user: { id: 'ann', ...(tz === undefined ? {} : { tz }) }, value: 1 })
  }
}

/** The last periods as `03-05 3`, an `f` after those that used a freeze. */
async function tell(engine: Engine, historyPeriods: number): Promise<readonly string[]> {
  const { streakHistory = [] } = await engine.users.streak('ann', { historyPeriods })
  return streakHistory.map(({ periodStart, length, usedFreeze }) => {
    return `${periodStart.slice(5)} ${length}${usedFreeze === true ? 'f' : ''}`
  })
}

const HONOLULU = 'Pacific/Honolulu'
const KIRITIMATI = 'Pacific/Kiritimati'

onEachStorage('After a move to the east', (openHere) => {
  test('the periods counted before it are shown a day later, and the streak has no gap', async () => {
    const engine = await openHere(gameWith())
    // 2, 3 and 4 March in Honolulu, if it is a day less than in Kiritimati.
    await write(engine, ['2026-03-02T20:00:00Z', HONOLULU], ['2026-03-03T20:00:00Z'], ['2026-03-04T20:00:00Z'])
    expect(await tell(engine, 4)).toEqual(['03-01 0', '03-02 1', '03-03 2', '03-04 3'])
    engine.at('2026-03-04T21:00:00Z')
    await engine.users.update('ann', { tz: KIRITIMATI })
    expect(await tell(engine, 4)).toEqual(['03-02 0', '03-03 1', '03-04 2', '03-05 3'])
    await write(engine, ['2026-03-06T02:00:00Z'])
    expect(await tell(engine, 5)).toEqual(['03-02 0', '03-03 1', '03-04 2', '03-05 3', '03-06 4'])
    expect(await tell(engine, 2)).toEqual(['03-05 3', '03-06 4'])
    // Lost, it is shown as when it last counted.
    engine.at('2026-03-09T02:00:00Z')
    expect(await tell(engine, 6)).toEqual(['03-04 2', '03-05 3', '03-06 4', '03-07 0', '03-08 0', '03-09 0'])
    expect((await engine.verify()).drift).toEqual([])
  })
})

describe('The history', () => {
  test('ends with today, also where that is before the last day that counted', async () => {
    const engine = await open()
    // The 11th, 12th and 13th of March there; then the 12th, five minutes past midnight.
    await write(engine, ['2026-03-10T10:00:00Z', KIRITIMATI], ['2026-03-11T10:00:00Z'], ['2026-03-12T10:00:00Z'])
    engine.at('2026-03-12T10:05:00Z')
    await engine.users.update('ann', { tz: HONOLULU })
    expect(await tell(engine, 3)).toEqual(['03-10 1', '03-11 2', '03-12 3'])
  })

  test('has no gap after a move to the west, where a date is lived and counts once more', async () => {
    const engine = await open()
    // 7 November in Chatham; just after midnight there it is still the 7th in London.
    await write(engine, ['2025-11-07T05:00:00Z', 'Pacific/Chatham'], ['2025-11-07T10:20:00Z', 'Europe/London'])
    const { length, started } = await engine.users.streak('ann')
    expect([length, started]).toEqual([2, '2025-11-06'])
    expect(await tell(engine, 3)).toEqual(['11-05 0', '11-06 1', '11-07 2'])
  })

  test('moves weeks only when the move is into another week', async () => {
    const engine = await open({ frequency: 'weekly' })
    // Two Sundays in Honolulu; then a Monday in Kiritimati.
    await write(engine, ['2026-03-01T20:00:00Z', HONOLULU], ['2026-03-08T20:00:00Z'])
    await write(engine, ['2026-03-08T21:00:00Z', KIRITIMATI])
    expect(await tell(engine, 3)).toEqual(['02-23 0', '03-02 1', '03-09 2'])
  })

  test('shows frozen days moved along with the others', async () => {
    const engine = await open({ freezes: { initial: 1, max: 1 } })
    await write(engine, ['2026-03-02T20:00:00Z', HONOLULU], ['2026-03-04T20:00:00Z'])
    expect(await tell(engine, 3)).toEqual(['03-02 1', '03-03 1f', '03-04 2'])
    await write(engine, ['2026-03-06T02:00:00Z', KIRITIMATI])
    expect(await tell(engine, 5)).toEqual(['03-02 0', '03-03 1', '03-04 1f', '03-05 2', '03-06 3'])
  })

  test('keeps the gap over which a streak was restored', async () => {
    const engine = await open()
    await write(engine, ['2026-03-02T12:00:00Z'], ['2026-03-03T12:00:00Z'])
    engine.at('2026-03-06T12:00:00Z')
    await engine.admin.streaks.restore({ users: [{ id: 'ann' }] })
    await write(engine, ['2026-03-06T13:00:00Z'])
    expect(await tell(engine, 5)).toEqual(['03-02 1', '03-03 2', '03-04 0', '03-05 0', '03-06 3'])
  })

  test('leaves out the date that Samoa left out, and shows as many periods as were asked for', async () => {
    const engine = await open()
    const apia = 'Pacific/Apia'
    await write(engine, ['2011-12-29T20:00:00Z', apia], ['2011-12-30T09:00:00Z'], ['2011-12-30T20:00:00Z'])
    expect(await tell(engine, 3)).toEqual(['12-28 0', '12-29 1', '12-31 2'])
    await write(engine, ['2011-12-31T20:00:00Z'])
    expect(await tell(engine, 4)).toEqual(['12-28 0', '12-29 1', '12-31 2', '01-01 3'])
    const { started } = await engine.users.streak('ann')
    expect(started).toBe('2011-12-29')
  })

  test('leaves it out within a pause too', async () => {
    const engine = await open()
    const apia = 'Pacific/Apia'
    await write(engine, ['2011-12-28T20:00:00Z', apia])
    await engine.admin.streaks.pauses.create({ pauses: [{ userId: 'ann', start: '2011-12-29', end: '2012-01-02' }] })
    engine.at('2012-01-01T20:00:00Z')
    const { streakHistory } = await engine.users.streak('ann', { historyPeriods: 4 })
    expect(streakHistory?.map(({ periodStart, usedPause = false }) => [periodStart, usedPause])).toEqual([
      ['2011-12-29', true],
      ['2011-12-31', true],
      ['2012-01-01', true],
      ['2012-01-02', false],
    ])
  })
})

test('a day that was counted on a later date of another zone lies before the one to which a restore gave the length', async () => {
  let now = 0
  const game = defineGame({
    metrics: { words: { name: 'Words' } },
    streak: { frequency: 'daily', metrics: { words: {} }, freezes: { initial: 1, max: 5 } },
  })
  const gamification = createGamification({ game, storage: memory(), clock: () => new Date(now) })
  await gamification.migrate()
  const write = (at: string, tz: string, back = 0): Promise<unknown> => {
    now = Date.parse(at)
    const occurredAt = back === 0 ? {} : { occurredAt: new Date(now - back) }
    return gamification.metrics.event('words', {
      user: { id: 'ann', ...(back === 0 ? { tz } : {}) },
      value: 1,
      ...occurredAt,
    })
  }
  await write('2024-02-26T01:30:00Z', 'Pacific/Kiritimati')
  await write('2024-02-26T02:30:00Z', 'Pacific/Kiritimati', 108_000_000)
  await write('2024-02-27T18:30:00Z', 'Pacific/Kiritimati')
  await write('2024-02-27T19:10:00Z', 'Pacific/Honolulu')
  await gamification.admin.streaks.restore({ users: [{ id: 'ann' }] })
  now = Date.parse('2024-02-28T07:50:00Z')
  await gamification.users.identify('ann', { tz: 'Europe/London' })
  const { length, streakHistory } = await gamification.users.streak('ann', { historyPeriods: 2 })
  expect(length).toBe(2)
  expect(streakHistory.map(({ periodStart, length: days }) => [periodStart, days])).toEqual([
    ['2024-02-27', 1],
    ['2024-02-28', 2],
  ])
  await gamification.close()
})
