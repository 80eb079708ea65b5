import { afterEach, describe, expect, test } from 'vitest'
import { createGamification, defineGame } from '../../src/index.ts'
import { loadLog } from '../../src/sql/log.ts'
import { loadUser } from '../../src/sql/read-user.ts'
import type { Storage } from '../../src/storage/storage.ts'
import { NOON, STORAGES } from '../support/engine.ts'
import { extendStorage } from '../support/extend-storage.ts'

const game = defineGame({
  metrics: { words: { name: 'Words' } },
  achievements: { writer: { name: 'Writer', trigger: 'metric', metric: 'words', value: 20 } },
  points: { xp: { name: 'XP', triggers: [{ type: 'metric', metric: 'words', threshold: 10, points: 1 }] } },
  leaderboards: { all: { name: 'All', rankBy: 'metric', metric: 'words', start: '2026-01-01' } },
} as const)

const YESTERDAY = new Date(Date.parse(NOON) - 86_400_000)
type Engine = ReturnType<typeof createGamification<typeof game>>
const opened: Engine[] = []

afterEach(async () => {
  for (const engine of opened.splice(0)) await engine.close()
})

interface Busy {
  readonly engine: Engine
  readonly storage: Storage
  /** How often somebody else writes to ann just before a save of this engine: every time until then. */
  writes: number
  holds: number
  /** True if the user is deleted just before the next transaction. */
  isToBeDeleted: boolean
  /** True if the next save in a transaction finds an outdated view, as after a newer game. */
  isViewOver: boolean
  /** How many events somebody else writes just before the next hold. */
  beforeHold: number
  /** The action of another process at that moment. */
  onHold: ((other: Engine) => Promise<unknown>) | null
  now: number
}

/** Each save comes after one of somebody else. */
async function openBusy(storage: Storage): Promise<Busy> {
  const clock = () => new Date(busy.now)
  const busy: Omit<Busy, 'engine' | 'storage'> = {
    writes: 0,
    holds: 0,
    isToBeDeleted: false,
    isViewOver: false,
    beforeHold: 0,
    onHold: null,
    now: Date.parse(NOON),
  }
  const other = createGamification({ game, storage, clock })
  const write = () => other.metrics.event('words', { user: { id: 'ann' }, value: 1 })
  const follow: Storage = extendStorage(storage, (storage) => ({
    commit: async (requests, decide) => {
      if (busy.writes > 0) {
        busy.writes -= 1
        await write()
      }
      return storage.commit(requests, decide)
    },
    transaction: async (work) => {
      busy.holds += 1
      if (busy.isToBeDeleted) await other.users.delete('ann')
      busy.isToBeDeleted = false
      for (; busy.beforeHold > 0; busy.beforeHold -= 1) await write()
      const { onHold } = busy
      busy.onHold = null
      await onHold?.(other)
      return storage.transaction((held) =>
        work({
          ...held,
          save: (...save) => {
            if (!busy.isViewOver) return held.save(...save)
            busy.isViewOver = false
            return null
          },
        }),
      )
    },
  }))
  const engine = createGamification({ game, storage: follow, clock })
  opened.push(engine)
  await engine.migrate()
  await engine.metrics.event('words', { user: { id: 'ann' }, value: 1 })
  return Object.assign(busy, { engine, storage })
}

