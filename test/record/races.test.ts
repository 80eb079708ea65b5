// @heavy: It takes more than three seconds.
// Concurrent calls. The clock stays at 2026-03-10T12:00:00Z unless a test says otherwise.

import { describe, expect, test } from 'vitest'
import { memory } from '../../adapters/memory/index.ts'
import { GamificationError } from '../../src/errors.ts'
import { defineGame } from '../../src/game/define-game.ts'
import { loadGames } from '../../src/sql/games.ts'
import { loadCounters } from '../../src/sql/queries.ts'
import { loadUserKeys } from '../../src/sql/user-lists.ts'
import type { Storage } from '../../src/storage/storage.ts'
import { extendStorage } from '../support/extend-storage.ts'
import { wholeLog } from '../support/fold.ts'
import { codesOf, times, useEngines, useFiles } from '../support/places.ts'
import { raceDefinition, raceGame } from '../support/race-game.ts'

const NOON = '2026-03-10T12:00:00.000Z'
const make = useFiles()
const start = useEngines(NOON)

const game = raceGame

const changedGame = defineGame({
  ...raceDefinition,
  achievements: {
    ...raceDefinition.achievements,
    twice: { name: 'Twice', trigger: 'metric', metric: 'words', value: 200 },
  },
  points: { xp: { name: 'XP', triggers: [{ type: 'metric', metric: 'words', threshold: 10, points: 1000 }] } },
})

interface Listener {
  on(name: 'achievement.completed', handler: (event: { achievement: { key: string } }) => void): unknown
}

/** The number of events for each achievement's completion, by key. */
function countCompletions(...engines: readonly Listener[]): { readonly [key: string]: number } {
  const counts: { [key: string]: number } = {}
  for (const engine of engines) {
    engine.on('achievement.completed', ({ achievement: { key } }) => {
      counts[key] = (counts[key] ?? 0) + 1
    })
  }
  return counts
}

const aMoment = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 5))

async function eventsOf(storage: Storage, user: string) {
  const log = await wholeLog(storage, { tenant: '', user })
  return log.filter((entry) => entry.kind === 'eventRecorded')
}

