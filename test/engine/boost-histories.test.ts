import { expect, test } from 'vitest'
import { createGamification, type DefinedGame, defineGame, type Gamification, type Storage } from '../../src/index.ts'
import { STORAGES } from '../support/engine.ts'

/*
 * Random lives under boosts that come, change and go, each lived twice: once every event is told when it happens, once many
 * are told days later, in another order and some of them by another process. Both come to the same.
 */

const game = defineGame({
  metrics: { words: { name: 'Words' } },
  userAttributes: ['plan'],
  points: {
    xp: {
      name: 'XP',
      triggers: [
        { type: 'metric', metric: 'words', threshold: 1, points: 7 },
        { type: 'metric', metric: 'words', threshold: 1, points: 3, userAttributes: { plan: 'pro' } },
        { type: 'metric', metric: 'words', threshold: 1, points: -1 },
      ],
      boosts: {
        week: { name: 'Week', start: '2026-03-09', end: '2026-03-12', multiplier: 1.5, rounding: 'nearest' },
        pros: { name: 'Pros', start: '2026-03-11', multiplier: 1.3, rounding: 'up', userAttributes: { plan: 'pro' } },
      },
    },
  },
})

const START = Date.parse('2026-03-08T00:00:00Z')
const HOUR = 3_600_000

type Act =
  | { readonly type: 'event'; readonly user: string; readonly delay: number; readonly key: string }
  | { readonly type: 'give'; readonly user: string | null; readonly boost: object }
  | { readonly type: 'change'; readonly pick: number; readonly update: object }
  | { readonly type: 'delete'; readonly pick: number }
  | { readonly type: 'user'; readonly user: string; readonly update: object }

interface Timed {
  readonly at: number
  readonly act: Act
}

/** A small generator, the same on every run. */
function randomOf(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

function pick<T>(random: (below: number) => number, items: readonly [T, ...T[]]): T {
  return items[random(items.length)] ?? items[0]
}

const USERS = ['ann', 'bob'] as const

function makeLife(seed: number, length: number): readonly Timed[] {
  const random = randomOf(seed)
  const boost = (): object => ({
    name: `B${random(100)}`,
    start: `2026-03-${String(7 + random(6)).padStart(2, '0')}`,
    end: pick(random, [null, '2026-03-13', '2026-03-15']),
    multiplier: pick(random, [2, 1.5, 0.3, 1.01, 3.33, 0.125]),
    rounding: pick(random, ['down', 'up', 'nearest']),
  })
  return Array.from({ length }, (_, index): Timed => {
    const at = START + index * 3 * HOUR + random(3 * HOUR)
    const user = pick(random, USERS)
    const kind = random(20)
    if (kind < 12)
      return { at, act: { type: 'event', user, delay: pick(random, [0, 0, 5, 30, 80]) * HOUR, key: `e${index}` } }
    if (kind < 14) return { at, act: { type: 'give', user: null, boost: boost() } }
    if (kind < 16) return { at, act: { type: 'give', user, boost: boost() } }
    if (kind < 17)
      return { at, act: { type: 'change', pick: random(1_000), update: { multiplier: 4.04, rounding: 'up' } } }
    if (kind < 18) return { at, act: { type: 'delete', pick: random(1_000) } }
    const update = pick(random, [
      { attributes: { plan: 'pro' } },
      { attributes: { plan: 'free' } },
      { tz: 'Asia/Tokyo' },
    ])
    return { at, act: { type: 'user', user, update } }
  })
}

/** Lives it on a storage; `delays`: whether what is told late is. Answers both totals, and how many boosts multiplied awards. */
async function live(storage: Storage, life: readonly Timed[], delays: boolean): Promise<readonly number[]> {
  let now = START - HOUR
  const open = (): Gamification<DefinedGame> =>
    createGamification<DefinedGame>({ game, storage, clock: () => new Date(now) })
  const processes = [open(), open()] as const
  await processes[0].migrate()
  for (const id of USERS) await processes[0].users.create({ id })
  const given: string[] = []
  const told = life
    .map((timed) => ({ ...timed, when: timed.at + (delays && timed.act.type === 'event' ? timed.act.delay : 0) }))
    .sort((a, b) => a.when - b.when)
  for (const [index, { at, act, when }] of told.entries()) {
    now = when
    const { metrics, users, admin } = processes[index % 2 === 0 ? 0 : 1]
    const { boosts } = admin.points
    const id = given[act.type === 'change' || act.type === 'delete' ? act.pick % Math.max(1, given.length) : 0]
    if (act.type === 'event') {
      const occurredAt = when === at ? {} : { occurredAt: new Date(at) }
      await metrics.event('words', { user: { id: act.user }, value: 1, idempotencyKey: act.key, ...occurredAt })
    } else if (act.type === 'user') await users.update(act.user, act.update)
    else if (act.type === 'give') {
      const { created } = await boosts.create('xp', [
        { ...(act.boost as { name: string; start: string; multiplier: number }), userId: act.user },
      ])
      given.push(...created.map((boost) => boost.id))
    } else if (id !== undefined && act.type === 'change') await boosts.update('xp', [{ id, ...act.update }])
    else if (id !== undefined && act.type === 'delete') await boosts.delete('xp', [id])
  }
  now += HOUR
  const totals: number[] = []
  let boosted = 0
  for (const user of USERS) {
    const { total, awards } = await processes[1].users.points(user, 'xp', { awards: 100 })
    totals.push(total)
    boosted += awards.reduce((sum, { boosts = [] }) => sum + boosts.length, 0)
  }
  expect((await processes[0].verify()).drift).toEqual([])
  await processes[0].close()
  return [...totals, boosted]
}

const SEEDS = { memory: 5, sqlite: 3, postgres: 1 }

test('lives told late come to the same as those told at once, on every storage, and verify finds nothing', async () => {
  const reached: number[] = []
  for (let seed = 1; seed <= SEEDS.memory; seed += 1) {
    const life = makeLife(seed, 60)
    const results: (readonly number[])[] = []
    for (const { name, create } of STORAGES) {
      if (seed > (SEEDS[name as keyof typeof SEEDS] ?? 0)) continue
      results.push(await live(create(), life, false), await live(create(), life, true))
    }
    for (const result of results) expect({ seed, result }).toEqual({ seed, result: results[0] })
    reached.push(results[0]?.[2] ?? 0)
  }
  // So that the lives have something to tell apart.
  expect(Math.min(...reached)).toBeGreaterThan(10)
}, 60_000)
