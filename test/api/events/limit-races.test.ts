// Many callers at once, in one process and in two, and every order of a day's events.

import { beforeAll, describe, expect, test } from 'vitest'
import { defineGame } from '../../../src/game/define-game.ts'
import { compiled, runCompiled } from '../../support/compiled.ts'
import { codeOf } from '../../support/engine.ts'
import { codesOf, times, useAllPlaces, useEngines } from '../../support/places.ts'
import { databaseUrl, useEmptySchemas } from '../../support/postgres.ts'
import { useDatabaseFiles } from '../../support/sqlite-files.ts'

const definition = {
  metrics: {
    steps: { name: 'Steps', limits: [{ value: 100, per: { days: 1 }, then: 'refuse' }] },
    words: { name: 'Words', limits: [{ value: 100, per: { days: 2 }, then: 'hold' }] },
  },
} as const
const game = defineGame(definition)
const start = useEngines('2026-03-10T12:00:00.000Z')
const places = useAllPlaces()
const nextFile = useDatabaseFiles()
const nextSchema = useEmptySchemas()

describe.each(places)('32 callers at once, each on two engines, on $name', ({ make }) => {
  test('add exactly what a day allows, and are refused the rest', async () => {
    const open = make()
    const engines = [await start(game, open()), await start(game, open())]
    const calls = engines.flatMap((engine) =>
      times(32, () => engine.metrics.event('steps', { user: { id: 'ann' }, value: 7 })),
    )
    const codes = await codesOf(calls)
    expect(codes.filter((code) => code === 'ok')).toHaveLength(14)
    expect(codes.filter((code) => code === 'limit_exceeded')).toHaveLength(50)
    const [engine] = engines
    expect((await engine?.users.singleMetric('ann', 'steps'))?.current).toBe(98)
    expect(await engine?.verify()).toMatchObject({ drift: [] })
  })

  test('add exactly what each day allows where they send late events too', async () => {
    const open = make()
    const engines = [await start(game, open()), await start(game, open())]
    await engines[0]?.metrics.event('steps', { user: { id: 'ann' }, value: 10 })
    const dates = ['2026-03-08', '2026-03-09', '2026-03-10']
    const codes = await codesOf(
      engines.flatMap((engine) =>
        times(32, (index) => {
          const occurredAt = new Date(`${dates[index % 3]}T0${index % 9}:00:00Z`)
          return engine.metrics.event('steps', { user: { id: 'ann' }, value: 30, occurredAt })
        }),
      ),
    )
    expect(codes.filter((code) => code === 'ok')).toHaveLength(9)
    expect(codes.filter((code) => code === 'limit_exceeded')).toHaveLength(55)
    const range = { aggregation: 'daily', startDate: '2026-03-08', endDate: '2026-03-10' } as const
    const days = await engines[1]?.users.metricEventSummary('ann', 'steps', range)
    expect(days?.map(({ change }) => change)).toEqual([90, 90, 100])
  })

  test('have held what exceeds two days, and nothing of it is lost', async () => {
    const open = make()
    const engines = [await start(game, open()), await start(game, open())]
    const answers = await Promise.all(
      engines.flatMap((engine, which) =>
        times(32, (index) => {
          const occurredAt = new Date(`2026-03-${index % 2 === 0 ? '09' : '10'}T0${index % 9}:00:00Z`)
          const idempotencyKey = `${which} ${index}`.replace(' ', '-')
          return engine.metrics.event('words', { user: { id: 'ann' }, value: 9, occurredAt, idempotencyKey })
        }),
      ),
    )
    expect(answers.filter(({ held }) => held !== true)).toHaveLength(11)
    const [engine] = engines
    const held = await engine?.events.held({ user: 'ann' })
    expect(held).toHaveLength(53)
    expect((await engine?.users.singleMetric('ann', 'words'))?.current).toBe(99)
    // All approved at once, by both.
    await Promise.all(engines.flatMap((each) => (held ?? []).map(({ eventId }) => each.events.approve(eventId))))
    expect((await engine?.users.singleMetric('ann', 'words'))?.current).toBe(576)
    expect(await engine?.verify()).toMatchObject({ drift: [] })
  })
})

