// Metrics that count the different values of an event attribute: each value counts once, at its first event.

import Database from 'better-sqlite3'
import { describe, expect, test } from 'vitest'
import { memory } from '../../adapters/memory/index.ts'
import { sqlite } from '../../adapters/sqlite/index.ts'
import { createGamification, defineGame } from '../../src/index.ts'
import { add, codeOf, type Engine, onEachStorage, openOn } from '../support/engine.ts'
import { keepSnapshotsEvery } from '../support/snapshots.ts'
import { createRandom, SOAK, seedOfRun } from '../support/zones.ts'

const SEED = seedOfRun()

const definition = {
  metrics: { cities: { name: 'Cities', aggregation: 'distinct', of: 'city' }, words: { name: 'Words' } },
  eventAttributes: ['city', 'country'],
  achievements: {
    three: { name: 'Three cities', trigger: 'metric', metric: 'cities', value: 3 },
    italy: { name: 'Two in Italy', trigger: 'metric', metric: 'cities', value: 2, eventAttributes: { country: 'it' } },
  },
  points: { xp: { name: 'XP', triggers: [{ type: 'metric', metric: 'cities', threshold: 2, points: 10 }] } },
  streak: { frequency: 'daily', metrics: { cities: { threshold: 2 } } },
  streaks: { any: { frequency: 'daily', metrics: { cities: {} } } },
  leaderboards: {
    days: { name: 'Days', rankBy: 'metric', metric: 'cities', start: '2026-03-01', run: { unit: 'day' } },
  },
} as const

const on = (day: number, hour = 9) =>
  new Date(`2026-03-${String(day).padStart(2, '0')}T${String(hour).padStart(2, '0')}:00:00.000Z`)
const visit = (engine: Engine, city: string, occurredAt?: Date, user = 'ann') =>
  engine.metrics.event('cities', {
    ...{ user: { id: user }, value: 1, attributes: { city } },
    ...(occurredAt === undefined ? {} : { occurredAt }),
  })
const totalOf = async (engine: Engine, user = 'ann') => (await engine.users.singleMetric(user, 'cities')).current
const driftOf = async (engine: Engine) => (await engine.verify()).drift

