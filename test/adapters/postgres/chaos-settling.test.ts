// @heavy: It breaks connections to Postgres.
// Batches that break at a known point: every caller's answer matches the stored rows.

import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { describe, expect, onTestFinished, test } from 'vitest'
import { postgres } from '../../../adapters/postgres/index.ts'
import { loadAdminKeys } from '../../../src/sql/api-keys.ts'
import { addGame, loadGames } from '../../../src/sql/games.ts'
import { loadLog } from '../../../src/sql/log.ts'
import { loadUser, lockAndLoadUser } from '../../../src/sql/read-user.ts'
import { wait } from '../../../src/storage/steps.ts'
import { saveOf } from '../../../src/testing/storage/case.ts'
import { ANN, sampleEvent } from '../../../src/testing/storage/samples.ts'
import { limit } from '../../support/busy-machine.ts'
import { times } from '../../support/places.ts'
import { databaseUrl, useEmptySchemas } from '../../support/postgres.ts'
import { useHookedPool } from './hooked-pool.ts'
import { expectHonestProcesses, isFence, isLoad, isSave } from './processes.ts'
import type { ChooseFate, Fate } from './proxy.ts'
import { codeOf, expectTruth, outcomesOf, tell } from './told.ts'
import { useWorld, type World } from './world.ts'

const nextEmptySchema = useEmptySchemas()

/** The given fates for the first questions that fit, in order; the others pass. */
function first(fits: (question: { text: string }) => boolean, ...fates: Fate[]): ChooseFate {
  return (question) => (fits(question) ? fates.shift() : null) ?? 'passes'
}

function askedOf(world: World, fits: (question: { text: string }) => boolean): number {
  return world.proxy.questions.filter(fits).length
}

describe('a save whose connection breaks', () => {
  test('is stored once when it reaches the server after its fence', async () => {
    const world = await useWorld(nextEmptySchema())
    const engine = await world.open()
    world.proxy.choose(first(isSave, 'sentLate'))
    const calls = [await tell(engine, { user: 'ann' })]
    await world.proxy.quiet()
    expect([askedOf(world, isFence), askedOf(world, isSave)]).toEqual([1, 2])
    expect(world.proxy.questions.filter(isSave).every(({ isDelivered }) => isDelivered)).toBe(true)
    expect(outcomesOf(calls)).toEqual(['stored'])
    await expectTruth(world, calls)
    await expectHonestProcesses(world)
  })

  test('is settled although the fences break as well', async () => {
    const world = await useWorld(nextEmptySchema())
    const engine = await world.open()
    const saves = first(isSave, 'answerLost')
    const fences = first(isFence, 'answerLost', 'neverSent', 'sentLate', 'shutDown', 'halfAnswered')
    world.proxy.choose((question) => (isSave(question) ? saves(question) : fences(question)))
    const calls = await Promise.all([tell(engine, { user: 'ann' }), tell(engine, { user: 'bob' })])
    expect(outcomesOf(calls)).toEqual(['stored', 'stored'])
    await world.proxy.quiet()
    await expectTruth(world, calls)
    await expectHonestProcesses(world)
  })

  test('is never stored once its caller was told that nothing was, even after close()', async () => {
    const world = await useWorld(nextEmptySchema())
    const engine = await world.open({ deadlineMs: 400 })
    const calls = [await tell(engine, { user: 'ann' })]
    let isFenced = false
    world.proxy.choose((question) => {
      if (isSave(question)) return 'held'
      if (isFenced) return 'neverSent'
      isFenced = isFence(question)
      return 'passes'
    })
    calls.push(await tell(engine, { user: 'ann' }))
    expect(outcomesOf(calls)).toEqual(['stored', 'unavailable'])
    world.proxy.choose(() => 'passes')
    await engine.close()
    await world.proxy.deliverHeld()
    await expectTruth(world, calls)
  })

  test('is outcome_unknown when it is known to be stored, but nobody can say for which users', async () => {
    const world = await useWorld(nextEmptySchema())
    const engine = await world.open({ deadlineMs: 500 })
    let isSettled = false
    world.proxy.choose((question) => {
      if (isSave(question)) return 'answerLost'
      if (isSettled) return 'neverSent'
      isSettled = isFence(question)
      return 'passes'
    })
    const calls = await Promise.all([tell(engine, { user: 'ann' }), tell(engine, { user: 'bob' })])
    expect(outcomesOf(calls)).toEqual(['outcome_unknown', 'outcome_unknown'])
    await expectTruth(world, calls)
  })

  test('is unavailable, not unknown, when no connection was had to send it over', async () => {
    const world = await useWorld(nextEmptySchema())
    const { pool, real, hook } = useHookedPool({ max: 1 })
    const engine = await world.open({ storage: postgres(pool, { schema: world.schema, deadlineMs: 400 }) })
    let held: Promise<pg.PoolClient> | null = null
    hook((asked, run) => {
      // The host is next in the queue, and keeps what it gets.
      if (isLoad(asked)) held ??= real.connect()
      return run()
    })
    const calls = [await tell(engine, { user: 'ann' })]
    expect(held).not.toBeNull()
    ;(await (held as unknown as Promise<pg.PoolClient>)).release()
    expect(outcomesOf(calls)).toEqual(['unavailable'])
    await expectTruth(world, calls)
  })

  test('waits for close() to be settled', async () => {
    const world = await useWorld(nextEmptySchema())
    const engine = await world.open()
    const saves = first(isSave, 'answerLost')
    world.proxy.choose(async (question) => {
      if (isFence(question)) await sleep(50)
      return saves(question)
    })
    const call = tell(engine, { user: 'ann' })
    await sleep(5)
    await engine.close()
    const calls = [await call, await tell(engine, { user: 'ann' })]
    expect(outcomesOf(calls)).toEqual(['stored', 'closed'])
    await expectTruth(world, calls)
  })
})