const SCRIPT = `
  import { createGamification } from './src/gamification.js'
  import { defineGame } from './src/game/define-game.js'
  import { sqlite } from './adapters/sqlite/index.js'
  import { postgres } from './adapters/postgres/index.js'
  const { definition, file, url, schema, startAt } = JSON.parse(process.argv[1])
  const storage = file === undefined ? postgres(url, { schema }) : sqlite(file, { synchronous: 'NORMAL' })
  const clock = () => new Date('2026-03-10T12:00:00.000Z')
  const engine = createGamification({ game: defineGame(definition), storage, clock })
  await engine.migrate()
  await new Promise((resolve) => setTimeout(resolve, startAt - Date.now()))
  const codes = {}
  async function call(caller) {
    for (let round = 0; round < 8; round += 1) {
      const occurredAt = new Date(Date.UTC(2026, 2, 8 + ((caller + round) % 3), round))
      const code = await engine.metrics.event('steps', { user: { id: 'ann' }, value: 3, occurredAt }).then(
        () => 'ok',
        (error) => error.code,
      )
      codes[code] = (codes[code] ?? 0) + 1
    }
  }
  await Promise.all(Array.from({ length: 32 }, (_, caller) => call(caller)))
  await engine.close()
  console.log(JSON.stringify(codes))
`

describe('32 callers in each of two processes', () => {
  beforeAll(() => void compiled(), 60_000)

  test.each([
    ['SQLite', () => ({ file: nextFile() })],
    ['Postgres', () => ({ url: databaseUrl(), schema: nextSchema() })],
  ])(
    'never exceed a limit of three days’ events, some late, on %s',
    async (_, make) => {
      const place = make()
      const args = JSON.stringify({ definition, ...place, startAt: Date.now() + 1_500 })
      const reports = await Promise.all(times(2, () => runCompiled(SCRIPT, args)))
      const count = (code: string): number =>
        reports.reduce((sum, { stdout }) => sum + (JSON.parse(stdout)[code] ?? 0), 0)
      // 33 events of 3 fit into each of the three days.
      expect([count('ok'), count('limit_exceeded')]).toEqual([99, 413])
    },
    60_000,
  )
})

/** All orders of a list. */
function permutations<T>(items: readonly T[]): readonly (readonly T[])[] {
  if (items.length < 2) return [items]
  return items.flatMap((first, place) => permutations(items.toSpliced(place, 1)).map((rest) => [first, ...rest]))
}

describe.each(places)('Every order of a day’s events, on $name', ({ name, make }) => {
  test('never exceeds the limit, and refuses nothing that fits', async () => {
    const events = [
      { hour: '01', value: 50 },
      { hour: '06', value: 40 },
      { hour: '11', value: 30 },
      { hour: '16', value: 20 },
      { hour: '21', value: 10 },
    ]
    const orders = permutations(events).filter((_, index) => name === 'memory' || index % 12 === 0)
    const engine = await start(game, make()())
    for (const [index, order] of orders.entries()) {
      const id = `user-${index}`
      // It is the day after, of which nothing counts.
      await engine.metrics.event('steps', { user: { id }, value: 99 })
      let added = 0
      for (const { hour, value } of order) {
        const occurredAt = new Date(`2026-03-09T${hour}:00:00Z`)
        const code = await codeOf(engine.metrics.event('steps', { user: { id }, value, occurredAt }))
        expect([index, code]).toEqual([index, added + value <= 100 ? 'accepted' : 'limit_exceeded'])
        if (code === 'accepted') added += value
      }
      expect((await engine.users.singleMetric(id, 'steps')).current).toBe(99 + added)
    }
    expect(await engine.verify()).toMatchObject({ drift: [] })
  }, 60_000)
})