describe('In a file of SQLite', () => {
  describe('one idempotency key', () => {
    test('sent 32 times at once is one new event and 31 replays of it', async () => {
      const storage = make()()
      const engine = await start(game, storage)
      const answers = await Promise.all(
        times(32, (index) =>
          engine.metrics.event('words', { user: { id: 'ann' }, value: 5 + index, idempotencyKey: 'once' }),
        ),
      )
      expect(answers.filter(({ idempotentReplayed }) => idempotentReplayed === false)).toHaveLength(1)
      expect(answers.filter(({ idempotentReplayed }) => idempotentReplayed === true)).toHaveLength(31)
      expect(new Set(answers.map(({ eventId }) => eventId)).size).toBe(1)
      expect(new Set(answers.map(({ total }) => total))).toEqual(new Set([5]))
      expect(await eventsOf(storage, 'ann')).toHaveLength(1)
      const replay = answers.find(({ idempotentReplayed }) => idempotentReplayed === true)
      expect(replay).toMatchObject({ achievements: [], points: {}, leaderboards: {}, idempotencyKey: 'once' })
      expect(replay?.currentStreak).toMatchObject({ length: 1, extended: false })
    })

    test('raced by four engines is new to exactly one of them', async () => {
      const open = make()
      const engines = await Promise.all(times(4, () => start(game, open())))
      const answers = await Promise.all(
        times(64, (index) =>
          engines[index % 4]!.metrics.event('words', { user: { id: 'ann' }, value: 5, idempotencyKey: 'once' }),
        ),
      )
      expect(answers.filter(({ idempotentReplayed }) => idempotentReplayed === false)).toHaveLength(1)
      expect(new Set(answers.map(({ eventId }) => eventId)).size).toBe(1)
      expect((await engines[0]!.users.singleMetric('ann', 'words')).current).toBe(5)
    })
  })

  describe('many events of one user', () => {
    test('320 at once are all counted, and nothing is completed or awarded twice', async () => {
      const storage = make()()
      const engine = await start(game, storage)
      const told = countCompletions(engine)
      const answers = await Promise.all(
        times(320, () => engine.metrics.event('words', { user: { id: 'ann' }, value: 1 })),
      )
      expect(answers.map(({ total }) => total).sort((a, b) => a - b)).toEqual(times(320, (index) => index + 1))
      expect(new Set(answers.map(({ eventId }) => eventId)).size).toBe(320)
      expect(await eventsOf(storage, 'ann')).toHaveLength(320)
      expect(told).toEqual({ first: 1, hundred: 1, 'three-hundred': 1 })
      const answered = answers.flatMap(({ achievements }) => achievements.map(({ key }) => key))
      expect(answered.sort()).toEqual(['first', 'hundred', 'three-hundred'])

      // 7 for the user, 32 times 5 for ten words each, 100 for the achievement.
      const points = await engine.users.points('ann', 'xp', { awards: 100 })
      expect(points.total).toBe(267)
      expect(points.awards).toHaveLength(34)
      expect(new Set(points.awards.map(({ id }) => id)).size).toBe(34)
      expect(points.awards.reduce((sum, { awarded }) => sum + awarded, 0)).toBe(267)
      expect(answers.reduce((sum, answer) => sum + (answer.points.xp?.added ?? 0), 0)).toBe(267)
      expect(answers.filter(({ currentStreak }) => currentStreak.extended)).toHaveLength(1)
      expect(points.level?.key).toBe('silver')
    })
  })

  describe('users nobody knew', () => {
    test('raced by two engines are created once each, with all their events', async () => {
      const open = make()
      const storage = open()
      const engines = [await start(game, storage), await start(game, open())]
      const told = countCompletions(...engines)
      let created = 0
      for (const engine of engines) {
        engine.on('user.created', () => {
          created += 1
        })
      }
      await Promise.all(
        times(512, (index) =>
          engines[index % 2]!.metrics.event('words', {
            user: { id: `user-${index % 64}`, tz: 'Asia/Tokyo' },
            value: 1,
          }),
        ),
      )
      expect(created).toBe(64)
      expect(told).toEqual({ first: 64 })
      const totals = await Promise.all(times(64, (index) => engines[0]!.users.singleMetric(`user-${index}`, 'words')))
      expect(totals.map(({ current }) => current)).toEqual(times(64, () => 8))
      const points = await Promise.all(times(64, (index) => engines[0]!.users.points(`user-${index}`, 'xp')))
      expect(points.map(({ total }) => total)).toEqual(times(64, () => 7))
      expect(await loadCounters(storage, '')).toContainEqual({ kind: 'users', key: '', count: 64 })
      const first = (await engines[1]!.achievements.all()).find(({ key }) => key === 'first')
      expect(first).toMatchObject({ completions: 64, rarity: 100 })
    })
  })

  describe('a game changed by another engine in the middle of traffic', () => {
    test('counts for both from then on; the old engine decides under it and does not flap', async () => {
      const open = make()
      const storage = open()
      const warnings: string[] = []
      const logger = { warn: (_: object, message: string) => void warnings.push(message), error: () => undefined }
      const old = await start(game, storage, { logger })
      const send = (engine: { metrics: typeof old.metrics }, id: string) =>
        engine.metrics.event('words', { user: { id }, value: 1 })
      await Promise.all(times(100, () => send(old, 'ann')))

      const before = times(50, () => send(old, 'ann'))
      const starting = start(changedGame, open())
      const meanwhile = times(50, () => send(old, 'ann'))
      const young = await starting
      const after = times(100, (index) => send(index % 2 === 0 ? old : young, 'ann'))
      await Promise.all([...before, ...meanwhile, ...after])

      expect((await old.users.singleMetric('ann', 'words')).current).toBe(300)
      expect((await loadGames(storage)).map(({ epoch, fingerprint }) => [epoch, fingerprint])).toEqual([
        [1, game.fingerprint],
        [2, changedGame.fingerprint],
      ])
      const epochs = (await eventsOf(storage, 'ann')).map(({ epoch }) => epoch)
      expect(epochs).toHaveLength(300)
      expect(epochs.toSorted((a, b) => a - b)).toEqual(epochs)

      // Ten more words through the old engine pay what the new game says.
      const { total } = await old.users.points('ann', 'xp')
      await Promise.all(times(10, () => send(old, 'ann')))
      expect((await young.users.points('ann', 'xp')).total).toBe(total + 1000)
      expect((await old.users.achievements('ann')).map(({ key }) => key)).toEqual([
        'first',
        'hundred',
        'three-hundred',
        'twice',
      ])
      expect(warnings).not.toEqual([])
      await start(game, open())
      await send(old, 'ann')
      expect(await loadGames(storage)).toHaveLength(2)
    })

    test('is stored once by eight engines that bring it at once', async () => {
      const open = make()
      await start(game, open())
      const engines = await Promise.all(times(8, () => start(changedGame, open())))
      await Promise.all(engines.map((engine) => engine.metrics.event('words', { user: { id: 'ann' }, value: 10 })))
      expect((await loadGames(open())).map(({ epoch }) => epoch)).toEqual([1, 2])
      expect((await engines[0]!.users.points('ann', 'xp')).total).toBe(8000)
    })
  })

  describe('closing in the middle of traffic', () => {
    test('lets finish what was sent, late events too, and refuses what comes after', async () => {
      const open = make()
      const engine = await start(game, open())
      await engine.metrics.event('words', { user: { id: 'ann' }, value: 1 })
      const sent = times(100, (index) =>
        engine.metrics.event('words', {
          user: { id: 'ann' },
          value: 1,
          ...(index % 5 === 0 ? { occurredAt: new Date('2026-03-09T12:00:00Z') } : {}),
        }),
      )
      await Promise.all([engine.close(), engine.close()])
      expect(await codesOf(sent)).toEqual(times(100, () => 'ok'))
      expect(await codesOf([engine.metrics.event('words', { user: { id: 'ann' }, value: 1 })])).toEqual(['closed'])
      expect(await codesOf([engine.users.get('ann')])).toEqual(['closed'])
    })
  })
})

