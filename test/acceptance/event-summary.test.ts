import { expect, test } from 'vitest'
import type { GameDefinition } from '../../src/index.ts'
import { add, codeOf, type Engine, onEachStorage, untyped } from '../support/engine.ts'

const game: GameDefinition = {
  metrics: {
    words: { name: 'Words written' },
    pages: { name: 'Pages' },
    old: { name: 'Old', status: 'archived' },
  },
}

const addAt = (engine: Engine, instant: string, value: number) => {
  engine.at(instant)
  return add(engine, 'words', value)
}

const dailyOf = (engine: Engine) => (startDate: string, endDate: string) =>
  engine.users.metricEventSummary('ann', 'words', { aggregation: 'daily', startDate, endDate })

onEachStorage('4.12 the event summary', (open) => {
  test('daily: has date, total and change of every date, zero-filled, both ends included', async () => {
    const engine = await open(game)
    await addAt(engine, '2026-03-01T09:00:00.000Z', 5)
    await addAt(engine, '2026-03-03T09:00:00.000Z', 3)
    await addAt(engine, '2026-03-03T23:59:59.999Z', -1)
    await addAt(engine, '2026-03-05T00:00:00.000Z', 10)
    const daily = dailyOf(engine)
    expect(await daily('2026-03-02', '2026-03-04')).toEqual([
      { date: '2026-03-02', total: 5, change: 0 },
      { date: '2026-03-03', total: 7, change: 2 },
      { date: '2026-03-04', total: 7, change: 0 },
    ])
    expect(await daily('2026-03-01', '2026-03-05')).toEqual([
      { date: '2026-03-01', total: 5, change: 5 },
      { date: '2026-03-02', total: 5, change: 0 },
      { date: '2026-03-03', total: 7, change: 2 },
      { date: '2026-03-04', total: 7, change: 0 },
      { date: '2026-03-05', total: 17, change: 10 },
    ])
    expect(await daily('2026-02-27', '2026-02-28')).toEqual([
      { date: '2026-02-27', total: 0, change: 0 },
      { date: '2026-02-28', total: 0, change: 0 },
    ])
    expect(await daily('2026-03-30', '2026-03-31')).toEqual([
      { date: '2026-03-30', total: 17, change: 0 },
      { date: '2026-03-31', total: 17, change: 0 },
    ])
  })

  test('weekly: the first date may lie before startDate, total is at the end, change only inside the range', async () => {
    const engine = await open(game)
    await addAt(engine, '2026-03-02T12:00:00.000Z', 1)
    await addAt(engine, '2026-03-04T12:00:00.000Z', 2)
    await addAt(engine, '2026-03-10T12:00:00.000Z', 4)
    await addAt(engine, '2026-03-18T12:00:00.000Z', 8)
    const request = { aggregation: 'weekly', startDate: '2026-03-04', endDate: '2026-03-17' } as const
    expect(await engine.users.metricEventSummary('ann', 'words', request)).toEqual([
      { date: '2026-03-02', total: 3, change: 2 },
      { date: '2026-03-09', total: 7, change: 4 },
      { date: '2026-03-16', total: 7, change: 0 },
    ])
  })

  test('weekly: weeks start on Sunday where the game says so', async () => {
    const engine = await open({ ...game, weekStartsOn: 'sunday' })
    await addAt(engine, '2026-03-02T12:00:00.000Z', 1)
    await addAt(engine, '2026-03-04T12:00:00.000Z', 2)
    await addAt(engine, '2026-03-15T12:00:00.000Z', 4)
    await addAt(engine, '2026-03-18T12:00:00.000Z', 8)
    const request = { aggregation: 'weekly', startDate: '2026-03-04', endDate: '2026-03-17' } as const
    expect(await engine.users.metricEventSummary('ann', 'words', request)).toEqual([
      { date: '2026-03-01', total: 3, change: 2 },
      { date: '2026-03-08', total: 3, change: 0 },
      { date: '2026-03-15', total: 7, change: 4 },
    ])
  })

  test('monthly: the first date may lie before startDate, total is at the end, change only inside the range', async () => {
    const engine = await open(game)
    await addAt(engine, '2026-01-10T12:00:00.000Z', 1)
    await addAt(engine, '2026-01-20T12:00:00.000Z', 2)
    await addAt(engine, '2026-03-05T12:00:00.000Z', 4)
    await addAt(engine, '2026-03-20T12:00:00.000Z', 8)
    const request = { aggregation: 'monthly', startDate: '2026-01-15', endDate: '2026-03-10' } as const
    expect(await engine.users.metricEventSummary('ann', 'words', request)).toEqual([
      { date: '2026-01-01', total: 3, change: 2 },
      { date: '2026-02-01', total: 3, change: 0 },
      { date: '2026-03-01', total: 7, change: 4 },
    ])
  })

  test('a range inside one week or month is one item', async () => {
    const engine = await open(game)
    await addAt(engine, '2026-03-11T12:00:00.000Z', 6)
    const range = { startDate: '2026-03-11', endDate: '2026-03-12' }
    expect(await engine.users.metricEventSummary('ann', 'words', { aggregation: 'weekly', ...range })).toEqual([
      { date: '2026-03-09', total: 6, change: 6 },
    ])
    expect(await engine.users.metricEventSummary('ann', 'words', { aggregation: 'monthly', ...range })).toEqual([
      { date: '2026-03-01', total: 6, change: 6 },
    ])
  })

  test("an event counts on the user's local date", async () => {
    const engine = await open(game)
    engine.at('2026-03-01T12:00:00.000Z')
    await engine.users.create({ id: 'ann', tz: 'America/New_York' })
    await addAt(engine, '2026-03-10T03:59:59.999Z', 1)
    await addAt(engine, '2026-03-10T04:00:00.000Z', 2)
    expect(await dailyOf(engine)('2026-03-09', '2026-03-10')).toEqual([
      { date: '2026-03-09', total: 1, change: 1 },
      { date: '2026-03-10', total: 3, change: 2 },
    ])
  })

  test('totals and changes are decimals of 15 digits', async () => {
    const engine = await open(game)
    for (let count = 1; count <= 3; count += 1) await addAt(engine, '2026-03-10T12:00:00.000Z', 0.1)
    await addAt(engine, '2026-03-11T12:00:00.000Z', 0.1)
    await addAt(engine, '2026-03-11T12:00:00.000Z', 0.2)
    expect(await dailyOf(engine)('2026-03-10', '2026-03-11')).toEqual([
      { date: '2026-03-10', total: 0.3, change: 0.3 },
      { date: '2026-03-11', total: 0.6, change: 0.3 },
    ])
  })

  test('section 8: a range of 400 days is accepted and has 401 dates, one of 401 days is refused', async () => {
    const engine = await open(game)
    await add(engine, 'words', 5)
    const summary = dailyOf(engine)

    const items = await summary('2025-02-03', '2026-03-10')
    expect(items).toHaveLength(401)
    expect(items[0]).toEqual({ date: '2025-02-03', total: 0, change: 0 })
    expect(items[400]).toEqual({ date: '2026-03-10', total: 5, change: 5 })
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

  test.each([
    '2024-02-30',
    '2023-02-29',
    '2024-13-01',
    '2024-00-10',
    '2024-2-3',
    '2024-02-03T00:00:00Z',
    ' 2024-02-03',
    '20240203',
    'yesterday',
    '',
    7,
    null,
    undefined,
  ])('%s is no date and refused', async (date) => {
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
