import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { type Activity, readActivity } from '../../examples/open-source/activity.ts'
import {
  type DefinedGame,
  defineGame,
  type GameDefinition,
  type GamificationMessage,
  type Storage,
} from '../../src/index.ts'
import { type Engine, openOn, STORAGES } from '../support/engine.ts'
import { SOAK } from '../support/zones.ts'
import { LIVE, STANDING, standing } from './standing-messages.ts'

// Years of real activity with late events, voids and an `apply`: what was sent, and what is made of it again from the logs.

const file =
  process.env.LAURELS_ACTIVITY_CSV ??
  fileURLToPath(new URL('../../../shared/data/open-source-activity.csv', import.meta.url))
const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
/** Two events each, the oldest of everybody. */
const ROWS = SOAK ? Number.POSITIVE_INFINITY : 500
const SWEPT_EVERY = SOAK ? 400 : 50

const first = {
  metrics: { commits: { name: 'Commits' }, 'lines-added': { name: 'Lines added' } },
  eventAttributes: ['project'],
  achievements: {
    ten: { name: 'Ten', trigger: 'metric', metric: 'commits', value: 10 },
    hundred: { name: 'Hundred', trigger: 'metric', metric: 'commits', value: 100 },
    lines: { name: 'Lines', trigger: 'metric', metric: 'lines-added', value: 1_000, repeat: true },
    'in-a-row': { name: 'In a row', trigger: 'streak', length: 3 },
    both: { name: 'Both', trigger: 'achievement', achievements: ['ten', 'in-a-row'] },
  },
  points: {
    xp: {
      name: 'XP',
      triggers: [
        { key: 'commits', type: 'metric', metric: 'commits', threshold: 1, points: 5 },
        { key: 'lines', type: 'metric', metric: 'lines-added', threshold: 100, points: 1 },
        { key: 'both', type: 'achievement', achievement: 'both', points: 500 },
        { key: 'decay', type: 'time', every: { days: 1 }, points: -1 },
      ],
      levels: {
        newcomer: { name: 'Newcomer', points: 0 },
        contributor: { name: 'Contributor', points: 50 },
        regular: { name: 'Regular', points: 500 },
      },
    },
  },
  streak: {
    frequency: 'daily',
    metrics: { commits: { threshold: 1 } },
    freezes: { initial: 1, max: 2, autoEarn: { interval: 5, amount: 1 } },
  },
} as const satisfies GameDefinition

const second = {
  ...first,
  achievements: {
    ...first.achievements,
    ten: { ...first.achievements.ten, value: 5 },
    thousand: { name: 'Thousand', trigger: 'metric', metric: 'lines-added', value: 500 },
  },
  streak: { frequency: 'daily', metrics: { commits: { threshold: 2 } }, freezes: { initial: 1, max: 3 } },
} as const satisfies GameDefinition

/** In the order of time, whoever did it. */
async function activities(): Promise<readonly Activity[]> {
  const all: Activity[] = []
  for await (const activity of readActivity(file)) all.push(activity)
  return all.sort((left, right) => timeOf(left) - timeOf(right)).slice(0, 2 * ROWS)
}

const timeOf = ({ occurredAt }: Pick<Activity, 'occurredAt'>): number => new Date(occurredAt ?? 0).getTime()

/** Every seventh comes ten events late. */
function withLate(all: readonly Activity[]): readonly Activity[] {
  return all.flatMap((activity, index) => {
    const held = (index - 10) % 7 === 3 ? all[index - 10] : undefined
    return [...(index % 7 === 3 ? [] : [activity]), ...(held === undefined ? [] : [held])]
  })
}

async function listen(engine: Engine, from: 'now' | 'start'): Promise<GamificationMessage[]> {
  const handed: GamificationMessage[] = []
  await engine.subscribe(from, { types: from === 'now' ? LIVE : STANDING, from }, (messages) => {
    handed.push(...messages)
  })
  return handed
}

interface Told {
  readonly live: readonly GamificationMessage[]
  readonly again: readonly GamificationMessage[]
}

/** Plays what was done as it happened, with another game from the middle on; answers what was told then, and of it again. */
async function play(
  create: () => Storage,
  done: readonly Activity[],
  { policy, hasVoids }: { readonly policy: 'grant' | 'recompute'; readonly hasVoids: boolean },
): Promise<Told> {
  let newest = Math.min(...done.map(timeOf))
  const engine = await openOn(create(), { now: new Date(newest - DAY).toISOString() }, first)
  try {
    const live = await listen(engine, 'now')
    const events: string[] = []
    for (const [index, { metric, ...event }] of done.entries()) {
      if (index === Math.floor(done.length / 2)) await engine.apply(defineGame(second) as DefinedGame, { policy })
      newest = Math.max(newest, timeOf(event))
      engine.at(new Date(newest).toISOString())
      events.push((await engine.metrics.event(metric, event)).eventId)
      if (hasVoids && index % 23 === 22) {
        await engine.events.void(events[index - 20] ?? '', { reason: 'Forged', revoke: index % 2 === 0 })
      }
      if (index % SWEPT_EVERY === 0) await engine.workOnce()
    }
    engine.at(new Date(newest + 10 * DAY).toISOString())
    await engine.workOnce()
    const again = await listen(engine, 'start')
    await engine.workOnce()
    expect((await engine.verify()).drift).toEqual([])
    return { live, again }
  } finally {
    await engine.close()
  }
}

const STORED = STORAGES.filter(({ name }) => name !== 'memory')
const timeout = (SOAK ? 120 : 5) * MINUTE

describe.skipIf(!existsSync(file))('What years of activity tell (needs LAURELS_ACTIVITY_CSV)', () => {
  test.each(STORED.flatMap((each) => (['grant', 'recompute'] as const).map((policy) => ({ ...each, policy }))))(
    'with late events and voids, and by another game from the middle on, is told from the start as it stands: $name, $policy',
    { timeout },
    async ({ create, policy }) => {
      const all = await activities()
      const { live, again } = await play(create, withLate(all), { policy, hasVoids: true })
      expect(live.filter(({ type }) => type.endsWith('.revoked')).length).toBeGreaterThan(0)
      expect(again.length).toBeGreaterThan(all.length / 10)
      expect(new Set(again.map(({ id }) => id)).size).toBe(again.length)
      expectSame(standing(again), standing(live))
    },
  )

  test.each(STORED)(
    'as it happens is told from the start byte for byte, in the order for each user: $name',
    { timeout },
    async ({ create }) => {
      const all = await activities()
      const { live, again } = await play(create, all, { policy: 'grant', hasVoids: false })
      expect(again.length).toBeGreaterThan(all.length / 10)
      const byUser = (messages: readonly GamificationMessage[]): readonly string[] =>
        messages
          .toSorted((left, right) => compare(left.userId ?? '', right.userId ?? ''))
          .map((each) => JSON.stringify(each))
      expectSame(byUser(again), byUser(live))
      expect(byUser(again).join('\n') === byUser(live).join('\n')).toBe(true)
    },
  )
})

function compare(left: string, right: string): number {
  if (left === right) return 0
  return left < right ? -1 : 1
}

/** Fails with the first few that differ, not with all. */
function expectSame(actual: readonly string[], expected: readonly string[]): void {
  const [own, other] = [new Set(actual), new Set(expected)]
  const extra = actual.filter((each) => !other.has(each)).slice(0, 5)
  const missing = expected.filter((each) => !own.has(each)).slice(0, 5)
  expect({ extra, missing }).toEqual({ extra: [], missing: [] })
}
