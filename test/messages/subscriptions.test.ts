import { expect, test } from 'vitest'
import type { GameDefinition, GamificationMessage, MessageType } from '../../src/index.ts'
import { add, codeOf, type Engine, NOON, onEachStorage, UUID_5, untyped } from '../support/engine.ts'

const GAME: GameDefinition = {
  metrics: { words: { name: 'Words' } },
  achievements: {
    writer: { name: 'Writer', trigger: 'metric', metric: 'words', value: 100 },
    novelist: { name: 'Novelist', trigger: 'metric', metric: 'words', value: 1_000 },
  },
  streak: { frequency: 'daily', metrics: { words: {} }, freezes: { initial: 1, max: 2 } },
  points: {
    xp: {
      name: 'XP',
      triggers: [{ type: 'metric', metric: 'words', threshold: 10, points: 1 }],
      levels: { one: { name: 'One', points: 10 } },
    },
  },
}

/** All that one subscription is handed. */
async function listen(engine: Engine, types: readonly MessageType[], name = 'all'): Promise<GamificationMessage[]> {
  const handed: GamificationMessage[] = []
  await engine.subscribe(name, { types }, (messages) => {
    handed.push(...messages)
  })
  return handed
}

const typesOf = (messages: readonly GamificationMessage[]): readonly string[] => messages.map(({ type }) => type)

