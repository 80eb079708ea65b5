// @heavy: It takes more than three seconds.

import { expect, test } from 'vitest'
import type { GameDefinition, MetricEventRequest } from '../../src/index.ts'
import { add, codeOf, type Engine, onEachStorage } from '../support/engine.ts'

const metrics = { words: { name: 'Words written' }, pages: { name: 'Pages' }, runs: { name: 'Runs' } }
const daily: GameDefinition = { metrics, streak: { frequency: 'daily', metrics: { words: {} } } }

const addAt = async (engine: Engine, instant: string, value = 1, rest: Partial<MetricEventRequest> = {}) => {
  engine.at(instant)
  return (await add(engine, 'words', value, rest)).currentStreak
}

/** As text: the length and frequency, the first date, the period and the date until which it can be extended. */
const asText = (streak: Awaited<ReturnType<typeof addAt>>) => {
  const { length, frequency, started, periodStart, periodEnd, expires, extended } = streak
  return `${length} ${frequency} from ${started}, ${periodStart} to ${periodEnd}, until ${expires}, ${extended}`
}

const NO_DATES = { started: null, periodStart: null, periodEnd: null, expires: null }

onEachStorage('2.4 currentStreak, daily', (open) => {
  test('has length, frequency, started, periodStart, periodEnd, expires and extended', async () => {
    const engine = await open(daily)
    expect(await addAt(engine, '2026-03-10T12:00:00.000Z')).toEqual({
      length: 1,
      frequency: 'daily',
      started: '2026-03-10',
      periodStart: '2026-03-10',
      periodEnd: '2026-03-10',
      expires: '2026-03-11',
      extended: true,
    })
    expect(asText(await addAt(engine, '2026-03-11T00:00:00.000Z'))).toEqual(
      '2 daily from 2026-03-10, 2026-03-11 to 2026-03-11, until 2026-03-12, true',
    )
  })

  test('extended is false for another event of the same day', async () => {
    const engine = await open(daily)
    await addAt(engine, '2026-03-10T00:00:00.000Z')
    expect(asText(await addAt(engine, '2026-03-10T23:59:59.999Z'))).toEqual(
      '1 daily from 2026-03-10, 2026-03-10 to 2026-03-10, until 2026-03-11, false',
    )
  })

  test('every date is null while the length is 0', async () => {
    const engine = await open({ metrics, streak: { frequency: 'weekly', metrics: { words: { threshold: 10 } } } })
    expect(await addAt(engine, '2026-03-10T12:00:00.000Z', 9)).toEqual({
      length: 0,
      frequency: 'weekly',
      ...NO_DATES,
      extended: false,
    })
  })

  test('an event of a metric that is not in the streak carries the streak as it is', async () => {
    const engine = await open(daily)
    await addAt(engine, '2026-03-10T12:00:00.000Z')
    engine.at('2026-03-11T12:00:00.000Z')
    expect(asText((await add(engine, 'runs', 1)).currentStreak)).toEqual(
      '1 daily from 2026-03-10, 2026-03-11 to 2026-03-11, until 2026-03-11, false',
    )
    engine.at('2026-03-12T12:00:00.000Z')
    expect((await add(engine, 'runs', 1)).currentStreak).toMatchObject({ length: 0, ...NO_DATES })
  })

  test("dates are the user's local ones", async () => {
    const engine = await open(daily)
    const user = { id: 'ann', tz: 'Asia/Tokyo' }
    expect(await addAt(engine, '2026-03-10T15:00:00.000Z', 1, { user })).toMatchObject({
      started: '2026-03-11',
      periodStart: '2026-03-11',
      periodEnd: '2026-03-11',
      expires: '2026-03-12',
    })
  })
})