onEachStorage('A metric that counts cities', (open) => {
  test('counts each city once, also if several events are recorded together', async () => {
    const engine = await open(definition)
    const answers = await Promise.all(['Rome', 'Oslo', 'Rome', 'Bern', 'Oslo'].map((city) => visit(engine, city)))
    expect(answers.map(({ total }) => total)).toEqual([1, 2, 2, 3, 3])
    expect(answers.map(({ achievements }) => achievements.map(({ key }) => key))).toEqual([[], [], [], ['three'], []])
    const again = await Promise.all([visit(engine, 'Rome'), visit(engine, 'Kyiv')])
    expect(again.map(({ total, points }) => [total, points.xp?.added])).toEqual([
      [3, undefined],
      [4, 10],
    ])
    expect(await totalOf(engine)).toBe(4)
    expect(await driftOf(engine)).toEqual([])
  })

  test('gives the city to an earlier event, with its date', async () => {
    const engine = await open(definition)
    await visit(engine, 'Rome', on(9))
    await visit(engine, 'Oslo', on(9, 10))
    expect(await engine.users.streak('ann')).toMatchObject({ length: 1 })
    const board = async (day: number) =>
      (await engine.leaderboards.get('days', { run: `2026-03-0${day}` })).rankings.map(({ value }) => value)
    expect(await board(9)).toEqual([2])
    expect((await visit(engine, 'Rome', on(8))).total).toBe(2)
    expect(await engine.users.streak('ann')).toMatchObject({ length: 0 })
    expect([await board(8), await board(9)]).toEqual([[1], [1]])
    // Any event keeps a streak without a threshold.
    expect(await engine.users.streak('ann', { streak: 'any' })).toMatchObject({ length: 2 })
    expect(await driftOf(engine)).toEqual([])
  })

  test('gives the city of a voided event to the next one', async () => {
    const engine = await open(definition)
    const { eventId } = await visit(engine, 'Rome', on(8))
    const { eventId: second } = await visit(engine, 'Rome', on(9))
    expect((await engine.events.void(eventId)).total).toBe(1)
    expect((await engine.events.void(second)).total).toBe(0)
    expect((await visit(engine, 'Rome')).total).toBe(1)
    expect(await driftOf(engine)).toEqual([])
  })

  test('counts the cities of two merged users together', async () => {
    const engine = await open(definition)
    await visit(engine, 'Rome', on(9), 'guest')
    await visit(engine, 'Oslo', on(7), 'guest')
    await visit(engine, 'Rome', on(8))
    await visit(engine, 'Bern', on(8, 10))
    await engine.users.merge({ from: 'guest', into: 'ann' })
    expect(await totalOf(engine)).toBe(3)
    expect((await visit(engine, 'Oslo')).total).toBe(3)
    expect((await visit(engine, 'Kyiv', on(1), 'guest')).total).toBe(4)
    expect(await driftOf(engine)).toEqual([])
  })

  test('is the same after an export and an import, and forgets a deleted user', async () => {
    const engine = await open(definition)
    for (const city of ['Rome', 'Oslo', 'Rome']) await visit(engine, city)
    const lines: string[] = []
    for await (const line of engine.export()) lines.push(line)
    await engine.users.delete('ann')
    expect((await visit(engine, 'Rome')).total).toBe(1)
    await engine.users.delete('ann')
    await engine.import(lines)
    expect(await totalOf(engine)).toBe(2)
    expect((await visit(engine, 'Oslo')).total).toBe(2)
    expect(await driftOf(engine)).toEqual([])
  })

  test('is summed up by the first visits', async () => {
    const engine = await open(definition)
    for (const [city, day] of [
      ['Rome', 8],
      ['Oslo', 8],
      ['Rome', 9],
      ['Bern', 10],
    ] as const) {
      await visit(engine, city, on(day))
    }
    const range = { aggregation: 'daily', startDate: '2026-03-08', endDate: '2026-03-10' } as const
    expect(await engine.users.metricEventSummary('ann', 'cities', range)).toEqual([
      { date: '2026-03-08', total: 2, change: 2 },
      { date: '2026-03-09', total: 2, change: 0 },
      { date: '2026-03-10', total: 3, change: 1 },
    ])
    expect((await engine.users.wrapped('ann')).activity.entireYear.metrics.cities).toMatchObject({ currentTotal: 3 })
  })

  test('refuses events without a city, and values other than 1', async () => {
    const engine = await open(definition)
    expect(await codeOf(add(engine, 'cities', 1))).toBe('attribute_required')
    expect(await codeOf(visit(engine, 'x'.repeat(256)))).toBe('attribute_required')
    expect(await codeOf(add(engine, 'cities', 2, { attributes: { city: 'Rome' } }))).toBe('value_out_of_range')
    await expect(add(engine, 'cities', 1)).rejects.toThrow(
      'The metric "cities" counts the different values of "city": send the attribute, with at most 255 characters.',
    )
  })

  test('begins again when a newer game counts something else, or recomputes the whole log', async () => {
    for (const policy of ['forward', 'recompute'] as const) {
      const engine = await open(definition)
      for (const [city, country] of [
        ['Rome', 'it'],
        ['Pisa', 'it'],
        ['Oslo', 'no'],
      ] as const) {
        await add(engine, 'cities', 1, { attributes: { city, country } })
      }
      const countries = {
        ...definition,
        metrics: { ...definition.metrics, cities: { ...definition.metrics.cities, of: 'country' } },
      } as const
      await engine.apply(defineGame(countries), { policy })
      const next = await engine.redefine(countries)
      const { total } = await add(next, 'cities', 1, { attributes: { city: 'Rome', country: 'it' } })
      expect(total).toBe(policy === 'forward' ? 1 : 2)
      expect(await driftOf(next)).toEqual([])
    }
  })
})