onEachStorage('Subscriptions', (open) => {
  test('a handler is told of an achievement, a user and a streak, in their order', async () => {
    const engine = await open(GAME)
    const handed = await listen(engine, ['user.created', 'achievement.completed', 'streak.started', 'streak.extended'])
    await add(engine, 'words', 120)
    expect(await engine.workOnce()).toEqual({ published: 0, merged: 0, handled: 3, delivered: 0, failed: 0 })
    expect(typesOf(handed)).toEqual(['user.created', 'achievement.completed', 'streak.started'])
    expect(handed[1]).toEqual({
      id: UUID_5,
      type: 'achievement.completed',
      at: NOON,
      tenant: null,
      userId: 'ann',
      data: {
        user: expect.objectContaining({ id: 'ann', created: NOON }),
        achievement: expect.objectContaining({ key: 'writer', achievedAt: NOON }),
      },
    })
    engine.at('2026-03-11T08:00:00.000Z')
    await add(engine, 'words', 1)
    await engine.workOnce()
    expect(typesOf(handed).slice(3)).toEqual(['streak.extended'])
    expect(handed[3]?.data).toMatchObject({ streak: { length: 2, frequency: 'daily' }, user: { id: 'ann' } })
    expect(await engine.workOnce()).toEqual({ published: 0, merged: 0, handled: 0, delivered: 0, failed: 0 })
  })

  test('a handler of the process that records is called at once, and not at the next poll', async () => {
    const engine = await open(GAME)
    const handed = await listen(engine, ['achievement.completed'])
    const ending = new AbortController()
    const working = engine.work({ signal: ending.signal, pollMs: 3_600_000 })
    await add(engine, 'words', 120)
    await expect.poll(() => typesOf(handed), { timeout: 60_000 }).toEqual(['achievement.completed'])
    await add(engine, 'words', 1_000)
    await expect.poll(() => handed.length, { timeout: 60_000 }).toBe(2)
    ending.abort()
    await working
  })

  test('what nobody asked for is not written, and what was before is not told', async () => {
    const engine = await open(GAME)
    await add(engine, 'words', 120)
    const handed = await listen(engine, ['achievement.completed'])
    await add(engine, 'words', 900)
    await engine.workOnce()
    expect(handed.map(({ data }) => data)).toMatchObject([{ achievement: { key: 'novelist' } }])
  })

  test('a missed day is told by the sweeper, once, and by no call', async () => {
    const engine = await open(GAME)
    const handed = await listen(engine, ['streak.lost', 'streak.freeze_consumed'])
    await add(engine, 'words', 1)
    engine.at('2026-03-12T00:30:00.000Z')
    expect(await engine.workOnce()).toMatchObject({ published: 1, handled: 1 })
    engine.at('2026-03-13T00:30:00.000Z')
    expect(await engine.workOnce()).toMatchObject({ published: 1, handled: 1 })
    engine.at('2026-03-14T00:30:00.000Z')
    await add(engine, 'words', 1)
    expect(await engine.workOnce()).toMatchObject({ published: 0, handled: 0 })
    expect(handed.map(({ type, at }) => [type, at])).toEqual([
      ['streak.freeze_consumed', '2026-03-12T00:00:00.000Z'],
      ['streak.lost', '2026-03-13T00:00:00.000Z'],
    ])
    expect(handed.map(({ data }) => data)).toMatchObject([{ consumed: 1, freezes: 0 }, { length: 1 }])
  })

  test('the message of an error is not kept with the subscription, because it can name a user who is deleted', async () => {
    const engine = await open(GAME)
    await engine.subscribe('mailer', { types: ['user.created'] }, (messages) => {
      throw new Error(`Mail to ${messages[0]?.userId}@example.com bounced`)
    })
    await engine.users.create({ id: 'ann' })
    await engine.workOnce()
    expect(await engine.subscriptions.list()).toMatchObject([{ name: 'mailer', attempts: 1, lastError: 'Error' }])
  })

  test('a handler that throws is asked again, one message at a time, and those that fail are put aside', async () => {
    const engine = await open(GAME)
    const sizes: number[] = []
    const taken: string[] = []
    let isMended = false
    await engine.subscribe('mailer', { types: ['user.created'], deadLetterAfter: 2 }, (messages) => {
      sizes.push(messages.length)
      if (!isMended && messages.some(({ userId }) => userId === 'bob')) {
        throw Object.assign(new TypeError('No such address'), { code: 'E_ADDRESS' })
      }
      taken.push(...messages.map(({ userId }) => userId ?? ''))
    })
    for (const id of ['ann', 'bob', 'cid']) await engine.users.create({ id })
    expect(await engine.workOnce()).toMatchObject({ handled: 0, failed: 3 })
    expect(await engine.subscriptions.list()).toMatchObject([
      { name: 'mailer', behind: 3, attempts: 1, lastError: 'TypeError E_ADDRESS', isActive: true, deadLetters: 0 },
    ])
    engine.at('2026-03-10T12:00:02.000Z')
    expect(await engine.workOnce()).toMatchObject({ handled: 1, failed: 1 })
    expect(taken).toEqual(['ann'])
    engine.at('2026-03-10T12:00:05.000Z')
    expect(await engine.workOnce()).toMatchObject({ handled: 1, failed: 1 })
    expect(taken).toEqual(['ann', 'cid'])
    expect(sizes).toEqual([3, 1, 1, 1, 1])
    const { deadLetters } = await engine.subscriptions.deadLetters('mailer')
    expect(deadLetters).toMatchObject([
      {
        message: { userId: 'bob', type: 'user.created' },
        attempts: 2,
        lastError: 'TypeError: No such address',
        isRetried: false,
      },
    ])
    expect(await engine.subscriptions.list()).toMatchObject([{ behind: 0, deadLetters: 1, attempts: 0 }])
    expect(await engine.subscriptions.retry('mailer', { ids: ['unknown'] })).toEqual({ retried: 0 })
    expect(await engine.subscriptions.retry('mailer')).toEqual({ retried: 1 })
    isMended = true
    expect(await engine.workOnce()).toMatchObject({ handled: 1, failed: 0 })
    expect(taken).toEqual(['ann', 'cid', 'bob'])
    expect(await engine.subscriptions.list()).toMatchObject([{ behind: 0, deadLetters: 0 }])
  })

  test('another process goes on where the first has stopped, and not before', async () => {
    const engine = await open(GAME)
    const other = await engine.redefine(GAME)
    const [first, second] = [await listen(engine, ['user.created']), await listen(other, ['user.created'])]
    await engine.users.create({ id: 'ann' })
    await engine.workOnce()
    await other.users.create({ id: 'bob' })
    await other.workOnce()
    expect([first.length, second.length]).toEqual([1, 0])
    // A lease is longer than the deadline of a call, which is a minute in these tests.
    engine.at('2026-03-10T12:01:31.000Z')
    await other.workOnce()
    await engine.workOnce()
    expect([first, second].map((each) => each.map(({ userId }) => userId))).toEqual([['ann'], ['bob']])
  })

  test('from the start, what was before is made again from the logs, and nothing comes twice', async () => {
    const engine = await open(GAME)
    const live = await listen(engine, ['achievement.completed', 'streak.started', 'streak.lost'], 'live')
    await add(engine, 'words', 120)
    engine.at('2026-03-14T12:00:00.000Z')
    await add(engine, 'words', 900)
    await engine.metrics.event('words', { user: { id: 'bob' }, value: 100 })
    await engine.workOnce()
    const again: GamificationMessage[] = []
    const types = ['achievement.completed', 'streak.started', 'streak.lost'] as const
    await engine.subscribe('again', { types, from: 'start' }, (messages) => {
      again.push(...messages)
    })
    await engine.metrics.event('words', { user: { id: 'aaron' }, value: 100 })
    await engine.workOnce()
    expect(again.map(({ id }) => id).sort()).toEqual(live.map(({ id }) => id).sort())
    expect(again.map(({ userId, type }) => `${userId} ${type}`)).toEqual([
      'aaron achievement.completed',
      'aaron streak.started',
      'ann achievement.completed',
      'ann streak.started',
      'ann streak.lost',
      'ann achievement.completed',
      'ann streak.started',
      'bob achievement.completed',
      'bob streak.started',
    ])
    expect(await engine.subscriptions.list()).toMatchObject([{ name: 'again', isCatchingUp: false }, { name: 'live' }])
    await engine.metrics.event('words', { user: { id: 'zoe' }, value: 100 })
    await engine.workOnce()
    expect(again.slice(9).map(({ userId }) => userId)).toEqual(['zoe', 'zoe'])
  })

  test('what is asked for wrongly is refused', async () => {
    const engine = await open(GAME)
    const none = (): void => undefined
    expect(await codeOf(engine.subscribe('', { types: ['user.created'] }, none))).toBe('invalid_request')
    expect(await codeOf(engine.subscribe('webhooks', { types: ['user.created'] }, none))).toBe('invalid_request')
    expect(await codeOf(engine.subscribe('a', { types: [] }, none))).toBe('invalid_request')
    expect(await codeOf(engine.subscribe('a', { types: ['user.created'] }, untyped(3)))).toBe('invalid_request')
    await expect(engine.subscribe('a', { types: [untyped<MessageType>('streak.last')] }, none)).rejects.toThrow(
      "There is no message of the type 'streak.last'; did you mean 'streak.lost'?",
    )
    expect(await codeOf(engine.work({ pollMs: 0 }))).toBe('invalid_request')
  })
})
