import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, test } from 'vitest'
import { memory } from '../../../adapters/memory/index.ts'
import { sqlite } from '../../../adapters/sqlite/index.ts'
import { type Activity, readActivity } from '../../../examples/open-source/activity.ts'
import { createGamification, defineGame, type Gamification } from '../../../src/index.ts'
import { localDate } from '../../model/dates.ts'

const file =
  process.env.LAURELS_ACTIVITY_CSV ??
  fileURLToPath(new URL('../../../../shared/data/open-source-activity.csv', import.meta.url))
const SOAK = process.env.SOAK !== undefined
const MINUTE = 60_000
const NOW = new Date('2026-09-01T00:00:00Z')

const monthly = {
  rankBy: 'metric',
  metric: 'commits',
  start: '2015-01-01',
  end: '2026-12-31',
  run: { unit: 'month', interval: 1 },
} as const
const game = defineGame({
  metrics: { commits: { name: 'Commits' }, 'lines-added': { name: 'Lines added' } },
  eventAttributes: ['project'],
  leaderboards: {
    all: { ...monthly, name: 'Everybody', maxParticipants: null },
    ten: { ...monthly, name: 'Ten', maxParticipants: 10 },
  },
})

/** Months as `2015-09`. */
const MONTHS = Array.from({ length: 12 * 12 }, (_, index) => {
  return `${2015 + Math.floor(index / 12)}-${String(1 + (index % 12)).padStart(2, '0')}`
})

interface Line {
  readonly userId: string
  readonly value: number
  readonly at: number
}

/** The commits of the file, in its order; every third user has no zone. */
async function* commits(): AsyncGenerator<Activity> {
  for await (const activity of readActivity(file)) {
    if (activity.metric !== 'commits') continue
    const { id } = activity.user
    yield Number(id.slice(-1)) % 3 === 0 ? { ...activity, user: { id } } : activity
  }
}

/** For each month its users, most commits first, then who had them first. */
async function computePlainly(): Promise<ReadonlyMap<string, readonly Line[]>> {
  const months = new Map<string, Map<string, Line>>()
  for await (const { user, value, occurredAt } of commits()) {
    const at = Number(occurredAt)
    const month = localDate(user.tz ?? 'UTC', at).slice(0, 7)
    const users = months.get(month) ?? new Map<string, Line>()
    months.set(month, users)
    const line = users.get(user.id) ?? { userId: user.id, value: 0, at: 0 }
    users.set(user.id, { ...line, value: line.value + value, at: value === 0 ? line.at : Math.max(line.at, at) })
  }
  return new Map(
    [...months].map(([month, users]) => [
      month,
      [...users.values()].sort((a, b) => b.value - a.value || a.at - b.at || (a.userId < b.userId ? -1 : 1)),
    ]),
  )
}

describe.skipIf(!existsSync(file))('Boards of eleven years (needs the file that LAURELS_ACTIVITY_CSV names)', () => {
  let engine: Gamification<typeof game>
  let expected: ReadonlyMap<string, readonly Line[]>

  beforeAll(async () => {
    const storage = SOAK ? sqlite(':memory:') : memory()
    engine = createGamification({ game, storage, clock: () => NOW })
    await engine.migrate()
    expected = await computePlainly()
    const start = performance.now()
    const { recorded, refused } = await engine.import(commits())
    process.stdout.write(`imported with two boards in ${Math.round(performance.now() - start)} ms\n`)
    expect([recorded, refused]).toEqual([21_532, 0])
    return () => engine.close()
  }, 10 * MINUTE)

  test('have in every month who committed in it, by local date', async () => {
    expect(expected.size).toBeGreaterThan(100)
    for (const month of MONTHS) {
      const lines = expected.get(month) ?? []
      const places = lines.map(({ userId, value }, index) => ({ userId, userName: null, rank: index + 1, value }))
      const all = await engine.leaderboards.get('all', { run: `${month}-15`, limit: 1000 })
      expect({ month, start: all.start, rankings: all.rankings }).toEqual({
        month,
        start: `${month}-01`,
        rankings: places,
      })
      const ten = await engine.leaderboards.get('ten', { run: `${month}-01`, limit: 1000 })
      expect({ month, rankings: ten.rankings }).toEqual({ month, rankings: places.slice(0, 10) })
    }
  })

  test('tell every user its own rank', async () => {
    const [busiest] = [...expected].sort(([, left], [, right]) => right.length - left.length)
    const [month, lines] = busiest ?? ['', []]
    for (const [index, { userId, value }] of lines.entries()) {
      const all = await engine.users.leaderboard(userId, 'all', { run: `${month}-01` })
      const ten = await engine.users.leaderboard(userId, 'ten', { run: `${month}-01` })
      const rank = index + 1
      expect([userId, all.value, all.rank, ten.rank]).toEqual([userId, value, rank, rank > 10 ? null : rank])
    }
  })
})