test('An achievement with a filter counts the cities whose first event matches', async () => {
  const engine = await openOn(memory(), { now: '2026-03-10T12:00:00.000Z' }, definition)
  const events = [
    ['Rome', 'it'],
    ['Oslo', 'no'],
    ['Rome', 'it'],
    ['Pisa', 'it'],
  ] as const
  const completed: string[][] = []
  for (const [city, country] of events) {
    const { achievements } = await add(engine, 'cities', 1, { attributes: { city, country } })
    completed.push(achievements.map(({ key }) => key))
  }
  expect(completed).toEqual([[], [], [], ['three', 'italy']])
  const explained = await engine.explain('ann', { achievement: 'three' })
  expect(explained.holds).toBe(true)
  const trial = await engine.metrics.event(
    'cities',
    { user: { id: 'ann' }, value: 1, attributes: { city: 'Bern' } },
    { dryRun: true },
  )
  expect(trial.total).toBe(4)
  expect(await totalOf(engine)).toBe(3)
  await engine.close()
})

test('A held event that is approved under a game that counts values brings its value only if it is new', async () => {
  const held = {
    metrics: { cities: { name: 'Cities', limits: [{ value: 1, per: { days: 1 }, then: 'hold' }] } },
    eventAttributes: ['city', 'country'],
  } as const
  const engine = await openOn(memory(), { now: '2026-03-10T12:00:00.000Z' }, held)
  await visit(engine, 'Rome')
  const ids = [(await visit(engine, 'Rome')).eventId, (await visit(engine, 'Oslo')).eventId]
  await engine.apply(defineGame(definition), { policy: 'recompute' })
  const next = await engine.redefine(definition)
  const totals: number[] = []
  for (const id of ids) totals.push((await next.events.approve(id)).total)
  expect(totals).toEqual([1, 2])
  expect(await driftOf(next)).toEqual([])
  await engine.close()
})

test('verify names an event whose mark is wrong', async () => {
  const database = new Database(':memory:')
  const engine = createGamification({ game: defineGame(definition), storage: sqlite(database) })
  await engine.migrate()
  for (const city of ['Rome', 'Rome']) {
    await engine.metrics.event('cities', { user: { id: 'ann' }, value: 1, attributes: { city } })
  }
  expect((await engine.verify()).damaged).toEqual([])
  database.exec("update laurels_log set new_value = 'city=Rome' where seq = 2")
  expect((await engine.verify()).damaged).toMatchObject([
    {
      user: 'ann',
      message: expect.stringContaining("The row with seq 2 of the user's log is wrong about whether its value is new."),
    },
  ])
  await engine.close()
  database.close()
})

describe('With a snapshot after every second entry', () => {
  keepSnapshotsEvery(2)

  test(`late events and voids count each city at its first event (seed ${SEED})`, async () => {
    const random = createRandom(SEED)
    const below = (most: number): number => Math.floor(random() * most)
    for (let life = 0; life < (SOAK ? 500 : 12); life += 1) {
      const engine = await openOn(memory(), { now: '2026-03-30T12:00:00.000Z' }, definition)
      let events: readonly { readonly id: string; readonly city: string }[] = []
      for (let index = 0; index < 24; index += 1) {
        if (events.length > 0 && below(5) === 0) {
          const { id } = events[below(events.length)] ?? { id: '' }
          await engine.events.void(id)
          events = events.filter((event) => event.id !== id)
        } else if (below(4) === 0) {
          await add(engine, 'words', 1, { occurredAt: on(1 + below(28)) })
        } else {
          const wanted = Array.from({ length: 1 + below(3) }, () => [`city-${below(4)}`, on(1 + below(28))] as const)
          const answers = await Promise.all(wanted.map(([city, at]) => visit(engine, city, at)))
          events = [...events, ...answers.map(({ eventId: id }, place) => ({ id, city: wanted[place]?.[0] ?? '' }))]
        }
        const cities = new Set(events.map(({ city }) => city)).size
        if (events.length > 0) expect([life, index, await totalOf(engine)]).toEqual([life, index, cities])
        const report = await engine.verify()
        expect([life, index, report.drift, report.damaged]).toEqual([life, index, [], []])
      }
      await engine.close()
    }
  }, 240_000)
})
