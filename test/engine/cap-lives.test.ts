// Random games with caps, cooldowns and time triggers, and random lives in them: whatever comes, a fold gives what is stored.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { memory } from '../../adapters/memory/index.ts'
import { postgres } from '../../adapters/postgres/index.ts'
import { sqlite } from '../../adapters/sqlite/index.ts'
import type { GameDefinition, Storage } from '../../src/index.ts'
import { databaseUrl, useEmptySchemas } from '../support/postgres.ts'
import { SOAK, seedOfRun } from '../support/zones.ts'
import { type Life, lives, USERS } from './random-lives.ts'
import { openWorld } from './user-lives.ts'

const SEED = seedOfRun()
const RUNS = Number(process.env.HISTORIES ?? (SOAK ? 1_000 : 8))
const nextSchema = useEmptySchemas()

const PLACES: { readonly [name: string]: () => Storage } = {
  memory,
  sqlite: () => sqlite(':memory:'),
  postgres: () => postgres(databaseUrl(), { schema: nextSchema() }),
}

const cap = fc.record({
  points: fc.integer({ min: 1, max: 12 }),
  per: fc.constantFrom('day' as const, 'week' as const, 'month' as const, 'ever' as const),
})
const metric = fc.constantFrom('reads', 'writes')
const paying = fc
  .record(
    {
      metric,
      threshold: fc.constantFrom(1, 2, 0.5),
      points: fc.integer({ min: 1, max: 6 }),
      cap,
      cooldown: fc.record({ minutes: fc.constantFrom(1, 90, 60 * 30) }),
      exempt: fc.boolean(),
    },
    { requiredKeys: ['metric', 'threshold', 'points'] },
  )
  .map(({ cap: own, ...trigger }) => ({
    type: 'metric' as const,
    ...trigger,
    ...(own === undefined ? {} : { cap: { ...own, points: Math.max(own.points, trigger.points) } }),
  }))
const taking = metric.map((key) => ({ type: 'metric' as const, metric: key, threshold: 2, points: -3 }))
type Every =
  | { readonly hours: number; readonly days?: undefined }
  | { readonly days: number; readonly hours?: undefined }
const every: fc.Arbitrary<Every> = fc.oneof(
  fc.record({ hours: fc.constantFrom(1, 5, 6, 24) }),
  fc.record({ days: fc.constantFrom(1, 2, 7) }),
)
const timed = fc
  .record(
    {
      every,
      points: fc.constantFrom(-4, -1, 1, 3),
      userAttributes: fc.constant({ plan: 'pro' }),
    },
    { requiredKeys: ['every', 'points'] },
  )
  .map((trigger) => ({ type: 'time' as const, ...trigger }))

const systems = fc.record(
  {
    name: fc.constant('Held'),
    maxPoints: fc.integer({ min: 5, max: 40 }),
    cap,
    triggers: fc.array(fc.oneof({ weight: 3, arbitrary: paying }, taking, { weight: 2, arbitrary: timed }), {
      minLength: 2,
      maxLength: 5,
    }),
  },
  { requiredKeys: ['name', 'triggers'] },
)

function withSystem(life: Life, held: NonNullable<GameDefinition['points']>[string]): Life {
  const { definition } = life
  return { ...life, definition: { ...definition, points: { ...definition.points, held } } }
}

const cases = fc.tuple(lives(SOAK ? 40 : 24), systems).map(([life, held]) => withSystem(life, held))

describe.each(Object.entries(PLACES))('Random lives under caps and time, on %s', (_, create) => {
  test(`leave nothing that their logs do not say (seed ${SEED})`, async () => {
    await fc.assert(
      fc.asyncProperty(cases, async (life) => {
        const storage = create()
        const world = await openWorld(storage, life)
        try {
          for (const [index, deed] of life.deeds.entries()) await world.play(deed, index)
          expect(await world.engine.verify()).toMatchObject({ drift: [] })
          for (const user of USERS) {
            const { state } = await storage.readUser({ tenant: '', user })
            const most = life.definition.points?.held?.maxPoints ?? Number.POSITIVE_INFINITY
            const total = state?.points.get('held')?.total ?? 0
            expect(total >= 0 && total <= most).toBe(true)
            for (const sums of state?.caps.values() ?? []) expect(sums.length).toBeLessThanOrEqual(3)
          }
        } finally {
          await world.engine.close()
        }
      }),
      { numRuns: RUNS, seed: SEED },
    )
  })
})