describe('users that one commit does not store at once', () => {
  test('are decided again under a game that another process stored meanwhile', async () => {
    const world = await useWorld(nextEmptySchema())
    const engine = await world.open()
    const [game] = await loadGames(world.direct)
    let isNew = true
    world.proxy.choose(async (question): Promise<Fate> => {
      if (!isSave(question) || !isNew || game === undefined) return 'passes'
      isNew = false
      await addGame(world.direct, { ...game, epoch: 2, fingerprint: 'another', policy: 'forward' })
      return 'passes'
    })
    const calls = await Promise.all(['ann', 'bob'].map((user) => tell(engine, { user })))
    expect(outcomesOf(calls)).toEqual(['stored', 'stored'])
    expect(await world.query('select distinct epoch::int from laurels.log')).toEqual([{ epoch: 2 }])
    await expectTruth(world, calls)
  })

  test('are stored once they are let go, late events and claims too, and close() waits for them', async () => {
    const world = await useWorld(nextEmptySchema())
    const engine = await world.open()
    const calls = await Promise.all([tell(engine, { user: 'ann' }), tell(engine, { user: 'bob' })])
    const release = await withLockedUser(world, 'ann')
    const held = Promise.all([
      tell(engine, { user: 'ann' }),
      tell(engine, { user: 'ann', daysAgo: 3, key: 'late' }),
      tell(engine, { user: 'ann', key: 'twice' }),
      tell(engine, { user: 'ann', key: 'twice' }),
    ])
    await sleep(50)
    const closed = engine.close()
    await sleep(300)
    await release()
    calls.push(...(await held))
    await closed
    expect(calls.map(({ outcome, isReplay }) => [outcome, isReplay])).toEqual([
      ...times(5, () => ['stored', false]),
      ['stored', true],
    ])
    await expectTruth(world, calls)
  })
})