describe('In one batch', () => {
  test('entries that are refused leave their neighbours alone, and each caller gets its own answer', async () => {
    const engine = await start(game, memory())
    const send = (id: string, value: number, more: object = {}) =>
      engine.metrics.event('words', { user: { id, ...more }, value })
    expect(
      await codesOf([
        send('ann', 1),
        send('ann', 2e15),
        send('bob', 1),
        send('bob', 1, { attributes: { shoe: '44' } }),
        send('ann', 1),
        send('cid', 1e15),
        send('cid', 10),
        send('ann', 1, { subscribedToEmails: true }),
        engine.achievements.complete('both' as 'joined', { user: { id: 'ann' } }),
        engine.metrics.event('paces' as 'words', { user: { id: 'ann' }, value: 1 }),
        send('ann', 1),
      ]),
    ).toEqual([
      'ok',
      'value_out_of_range',
      'ok',
      'unknown_attribute',
      'ok',
      'ok',
      'total_out_of_range',
      'email_required',
      'unknown_achievement',
      'unknown_metric',
      'ok',
    ])
    const totals = await Promise.all(['ann', 'bob', 'cid'].map((id) => engine.users.singleMetric(id, 'words')))
    expect(totals.map(({ current }) => current)).toEqual([3, 1, 1e15])
  })

  test.each(['before the save', 'while deciding'])(
    'a storage that throws %s for one user fails that user alone',
    async (when) => {
      const inner = memory()
      const boom = new Error('boom')
      const storage: Storage = extendStorage(inner, (inner) => ({
        commit: (requests, decide) => {
          const isBad = requests.some(({ user }) => user === 'bad')
          if (when === 'before the save' && isBad) return Promise.reject(boom)
          return inner.commit(requests, (users, epoch) => {
            const saves = decide(users, epoch)
            if (isBad) throw boom
            return saves
          })
        },
      }))
      const engine = await start(game, storage)
      const told = countCompletions(engine)
      const users = times(63, (index) => `user-${index}`)
      users.splice(37, 0, 'bad')
      const outcomes = await Promise.allSettled(
        users.map((id) => engine.metrics.event('words', { user: { id }, value: 3 })),
      )
      outcomes.forEach((outcome, index) => {
        if (users[index] === 'bad') expect(outcome).toMatchObject({ reason: { code: 'internal', cause: boom } })
        else
          expect(outcome).toMatchObject({ status: 'fulfilled', value: { total: 3, achievements: [{ key: 'first' }] } })
      })
      expect(told).toEqual({ first: 63 })
      expect(await loadCounters(storage, '')).toContainEqual({ kind: 'users', key: '', count: 63 })
      expect(await codesOf([engine.users.get('bad')])).toEqual(['unknown_user'])
    },
  )

  test('a save that was stored although the storage threw is not stored a second time', async () => {
    const inner = memory()
    let failures = 2
    const storage: Storage = extendStorage(inner, (inner) => ({
      commit: async (requests, decide) => {
        const failed = await inner.commit(requests, decide)
        failures -= 1
        if (failures >= 0) throw new Error('the connection was lost')
        return failed
      },
    }))
    const engine = await start(game, storage)
    await codesOf(times(16, (index) => engine.metrics.event('words', { user: { id: `user-${index % 4}` }, value: 1 })))
    const logs = await Promise.all(times(4, (index) => eventsOf(storage, `user-${index}`)))
    expect(logs.map((log) => log.length)).toEqual([4, 4, 4, 4])
  })

  test('users that a storage could not store are told so, and the others of their batch are stored', async () => {
    const inner = memory()
    const storage: Storage = extendStorage(inner, (inner) => ({
      commit: async (requests, decide) => {
        const isBad = ({ user }: { readonly user: string }): boolean => user === 'bad'
        const error = new GamificationError('internal', 'A constraint was violated.')
        if (requests.every(isBad) && requests.length > 0) throw error
        const failed = requests.filter(isBad).map(({ tenant, user }) => ({ tenant, user, error }))
        const report = await inner.commit(requests, (users, epoch) =>
          decide(users, epoch).map((save, index) => (isBad(requests[index] ?? { user: '' }) ? null : save)),
        )
        return { ...report, failures: failed }
      },
      // The bad user's commands are tried again, apart from the others.
      transaction: () => Promise.reject(new GamificationError('internal', 'A constraint was violated.')),
    }))
    const engine = await start(game, storage)
    const told = countCompletions(engine)
    const users = ['good', 'bad', 'good', 'bad', 'other']
    const send = (id: string) => engine.metrics.event('words', { user: { id }, value: 1 })
    expect(await codesOf(users.map(send))).toEqual(['ok', 'internal', 'ok', 'internal', 'ok'])
    expect(await loadCounters(storage, '')).toContainEqual({ kind: 'users', key: '', count: 2 })
    expect((await eventsOf(storage, 'good')).length).toBe(2)
    expect(told).toEqual({ first: 2 })
  })

  test('a storage that is unavailable once costs those callers their call, and nobody a key', async () => {
    const inner = memory()
    let failures = 0
    const storage: Storage = extendStorage(inner, (inner) => ({
      commit: async (requests, decide) => {
        failures -= 1
        if (failures >= 0) throw new GamificationError('unavailable', 'Not now.')
        return inner.commit(requests, decide)
      },
    }))
    const engine = await start(game, storage)
    const told = countCompletions(engine)
    const send = () =>
      times(8, (index) =>
        engine.metrics.event('words', { user: { id: 'ann' }, value: 1, idempotencyKey: `key-${index}` }),
      )
    failures = 1
    expect(await codesOf(send())).toEqual(times(8, () => 'unavailable'))
    expect(told).toEqual({})
    expect(await loadUserKeys(inner)).toEqual([])
    const answers = await Promise.all(send())
    expect(answers.map(({ idempotentReplayed }) => idempotentReplayed)).toEqual(times(8, () => false))
    expect(told).toEqual({ first: 1 })
    expect((await engine.users.singleMetric('ann', 'words')).current).toBe(8)
  })
})