describe.each(STORAGES)('While others write to a user without a pause, on $name', ({ create }) => {
  test('a late event is recorded, and answers what it did', async () => {
    const busy = await openBusy(create())
    busy.writes = 1_000
    const late = { user: { id: 'ann' }, value: 20, occurredAt: YESTERDAY, idempotencyKey: 'late' }
    const answer = await busy.engine.metrics.event('words', late)
    const others = 1_000 - busy.writes
    // As an event that is not late.
    expect(others).toBe(1)
    expect(busy.holds).toBe(1)
    expect(answer).toMatchObject({
      total: 21 + others,
      achievements: [{ key: 'writer' }],
      points: { xp: { added: 2 } },
    })
    busy.writes = 0
    expect(await busy.engine.metrics.event('words', late)).toMatchObject({ idempotentReplayed: true })
    expect(await busy.engine.metrics.event('words', { user: { id: 'ann' }, value: 1 })).toMatchObject({ total: 23 })
    expect((await busy.engine.verify()).drift).toEqual([])
  })

  test('several late events and a void are each recorded once', async () => {
    const busy = await openBusy(create())
    const { eventId } = await busy.engine.metrics.event('words', { user: { id: 'ann' }, value: 5 })
    busy.writes = 1_000
    const add = (hours: number) => {
      const occurredAt = new Date(YESTERDAY.getTime() + hours * 3_600_000)
      return busy.engine.metrics.event('words', { user: { id: 'ann' }, value: 1, occurredAt })
    }
    const [answers, voided] = await Promise.all([Promise.all([1, 2, 3, 4].map(add)), busy.engine.events.void(eventId)])
    expect(new Set(answers.map((answer) => answer.eventId)).size).toBe(4)
    expect(voided).toMatchObject({ eventId, alreadyVoided: false })
    const others = 1_000 - busy.writes
    busy.writes = 0
    expect(await busy.engine.users.allMetrics('ann')).toMatchObject([{ current: 1 + 4 + others }])
    expect((await busy.engine.verify()).drift).toEqual([])
  })

  test('many late events of a user who is deleted while they wait are those of a new one', async () => {
    const busy = await openBusy(create())
    await busy.engine.metrics.event('words', { user: { id: 'ann' }, value: 50 })
    busy.writes = 1
    busy.isToBeDeleted = true
    const add = (minutes: number) => {
      const occurredAt = new Date(YESTERDAY.getTime() + minutes * 60_000)
      return busy.engine.metrics.event('words', { user: { id: 'ann' }, value: 1, occurredAt })
    }
    await Promise.all([0, 1, 2, 3].map(add))
    expect(busy.isToBeDeleted).toBe(false)
    expect(await busy.engine.users.allMetrics('ann')).toMatchObject([{ current: 4 }])
    expect((await busy.engine.users.get('ann')).created).toBe(YESTERDAY.toISOString())
    expect((await busy.engine.verify()).drift).toEqual([])
  })

  test('a late event has its place in the log before those that others wrote just before they had to wait', async () => {
    const busy = await openBusy(create())
    busy.writes = 1
    busy.beforeHold = 4
    const late = { user: { id: 'ann' }, value: 10, occurredAt: YESTERDAY }
    expect(await busy.engine.metrics.event('words', late)).toMatchObject({ total: 16, points: { xp: { added: 1 } } })
    expect(busy).toMatchObject({ writes: 0, holds: 1 })
    const log = await loadLog(busy.storage, { tenant: '', user: 'ann' })
    expect(log.map(({ seq }) => seq)).toEqual([7, 1, 2, 3, 4, 5, 6])
    const { awards } = await loadUser(busy.storage, { tenant: '', user: 'ann' }, { awards: {} })
    expect(awards.map(({ seq, at }) => [seq, at])).toEqual([[7, YESTERDAY.getTime()]])
    expect((await busy.engine.verify()).drift).toEqual([])
  })

  test('a late event that somebody else has recorded meanwhile under its key is recorded once', async () => {
    const busy = await openBusy(create())
    const late = { user: { id: 'ann' }, value: 10, occurredAt: YESTERDAY, idempotencyKey: 'late' }
    busy.writes = 1
    const { occurredAt, ...now } = late
    busy.onHold = (other) => other.metrics.event('words', now)
    const answer = await busy.engine.metrics.event('words', late)
    expect(answer).toMatchObject({ total: 12, idempotentReplayed: true })
    expect(busy).toMatchObject({ writes: 0, onHold: null })
    expect((await busy.engine.verify()).drift).toEqual([])
  })

  test('an event that is late only by what somebody else has written meanwhile has its place', async () => {
    const busy = await openBusy(create())
    const at = (minutes: number) => new Date(Date.parse(NOON) + minutes * 60_000)
    const add = (engine: Engine, value: number, occurredAt: Date) =>
      engine.metrics.event('words', { user: { id: 'ann' }, value, occurredAt })
    busy.now = at(60).getTime()
    busy.writes = 2
    // Both come while the first late event is folded, so they are folded together.
    let waiting: Promise<{ readonly eventId: string }[]> = Promise.resolve([])
    busy.onHold = async () => {
      busy.now = at(90).getTime()
      waiting = Promise.all([add(busy.engine, 8, YESTERDAY), add(busy.engine, 16, at(70))])
      for (let turns = 0; turns < 5; turns += 1) await new Promise((resolve) => setImmediate(resolve))
      busy.onHold = (other) => add(other, 4, at(80))
    }
    await add(busy.engine, 2, YESTERDAY)
    const [late, inTime] = await waiting
    expect(busy.onHold).toBeNull()
    // The two are folded together again, and not each alone.
    expect(busy.holds).toBe(2)
    const log = await loadLog(busy.storage, { tenant: '', user: 'ann' })
    expect(log.slice(-2)).toMatchObject([
      { id: inTime?.eventId, at: at(70).getTime() },
      { at: at(80).getTime(), value: 4 },
    ])
    expect(log.some(({ id }) => id === late?.eventId)).toBe(true)
    expect((await busy.engine.verify()).drift).toEqual([])
  })

  test('an event in time that comes while a late one is folded answers what it did itself', async () => {
    const busy = await openBusy(create())
    const add = (value: number, rest = {}) =>
      busy.engine.metrics.event('words', { user: { id: 'ann' }, value, ...rest })
    let waiting: Promise<unknown[]> = Promise.resolve([])
    busy.onHold = async () => {
      waiting = Promise.all([add(9, { occurredAt: YESTERDAY }), add(20)])
      for (let turns = 0; turns < 5; turns += 1) await new Promise((resolve) => setImmediate(resolve))
    }
    await add(1, { occurredAt: YESTERDAY })
    const [late, inTime] = await waiting
    expect(late).toMatchObject({ total: 11, points: { xp: { added: 1, total: 1 } } })
    expect(inTime).toMatchObject({ total: 31, points: { xp: { added: 2, total: 3 } } })
  })

  test.each(['recompute', 'grant'] as const)('a game is put in force for the user by %s', async (policy) => {
    const busy = await openBusy(create())
    await busy.engine.metrics.event('words', { user: { id: 'ann' }, value: 50 })
    const next = defineGame({
      metrics: { words: { name: 'Words' } },
      points: { xp: { name: 'XP', triggers: [{ type: 'metric', metric: 'words', threshold: 10, points: 3 }] } },
    })
    busy.writes = 1_000
    busy.isViewOver = true
    expect(await busy.engine.apply(next, { policy })).toMatchObject({ users: 1, changed: 1 })
    const words = 51 + (1_000 - busy.writes)
    busy.writes = 0
    expect(await busy.engine.users.points('ann', 'xp')).toMatchObject({ total: Math.floor(words / 10) * 3 })
    expect((await busy.engine.verify()).drift).toEqual([])
  })

  test('what is refused is refused, and nothing of it is stored', async () => {
    const busy = await openBusy(create())
    await busy.engine.metrics.event('words', { user: { id: 'ann' }, value: 9e14 })
    busy.writes = 1_000
    const late = { user: { id: 'ann' }, value: 9e14, occurredAt: YESTERDAY }
    await expect(busy.engine.metrics.event('words', late)).rejects.toMatchObject({ code: 'total_out_of_range' })
    busy.writes = 0
    expect((await busy.engine.verify()).drift).toEqual([])
  })
})