test.each(['neverSent', 'answerLost'] as const)(
  'what is stored while others wait is stored once where the first save is %s',
  async (fate) => {
    const world = await useWorld(nextEmptySchema())
    const storage = postgres(world.proxy.url, { schema: world.schema })
    onTestFinished(() => storage.close())
    const { epoch } = await loadUser(world.direct, ANN)
    world.proxy.choose(first(isSave, fate))
    await storage.transaction(function* (held) {
      const view = yield* lockAndLoadUser(held, ANN)
      const save = saveOf({ ...ANN, ...view }, { appended: [sampleEvent(1)] })
      expect(yield* wait(held.save(ANN, { ...view, epoch }, save))).toEqual([])
    })
    expect(await loadLog(world.direct, ANN)).toHaveLength(1)
  },
)

/** As a transaction of the host's that is still open does. */
async function withLockedUser(world: World, user: string): Promise<() => Promise<void>> {
  const client = new pg.Client(databaseUrl())
  await client.connect()
  await client.query('begin')
  await client.query(`select from "${world.schema}".users where user_id = $1 for no key update`, [user])
  return () => client.end()
}

describe('a database', () => {
  test('that was brought back to an earlier moment takes the batches of a process that lives', async () => {
    const world = await useWorld(nextEmptySchema())
    const engine = await world.open()
    const calls = [await tell(engine, { user: 'ann' }), await tell(engine, { user: 'bob' })]
    // Commits that a standby that took over, or a crash with synchronous_commit off, may have lost.
    await world.query('update laurels.processes set batch = batch - 1')
    calls.push(await tell(engine, { user: 'ann' }), await tell(engine, { user: 'ann' }))
    expect(outcomesOf(calls)).toEqual(['stored', 'stored', 'stored', 'stored'])
    await expectTruth(world, calls)
  })

  test('that does not answer keeps nobody waiting much beyond the deadline, however many wait', async () => {
    const world = await useWorld(nextEmptySchema())
    const engine = await world.open({ deadlineMs: 400 })
    world.proxy.choose(() => 'silence')
    const start = performance.now()
    const calls = await Promise.all(times(640, (index) => tell(engine, { user: `user ${index}` })))
    const took = performance.now() - start
    expect(new Set(outcomesOf(calls))).toEqual(new Set(['unavailable']))
    expect(took).toBeLessThan(limit(2_000))
  })

  test('that accepted connections and said nothing is used again once it answers, and close() ends', async () => {
    const world = await useWorld(nextEmptySchema())
    const storage = postgres(world.proxy.url, { schema: world.schema, deadlineMs: 250 })
    world.proxy.accept('silently')
    // As many as a pool of pg has connections.
    const codes = await Promise.all(times(10, () => loadGames(storage).then(() => 'read', codeOf)))
    expect(new Set(codes)).toEqual(new Set(['unavailable']))
    world.proxy.accept('openly')
    await sleep(250)
    const later = await loadGames(storage).then(() => 'read', codeOf)
    const closed = await Promise.race([storage.close().then(() => 'closed'), sleep(1_000).then(() => 'waits')])
    expect([later, closed]).toEqual(['read', 'closed'])
  })
})

describe('keys', () => {
  test('are made once when the commit got through and its answer was lost', async () => {
    const world = await useWorld(nextEmptySchema())
    const engine = await world.open()
    world.proxy.choose(first(({ text }) => text === 'commit', 'answerLost'))
    const told = await engine.adminKeys.create().then(() => 'made', codeOf)
    expect(await loadAdminKeys(world.direct)).toHaveLength(1)
    expect(['made', 'outcome_unknown']).toContain(told)
  })

  test('are not said to be unchanged when the answer to a change was lost', async () => {
    const world = await useWorld(nextEmptySchema())
    const engine = await world.open({ deadlineMs: 400 })
    const { id } = await engine.adminKeys.create()
    let isLost = false
    world.proxy.choose(({ text }) => {
      if (isLost) return 'neverSent'
      isLost = /^with answer as \(update/.test(text)
      return isLost ? 'answerLost' : 'passes'
    })
    const told = await engine.adminKeys.revoke(id).then(() => 'revoked', codeOf)
    expect([told, await loadAdminKeys(world.direct)]).toMatchObject(['outcome_unknown', [{ status: 'revoked' }]])
  })
})