describe('A host that is not careful', () => {
  test('may change what it sent while the call is under way', async () => {
    const engine = await start(game, memory())
    const request = {
      user: { id: 'ann', name: 'Ann', deviceTokens: ['one'], attributes: { a0: 'before' } },
      value: 1,
      idempotencyKey: 'k',
      occurredAt: new Date('2026-03-09T12:00:00Z'),
    }
    const sent = engine.metrics.event('words', request)
    request.user.id = 'bob'
    request.user.name = 'Bob'
    request.user.deviceTokens.push('two')
    request.user.attributes.a0 = 'after'
    request.value = 100
    request.idempotencyKey = 'l'
    request.occurredAt.setTime(0)
    expect(await sent).toMatchObject({ total: 1, idempotencyKey: 'k', currentStreak: { started: '2026-03-09' } })
    const ann = { name: 'Ann', deviceTokens: ['one'], attributes: { a0: 'before' } }
    expect(await engine.users.get('ann')).toMatchObject(ann)
    expect(await codesOf([engine.users.get('bob')])).toEqual(['unknown_user'])
  })

  test('may change what it was answered', async () => {
    const engine = await start(game, memory())
    const answer = await engine.metrics.event('words', { user: { id: 'ann', attributes: { a0: 'x' } }, value: 20 })
    const user = await engine.users.get('ann')
    const points = await engine.users.points('ann', 'xp')
    for (const each of [answer, user, user.attributes, points, points.awards[0]!, ...answer.achievements]) {
      for (const key of Object.keys(each)) Reflect.set(each, key, 'spoilt')
    }
    expect((await engine.users.get('ann')).attributes).toEqual({ a0: 'x' })
    expect(await engine.users.points('ann', 'xp')).toMatchObject({
      total: 17,
      awards: [{ awarded: 10 }, { awarded: 7 }],
    })
    expect((await engine.achievements.all())[0]).toMatchObject({ key: 'first', completions: 1 })
    expect((await engine.metrics.event('words', { user: { id: 'ann' }, value: 1 })).total).toBe(21)
  })
})

