import { describe, expect, test } from 'vitest'
import { memory } from '../../adapters/memory/index.ts'
import {
  createGamification,
  defineGame,
  type GameDefinition,
  type GamificationMessage,
  type MessageType,
  type SubscribeOptions,
} from '../../src/index.ts'
import { unchangedSave } from '../../src/record/accept/accept-command.ts'
import { loadMessages } from '../../src/sql/messages.ts'
import { loadUserKeys } from '../../src/sql/user-lists.ts'
import { aroundQuery } from '../support/around-query.ts'
import { add, type Engine, NOON, onEachStorage, openOn } from '../support/engine.ts'
import { extendStorage } from '../support/extend-storage.ts'

const GAME: GameDefinition = {
  metrics: { words: { name: 'Words' } },
  streak: { frequency: 'daily', metrics: { words: {} } },
  leaderboards: { all: { name: 'All', rankBy: 'metric', metric: 'words', start: '2026-03-01' } },
}

async function listen(
  engine: Engine,
  types: readonly MessageType[],
  { name = 'all', ...rest }: Partial<SubscribeOptions<MessageType>> & { readonly name?: string } = {},
): Promise<GamificationMessage[]> {
  const handed: GamificationMessage[] = []
  await engine.subscribe(name, { types, ...rest }, (messages) => {
    handed.push(...messages)
  })
  return handed
}

const said = (messages: readonly GamificationMessage[]) => messages.map(({ type, at }) => [type, at])

onEachStorage('What is told', (open) => {
  test('an event at the end of a log, but before what was told of time, takes that back', async () => {
    const engine = await open(GAME)
    const handed = await listen(engine, ['streak.lost', 'streak.lost.revoked', 'streak.extended'])
    await add(engine, 'words', 1)
    engine.at('2026-03-12T00:00:10.000Z')
    expect(await engine.workOnce()).toMatchObject({ published: 1 })
    await add(engine, 'words', 1, { occurredAt: new Date('2026-03-11T23:59:00.000Z') })
    engine.at('2026-03-13T00:00:10.000Z')
    await engine.workOnce()
    engine.at('2026-03-14T00:00:10.000Z')
    await engine.workOnce()
    expect(said(handed)).toEqual([
      ['streak.lost', '2026-03-12T00:00:00.000Z'],
      ['streak.lost.revoked', '2026-03-12T00:00:00.000Z'],
      ['streak.extended', '2026-03-11T23:59:00.000Z'],
      ['streak.lost', '2026-03-13T00:00:00.000Z'],
    ])
    expect(handed.at(-1)?.data).toMatchObject({ length: 2 })
  })

  test('of a user who is deleted nothing is handed over any more', async () => {
    const engine = await open(GAME)
    const handed = await listen(engine, ['user.created'])
    await add(engine, 'words', 1)
    await engine.users.create({ id: 'bob' })
    await engine.users.delete('ann', { keep: 'nothing' })
    await engine.workOnce()
    expect(handed.map(({ userId }) => userId)).toEqual(['bob'])
  })

  test('who is merged has what the other had, and time goes on for one', async () => {
    const engine = await open(GAME)
    const handed = await listen(engine, ['streak.started', 'streak.extended', 'streak.started.revoked', 'streak.lost'])
    await engine.metrics.event('words', { user: { id: 'bob' }, value: 1 })
    engine.at('2026-03-11T12:00:00.000Z')
    await add(engine, 'words', 1)
    await engine.users.merge({ from: 'bob', into: 'ann' })
    engine.at('2026-03-20T12:00:00.000Z')
    await engine.workOnce()
    expect(handed.map(({ userId, type, at }) => [userId, type, at])).toEqual([
      ['bob', 'streak.started', NOON],
      ['ann', 'streak.started', '2026-03-11T12:00:00.000Z'],
      ['ann', 'streak.started.revoked', '2026-03-11T12:00:00.000Z'],
      ['ann', 'streak.started', NOON],
      ['ann', 'streak.extended', '2026-03-11T12:00:00.000Z'],
      ['ann', 'streak.lost', '2026-03-13T00:00:00.000Z'],
    ])
  })
})

