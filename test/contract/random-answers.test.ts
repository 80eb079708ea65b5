// Answers of `/v1` to requests at random have only values that clients of the hosted service know.

import { expect, test } from 'vitest'
import type { GameDefinition } from '../../src/index.ts'
import { openServer } from '../support/http.ts'
import { howMany } from '../support/share.ts'
import { createRandom, seedOfRun } from '../support/zones.ts'

const game: GameDefinition = {
  metrics: { words: { name: 'Words' }, laps: { name: 'Laps' } },
  achievements: {
    writer: { name: 'Writer', trigger: 'metric', metric: 'words', value: 5 },
    both: {
      name: 'Both',
      trigger: 'criteria',
      of: [
        { metric: 'words', value: 1 },
        { metric: 'laps', value: 1 },
      ],
    },
    tour: { name: 'Tour', trigger: 'api' },
    loyal: { name: 'Loyal', trigger: 'anniversary', years: 1 },
    all: { name: 'All', trigger: 'achievement', achievements: ['both'] },
    two: { name: 'Two', trigger: 'streak', length: 2 },
  },
  points: { xp: { name: 'XP', triggers: [{ key: 'w', type: 'metric', metric: 'words', threshold: 2, points: 1 }] } },
  streak: { frequency: 'daily', metrics: { words: {} }, customization: true },
  leaderboards: {
    top: { name: 'Top', rankBy: 'metric', metric: 'words', start: '2026-01-01', run: { unit: 'month', interval: 1 } },
    rich: { name: 'Rich', rankBy: 'points', system: 'xp', start: '2026-01-01' },
  },
}

/** The values that the clients know, by the name of the property. */
const KNOWN: { readonly [property: string]: readonly unknown[] } = {
  trigger: ['metric', 'streak', 'api', 'achievement', 'anniversary'],
  type: ['metric', 'achievement', 'streak', 'time', 'user_creation'],
  status: ['active', 'inactive', 'archived', 'scheduled', 'finished'],
  rankBy: ['points', 'streak', 'metric'],
  runUnit: ['day', 'month', 'year', null],
  frequency: ['daily', 'weekly', 'monthly'],
  evaluationMode: ['OR', 'AND'],
  rounding: ['down', 'up', 'nearest'],
  timeUnit: ['hour', 'day'],
}

/** Laurels' own parts of an answer, which the clients do not read. */
const OWN = new Set(['criteria', 'progress', 'progressed'])

function outside(value: unknown, path = ''): readonly string[] {
  if (Array.isArray(value)) return value.flatMap((item) => outside(item, path))
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, field]) => {
    if (OWN.has(name)) return []
    const isScalar = typeof field !== 'object' || field === null
    const isWrong = isScalar && KNOWN[name] !== undefined && !KNOWN[name].includes(field)
    return [...(isWrong ? [`${path}.${name}: ${field}`] : []), ...outside(field, `${path}.${name}`)]
  })
}

const READS = `/achievements /points/xp /leaderboards /leaderboards/top /leaderboards/rich /streaks/rankings
  /users/ID /users/ID/achievements?includeIncomplete=true /users/ID/points/xp?awards=50 /users/ID/streak
  /users/ID/preferences /users/ID/leaderboards/top /users/ID/metrics /users/ID/wrapped?year=2026`.split(/\s+/)

const SEED = seedOfRun()
const REQUESTS = howMany(200, 600, 2_000)

test(`${REQUESTS} answers have no value that clients do not know (seed ${SEED})`, { timeout: 600_000 }, async () => {
  const random = createRandom(SEED)
  const one = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T
  const server = await openServer({ definition: game })
  const found: string[] = []
  const kinds = new Set<string>()
  let answered = 0
  for (let index = 0; index < REQUESTS; index += 1) {
    const id = one(['ann', 'bob', 'cem'])
    const kind = random()
    const user = { id, signUpDate: one(['2020-02-29', '2025-01-01']) }
    const points = { userId: id, points: one([3, -1]), reason: 'Ticket' }
    if (kind < 0.1) await server.call('POST', '/admin/v1/points/xp/adjust', { body: points })
    const { status, body } =
      kind < 0.4
        ? await server.call('POST', `/v1/metrics/${one(['words', 'laps'])}/event`, { body: { user, value: 1 } })
        : kind < 0.45
          ? await server.call('POST', '/v1/achievements/tour/complete', { body: { user } })
          : await server.call('GET', `/v1${one(READS).replace('ID', id)}`)
    if (status < 300) answered += 1
    for (const [, kind = ''] of JSON.stringify(body).matchAll(/"kind":"(\w+)"/g)) kinds.add(kind)
    found.push(...outside(body, `${status}`))
  }
  await server.close()
  expect([...kinds].sort()).toEqual(['adjustment', 'criteria'])
  expect(answered).toBeGreaterThan(REQUESTS / 2)
  expect(found.filter((each) => each.startsWith('2'))).toEqual([])
})