onEachStorage('2.4 currentStreak, weekly and monthly', (open) => {
  test('weekly: from Monday to Sunday, expires at the end of the next week', async () => {
    const engine = await open({ metrics, streak: { frequency: 'weekly', metrics: { words: {} } } })
    expect(asText(await addAt(engine, '2026-03-15T23:59:59.999Z'))).toEqual(
      '1 weekly from 2026-03-09, 2026-03-09 to 2026-03-15, until 2026-03-22, true',
    )
    expect(asText(await addAt(engine, '2026-03-16T00:00:00.000Z'))).toEqual(
      '2 weekly from 2026-03-09, 2026-03-16 to 2026-03-22, until 2026-03-29, true',
    )
    expect(await addAt(engine, '2026-03-22T12:00:00.000Z')).toMatchObject({ length: 2, extended: false })
    expect(await addAt(engine, '2026-03-30T12:00:00.000Z')).toMatchObject({ length: 1, started: '2026-03-30' })
  })
})

onEachStorage('section 5: the streak as it is read', (open) => {
  test('can be extended up to expires, and is 0 after it without any event', async () => {
    const engine = await open(daily)
    await addAt(engine, '2026-03-09T12:00:00.000Z')
    await addAt(engine, '2026-03-10T12:00:00.000Z')
    expect(await engine.users.streak('ann')).toMatchObject({
      length: 2,
      frequency: 'daily',
      started: '2026-03-09',
      periodStart: '2026-03-10',
      periodEnd: '2026-03-10',
      expires: '2026-03-11',
    })
    engine.at('2026-03-11T23:59:59.999Z')
    expect(await engine.users.streak('ann')).toMatchObject({
      length: 2,
      started: '2026-03-09',
      periodStart: '2026-03-11',
      periodEnd: '2026-03-11',
      expires: '2026-03-11',
    })
    engine.at('2026-03-12T00:00:00.000Z')
    expect(await engine.users.streak('ann')).toMatchObject({ length: 0, frequency: 'daily', ...NO_DATES })
  })

  test('is length 0, daily, without dates where the game has no streak', async () => {
    const engine = await open({ metrics })
    await add(engine, 'words', 1)
    expect(await engine.users.streak('ann')).toMatchObject({ length: 0, frequency: 'daily', ...NO_DATES })
  })

  test('has a history of periods up to the current one, oldest first', async () => {
    const engine = await open(daily)
    await addAt(engine, '2026-03-07T12:00:00.000Z')
    await addAt(engine, '2026-03-09T12:00:00.000Z')
    await addAt(engine, '2026-03-10T12:00:00.000Z')
    const { streakHistory } = await engine.users.streak('ann', { historyPeriods: 5 })
    expect(streakHistory).toEqual([
      { periodStart: '2026-03-06', periodEnd: '2026-03-06', length: 0, usedPause: false },
      { periodStart: '2026-03-07', periodEnd: '2026-03-07', length: 1, usedPause: false },
      { periodStart: '2026-03-08', periodEnd: '2026-03-08', length: 0, usedPause: false },
      { periodStart: '2026-03-09', periodEnd: '2026-03-09', length: 1, usedPause: false },
      { periodStart: '2026-03-10', periodEnd: '2026-03-10', length: 2, usedPause: false },
    ])
    const seven = (await engine.users.streak('ann')).streakHistory
    expect(seven.map(({ periodStart, length }) => [periodStart, length])).toEqual([
      ['2026-03-04', 0],
      ['2026-03-05', 0],
      ['2026-03-06', 0],
      ['2026-03-07', 1],
      ['2026-03-08', 0],
      ['2026-03-09', 1],
      ['2026-03-10', 2],
    ])
    expect((await engine.users.streak('ann', { historyPeriods: 0 })).streakHistory).toEqual([])
    expect((await engine.users.streak('ann', { historyPeriods: 400 })).streakHistory).toHaveLength(400)
    for (const historyPeriods of [-1, 401, 1.5]) {
      expect(await codeOf(engine.users.streak('ann', { historyPeriods }))).toBe('invalid_request')
    }
  })
})
