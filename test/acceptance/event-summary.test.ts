// @heavy: It takes more than three seconds.

import { expect, test } from 'vitest'
import type { GameDefinition } from '../../src/index.ts'
import { add, codeOf, type Engine, onEachStorage, untyped } from '../support/engine.ts'

const game: GameDefinition = {
  metrics: { words: { name: 'Words written' }, pages: { name: 'Pages' }, old: { name: 'Old', status: 'archived' } },
}

const addAt = (engine: Engine, instant: string, value: number) => {
  engine.at(instant)
  return add(engine, 'words', value)
}

type Request = Parameters<Engine['users']['metricEventSummary']>[2]

/** Lines such as `2026-03-03 7 +2`: the date, the total and its change. */
const linesOf = async (engine: Engine, request: Request) =>
  (await engine.users.metricEventSummary('ann', 'words', request)).map(
    ({ date, total, change }) => `${date} ${total} +${change}`,
  )

const dailyOf = (engine: Engine) => (startDate: string, endDate: string) =>
  linesOf(engine, { aggregation: 'daily', startDate, endDate })

onEachStorage('4.12 the event summary', (open) => {
  test('daily: has date, total and change of every date, zero-filled, both ends included', async () => {
    const engine = await open(game)
    await addAt(engine, '2026-03-01T09:00:00.000Z', 5)
    await addAt(engine, '2026-03-03T09:00:00.000Z', 3)
    await addAt(engine, '2026-03-03T23:59:59.999Z', -1)
    await addAt(engine, '2026-03-05T00:00:00.000Z', 10)
    const daily = dailyOf(engine)
    expect(await daily('2026-03-02', '2026-03-04')).toEqual(['2026-03-02 5 +0', '2026-03-03 7 +2', '2026-03-04 7 +0'])
    expect(await daily('2026-03-01', '2026-03-05')).toEqual([
      '2026-03-01 5 +5',
      '2026-03-02 5 +0',
      '2026-03-03 7 +2',
      '2026-03-04 7 +0',
      '2026-03-05 17 +10',
    ])
    expect(await daily('2026-02-27', '2026-02-28')).toEqual(['2026-02-27 0 +0', '2026-02-28 0 +0'])
    expect(await daily('2026-03-30', '2026-03-31')).toEqual(['2026-03-30 17 +0', '2026-03-31 17 +0'])
  })

  test('weekly: the first date may lie before startDate, total is at the end, change only inside the range', async () => {
    const engine = await open(game)
    await addAt(engine, '2026-03-02T12:00:00.000Z', 1)
    await addAt(engine, '2026-03-04T12:00:00.000Z', 2)
    await addAt(engine, '2026-03-10T12:00:00.000Z', 4)
    await addAt(engine, '2026-03-18T12:00:00.000Z', 8)
    const request = { aggregation: 'weekly', startDate: '2026-03-04', endDate: '2026-03-17' } as const
    expect(await linesOf(engine, request)).toEqual(['2026-03-02 3 +2', '2026-03-09 7 +4', '2026-03-16 7 +0'])
  })

  test('weekly: weeks start on Sunday where the game says so', async () => {
    const engine = await open({ ...game, weekStartsOn: 'sunday' })
    await addAt(engine, '2026-03-02T12:00:00.000Z', 1)
    await addAt(engine, '2026-03-04T12:00:00.000Z', 2)
    await addAt(engine, '2026-03-15T12:00:00.000Z', 4)
    await addAt(engine, '2026-03-18T12:00:00.000Z', 8)
    const request = { aggregation: 'weekly', startDate: '2026-03-04', endDate: '2026-03-17' } as const
    expect(await linesOf(engine, request)).toEqual(['2026-03-01 3 +2', '2026-03-08 3 +0', '2026-03-15 7 +4'])
  })

  test('monthly: the first date may lie before startDate, total is at the end, change only inside the range', async () => {
    const engine = await open(game)
    await addAt(engine, '2026-01-10T12:00:00.000Z', 1)
    await addAt(engine, '2026-01-20T12:00:00.000Z', 2)
    await addAt(engine, '2026-03-05T12:00:00.000Z', 4)
    await addAt(engine, '2026-03-20T12:00:00.000Z', 8)
    const request = { aggregation: 'monthly', startDate: '2026-01-15', endDate: '2026-03-10' } as const
    expect(await linesOf(engine, request)).toEqual(['2026-01-01 3 +2', '2026-02-01 3 +0', '2026-03-01 7 +4'])
  })

  test("an event counts on the user's local date", async () => {
    const engine = await open(game)
    engine.at('2026-03-01T12:00:00.000Z')
    await engine.users.create({ id: 'ann', tz: 'America/New_York' })
    await addAt(engine, '2026-03-10T03:59:59.999Z', 1)
    await addAt(engine, '2026-03-10T04:00:00.000Z', 2)
    expect(await dailyOf(engine)('2026-03-09', '2026-03-10')).toEqual(['2026-03-09 1 +1', '2026-03-10 3 +2'])
  })

  test('totals and changes are decimals of 15 digits', async () => {
    const engine = await open(game)
    for (let count = 1; count <= 3; count += 1) await addAt(engine, '2026-03-10T12:00:00.000Z', 0.1)
    await addAt(engine, '2026-03-11T12:00:00.000Z', 0.1)
    await addAt(engine, '2026-03-11T12:00:00.000Z', 0.2)
    expect(await dailyOf(engine)('2026-03-10', '2026-03-11')).toEqual(['2026-03-10 0.3 +0.3', '2026-03-11 0.6 +0.3'])
  })

  test('section 8: a range of 400 days is accepted and has 401 dates, one of 401 days is refused', async () => {
    const engine = await open(game)
    await add(engine, 'words', 5)
    const summary = dailyOf(engine)

    const items = await summary('2025-02-03', '2026-03-10')
    expect(items).toHaveLength(401)
    expect(items[0]).toBe('2025-02-03 0 +0')
    expect(items[400]).toBe('2026-03-10 5 +5')
    expect(await codeOf(summary('2025-02-03', '2026-03-11'))).toBe('invalid_request')
    expect(await codeOf(summary('2025-02-02', '2026-03-10'))).toBe('invalid_request')
  })

  test('startDate must be before endDate', async () => {
    const engine = await open(game)
    await add(engine, 'words', 5)
    const summary = dailyOf(engine)
    expect(await codeOf(summary('2026-03-10', '2026-03-10'))).toBe('invalid_request')
    expect(await codeOf(summary('2026-03-10', '2026-03-09'))).toBe('invalid_request')
    expect(await summary('2026-03-09', '2026-03-10')).toHaveLength(2)
  })

  test.each(['2024-02-30', '2024-02-03T00:00:00Z', '', null, undefined])('%s is no date and refused', async (date) => {
    const engine = await open(game)
    await add(engine, 'words', 5)
    const asStart = untyped<{ startDate: string }>({ startDate: date })
    const asEnd = untyped<{ endDate: string }>({ endDate: date })
    const summary = (range: { startDate: string; endDate: string }) =>
      engine.users.metricEventSummary('ann', 'words', { aggregation: 'daily', ...range })
    expect(await codeOf(summary({ ...asStart, endDate: '2024-03-10' }))).toBe('invalid_request')
    expect(await codeOf(summary({ startDate: '2024-02-01', ...asEnd }))).toBe('invalid_request')
  })

  test.each(['0000-01-01', '0001-01-01', '9999-12-30'])(
    'around %s every date is YYYY-MM-DD, or the range is refused',
    async (startDate) => {
      const engine = await open(game)
      await add(engine, 'words', 5)
      const endDate = `${startDate.slice(0, 8)}31`
      for (const aggregation of ['daily', 'weekly', 'monthly'] as const) {
        const request = { aggregation, startDate, endDate }
        const answer = engine.users.metricEventSummary('ann', 'words', request)
        const dates = await answer.then((items) => items.map(({ date }) => date)).catch(({ code }) => code)
        if (dates === 'invalid_request') continue
        expect(dates.filter((date: string) => !/^\d{4}-\d{2}-\d{2}$/.test(date))).toEqual([])
      }
    },
  )

  test.each(['yearly', 'DAILY', '', null, undefined])('aggregation %s is refused', async (aggregation) => {
    const engine = await open(game)
    await add(engine, 'words', 5)
    const request = untyped<{ aggregation: 'daily'; startDate: string; endDate: string }>({
      aggregation,
      startDate: '2026-03-09',
      endDate: '2026-03-10',
    })
    expect(await codeOf(engine.users.metricEventSummary('ann', 'words', request))).toBe('invalid_request')
  })
})