describe('While a log is folded again', () => {
  const LATE = { user: { id: 'ann' }, value: 1, occurredAt: new Date('2026-03-09T12:00:00Z') }

  /** A storage whose next lock waits until it is let go. */
  function gated() {
    const inner = memory()
    let opened = (): void => undefined
    let reached = (): void => undefined
    let gate: Promise<void> | null = null
    const storage: Storage = extendStorage(inner, (inner) => ({
      transaction: async (work) => {
        const waiting = gate
        gate = null
        reached()
        if (waiting !== null) await waiting
        return inner.transaction(work)
      },
    }))
    /** Resolves once a user is about to be locked. */
    const shut = (): Promise<void> => {
      gate = new Promise((resolve) => {
        opened = resolve
      })
      return new Promise((resolve) => {
        reached = resolve
      })
    }
    return { storage, shut, open: () => opened() }
  }

  test.each([
    ['a live event', {}],
    ['a late event', { occurredAt: LATE.occurredAt }],
  ])('%s with a used key is a replay though its total would leave the bounds', async (_, more) => {
    const { storage, shut, open } = gated()
    const engine = await start(game, storage)
    const request = { user: { id: 'ann' }, value: 9e14, idempotencyKey: 'k' }
    const first = await engine.metrics.event('words', request)
    const reading = shut()
    const late = engine.metrics.event('words', LATE)
    await reading
    const again = engine.metrics.event('words', { ...request, ...more })
    await aMoment()
    open()
    await late
    expect(await again).toMatchObject({ eventId: first.eventId, idempotentReplayed: true, total: 900_000_000_000_001 })
  })

  test.each([
    ['is unavailable', new GamificationError('unavailable', 'Not now.'), 'unavailable'],
    ['fails as nobody foresaw', new Error('boom'), 'internal'],
  ])('a storage that %s costs only those who wait for the fold', async (_, error, code) => {
    const inner = memory()
    let failures = 0
    const storage: Storage = extendStorage(inner, (inner) => ({
      transaction: async (work) => {
        failures -= 1
        if (failures >= 0) throw error
        return inner.transaction(work)
      },
    }))
    const engine = await start(game, storage)
    await engine.metrics.event('words', { user: { id: 'ann' }, value: 1 })
    failures = 1
    const late = engine.metrics.event('words', LATE)
    const live = engine.metrics.event('words', { user: { id: 'bob' }, value: 1 })
    expect(await codesOf([late, live])).toEqual([code, 'ok'])
    expect((await engine.metrics.event('words', LATE)).total).toBe(2)
    expect((await engine.metrics.event('words', { user: { id: 'ann' }, value: 1 })).total).toBe(3)
  })
})