describe('In one process', () => {
  test('a subscription to what never happens does not keep the messages of others', async () => {
    const storage = memory()
    const engine = await openOn(storage, { now: NOON }, GAME)
    await listen(engine, ['user.created'])
    const rare = await listen(engine, ['streak.lost'], { name: 'rare' })
    for (let index = 0; index < 1_001; index += 1) await engine.users.create({ id: `user-${index}` })
    expect(await engine.workOnce()).toMatchObject({ handled: 1_001 })
    engine.at('2026-03-17T12:00:00.001Z')
    // A process removes what is old when it begins.
    const other = await engine.redefine(GAME)
    await other.workOnce()
    expect(await loadMessages(storage, { after: 0, limit: 1 })).toEqual([])
    await add(engine, 'words', 1)
    engine.at('2026-03-20T12:00:00.000Z')
    await engine.workOnce()
    expect(said(rare)).toEqual([['streak.lost', '2026-03-19T00:00:00.000Z']])
  })

  test('a history goes on without whoever is deleted while it is handed over', async () => {
    const storage = memory()
    const clock = { now: NOON }
    const engine = await openOn(storage, clock, GAME)
    const ids = Array.from({ length: 30 }, (_, index) => `user-${index + 10}`)
    for (const id of ids) await engine.users.create({ id })
    const going = new Set(['user-12', 'user-29', 'user-35'])
    const deletesFirst = aroundQuery(
      (storage) => loadMessages(storage, { after: 0, types: [], limit: 1 }),
      async (run) => {
        for (const id of going) await engine.users.delete(id, { keep: 'nothing' })
        going.clear()
        return run()
      },
    )
    const other = await openOn(extendStorage(storage, deletesFirst), clock, GAME)
    const handed = await listen(other, ['user.created'], { from: 'start' })
    await other.workOnce()
    await engine.users.create({ id: 'user-12' })
    await other.workOnce()
    const left = ids.filter((id) => !['user-12', 'user-29', 'user-35'].includes(id))
    expect(handed.map(({ userId }) => userId)).toEqual([...left, 'user-12'])
    expect(await other.subscriptions.list()).toMatchObject([{ isCatchingUp: false, behind: 0 }])
  })

  test('a user whom nothing can be told of keeps no other from what time brings', async () => {
    const storage = memory()
    const clock = { now: NOON }
    const engine = await openOn(storage, clock, GAME)
    const commit: typeof storage.commit = (requests, decide) => {
      if (requests.some(({ user }) => user === 'bob')) return Promise.reject(new Error('The row is broken.'))
      return storage.commit(requests, decide)
    }
    const logged: unknown[] = []
    const other = createGamification({
      game: defineGame(GAME),
      storage: extendStorage(storage, () => ({ commit })),
      clock: () => new Date(clock.now),
      logger: { warn: () => undefined, error: (details) => logged.push(details) },
    })
    const handed: (string | null)[] = []
    await other.subscribe('all', { types: ['streak.lost'] }, (messages) => {
      handed.push(...messages.map(({ userId }) => userId))
    })
    for (const id of ['ann', 'bob', 'cid', 'dan']) await engine.metrics.event('words', { user: { id }, value: 1 })
    clock.now = '2026-03-20T12:00:00.000Z'
    expect(await other.workOnce()).toMatchObject({ published: 3, handled: 3 })
    expect(handed.sort()).toEqual(['ann', 'cid', 'dan'])
    expect(logged).toContainEqual({ tenant: '', user: 'bob', err: new Error('The row is broken.') })
    // Repairing the row publishes the message.
    await engine.workOnce()
    await other.workOnce()
    expect(handed).toEqual(['ann', 'cid', 'dan', 'bob'])
  })

  test('work ends with its signal, however many are still to be gone through', async () => {
    const storage = memory()
    const clock = { now: NOON }
    const engine = await openOn(storage, clock, GAME)
    for (let index = 0; index < 300; index += 1) await engine.users.create({ id: `user-${index}` })
    const ending = new AbortController()
    let pages = 0
    const counting = aroundQuery(
      (storage) => loadUserKeys(storage),
      (run) => {
        pages += 1
        if (pages === 2) ending.abort()
        return run()
      },
    )
    const other = await openOn(extendStorage(storage, counting), clock, GAME)
    await listen(other, ['streak.lost'])
    await other.work({ signal: ending.signal })
    expect(pages).toBe(2)
    await other.workOnce()
    expect(pages).toBe(5)
  })

  test('when something is due is compared with the log, and mended', async () => {
    const storage = memory()
    const engine = await openOn(storage, { now: NOON }, GAME)
    const handed = await listen(engine, ['streak.lost'])
    await add(engine, 'words', 1)
    const key = { tenant: '', user: 'ann' }
    await storage.commit([{ ...key, lookups: [] }], ([user]) =>
      user?.state == null || user.notices === null
        ? [null]
        : [{ ...unchangedSave(user.state), notices: { ...user.notices, due: null } }],
    )
    const due = Date.parse('2026-03-12T00:00:00.000Z')
    const drift = [{ table: 'users', key, stored: { next_notice_at: null }, expected: { next_notice_at: due } }]
    expect(await engine.verify()).toMatchObject({ drift })
    expect(await engine.rebuild()).toMatchObject({ drift })
    expect(await engine.verify()).toMatchObject({ drift: [] })
    engine.at('2026-03-20T13:00:00.000Z')
    await engine.workOnce()
    expect(said(handed)).toEqual([['streak.lost', '2026-03-12T00:00:00.000Z']])
  })
})
