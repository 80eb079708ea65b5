// @heavy: It breaks connections to Postgres.
// The host's own pool and kysely instance: never closed, never a reason to crash, and left in their state.

import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { type PostgresPool, postgres } from '../../../adapters/postgres/index.ts'
import { crashGame } from '../../crash/crash-game.ts'
import { limit } from '../../support/busy-machine.ts'
import { compiled } from '../../support/compiled.ts'
import { NOON } from '../../support/engine.ts'
import { times } from '../../support/places.ts'
import { databaseUrl, useEmptySchemas } from '../../support/postgres.ts'
import { startChild } from './child.ts'
import { HOSTS } from './hosts.ts'
import { isSave } from './processes.ts'
import { codeOf, expectTruth, outcomesOf, tell } from './told.ts'
import { createEngine, useWorld } from './world.ts'

const nextEmptySchema = useEmptySchemas()

function usePool(config: pg.PoolConfig = {}): pg.Pool {
  const pool = new pg.Pool({ connectionString: databaseUrl(), ...config })
  pool.on('error', () => undefined)
  // Hosts that use kysely have to do the same: nothing else listens to a connection in use.
  pool.on('connect', (client) => client.on('error', () => undefined))
  onTestFinished(() => pool.end())
  return pool
}

function countsOf({ totalCount, idleCount, waitingCount }: pg.Pool): readonly number[] {
  return [totalCount - idleCount, waitingCount]
}

describe.each(HOSTS.slice(0, 2))('with $name of the host', ({ toSource }) => {
  test('close() ends nothing that the host opened', async () => {
    const world = await useWorld(nextEmptySchema())
    const pool = usePool()
    const engine = await world.open({ storage: postgres(toSource(pool), { schema: world.schema }) })
    expect((await tell(engine, { user: 'ann' })).outcome).toBe('stored')
    await engine.close()
    expect([pool.ending, pool.ended]).toEqual([false, false])
    expect((await pool.query<{ one: string }>(`select '1' as one`)).rows).toEqual([{ one: '1' }])
    const again = await world.open({ storage: postgres(toSource(pool), { schema: world.schema }) })
    expect((await tell(again, { user: 'ann' })).outcome).toBe('stored')
    expect(countsOf(pool)).toEqual([0, 0])
  })

  test('waiting for its only connection ends by the deadline, and leaves nothing behind', async () => {
    const world = await useWorld(nextEmptySchema())
    const pool = usePool({ max: 1 })
    const storage = postgres(toSource(pool), { schema: world.schema, deadlineMs: 400 })
    const engine = await world.open({ storage })
    const calls = [await tell(engine, { user: 'ann' })]
    const held = await pool.connect()
    const start = performance.now()
    calls.push(...(await Promise.all([tell(engine, { user: 'ann' }), tell(engine, { user: 'bob' })])))
    const read = await engine.users.get('ann').then(() => 'read', codeOf)
    expect(performance.now() - start).toBeLessThan(limit(2_000))
    expect([...outcomesOf(calls), read]).toEqual(['stored', 'unavailable', 'unavailable', 'unavailable'])
    held.release()
    calls.push(await tell(engine, { user: 'ann' }))
    expect(outcomesOf(calls.slice(3))).toEqual(['stored'])
    await expectTruth(world, calls)
    expect([pool.totalCount, ...countsOf(pool)]).toEqual([1, 0, 0])
  })

  test('a connection that does not answer is not given to the host', async () => {
    const world = await useWorld(nextEmptySchema())
    const pool = usePool({ connectionString: world.proxy.url, max: 2 })
    const storage = postgres(toSource(pool), { schema: world.schema, deadlineMs: 200 })
    const engine = await world.open({ storage })
    // kysely listens neither to a pool nor to a connection that it uses; that is for its host to do.
    pool.on('error', () => undefined).on('connect', (client) => client.on('error', () => undefined))
    let isSilent = false
    world.proxy.choose((question) => {
      if (isSilent || !isSave(question)) return 'passes'
      isSilent = true
      return 'silentAnswer'
    })
    const calls = [await tell(engine, { user: 'ann' })]
    expect(['outcome_unknown', 'stored']).toContain(calls[0]?.outcome)
    // As many as there are connections.
    const asked = Promise.all([pool.query('select'), pool.query('select')]).then(
      () => 'answered',
      () => 'broken',
    )
    const ending = await Promise.race([asked, sleep(500).then(() => 'hangs')])
    world.proxy.breakAll()
    await asked
    expect(ending).toBe('answered')
  })
})

describe('a process', () => {
  /** Records events on request, until the end of the input. */
  const RECORD = `
    const pool = new pg.Pool({ connectionString: args.url, application_name: args.name, max: 4 })
    const sources = { url: args.url + '?application_name=' + args.name, pool }
    if (args.kind === 'kysely') {
      const { Kysely, PostgresDialect } = await import('kysely')
      // Only the host can do this: a kysely instance does not expose its pool, or a connection in use.
      pool.on('error', () => {})
      pool.on('connect', (client) => client.on('error', () => {}))
      sources.kysely = new Kysely({ dialect: new PostgresDialect({ pool }) })
    }
    const engine = open(postgres(sources[args.kind], { schema: args.schema }))
    await engine.points.levelSummary('xp')
    const record = (note) => engine.metrics.event('words', { user: { id: 'ann' }, value: 1, attributes: { note } })
    say('ready')
    for (let command = await told(); command !== undefined; command = await told()) {
      if (command === 'close') await engine.close()
      else await record(command).catch((error) => say(error.code))
      say('done')
    }
    await engine.close()
    await pool.end()
  `
  let directory = ''
  beforeAll(() => {
    directory = compiled()
  }, 60_000)

  interface Started {
    readonly child: ReturnType<typeof startChild>
    readonly world: Awaited<ReturnType<typeof useWorld>>
    readonly schema: string
  }

  async function start(kind: string): Promise<Started> {
    const world = await useWorld(nextEmptySchema())
    const { schema } = world
    const args = { kind, url: world.proxy.url, schema, name: schema, game: crashGame.definition, now: NOON }
    const child = startChild({ directory, script: RECORD, args })
    onTestFinished(() => child.signal('SIGKILL'))
    expect(await child.nextLine()).toBe('ready')
    return { child, world, schema }
  }

  async function expectSoundEnd({ child }: Started): Promise<void> {
    child.sendEnd()
    expect(await child.ended).toEqual({ code: 0, complaints: '' })
  }

  test.each(['url', 'pool', 'kysely'])(
    'with a storage made of its %s lives on when its connections are ended, idle ones and one that it waits for',
    async (kind) => {
      const started = await start(kind)
      const { child, world, schema } = started
      const terminate = 'select pg_terminate_backend(pid) from pg_stat_activity where application_name = $1'
      expect((await world.query(terminate, [schema])).length).toBeGreaterThan(0)
      await sleep(30)
      child.tell('one')
      expect(await child.nextLine()).toBe('done')

      // With the log locked the save has to wait.
      const locker = new pg.Client(databaseUrl())
      await locker.connect()
      onTestFinished(() => locker.end())
      await locker.query('begin')
      await locker.query(`lock table "${schema}".log in share mode`)
      child.tell('two')
      const ended: number[] = []
      while (ended.length < 2) {
        const pid = await waitingPid(started, ended)
        await world.query('select pg_terminate_backend($1)', [pid])
        ended.push(pid)
      }
      await locker.query('rollback')
      expect(await child.nextLine()).toBe('done')

      // And now without a word from the server.
      const fates = ['neverSent', 'answerLost'] as const
      let count = 0
      world.proxy.choose((question) => (isSave(question) ? (fates[count++] ?? 'passes') : 'passes'))
      child.tell('three')
      expect(await child.nextLine()).toBe('done')
      const notes = await world.query(`select data::jsonb->>'note' as note from laurels.log order by seq`)
      expect(notes).toEqual([{ note: 'one' }, { note: 'two' }, { note: 'three' }])
      await expectSoundEnd(started)
    },
  )

  /** The backend that waits for a lock, and is none of those that were ended. */
  async function waitingPid({ world, schema }: Started, ended: readonly number[]): Promise<number> {
    const text = `select pid from pg_stat_activity where application_name = $1 and wait_event_type = 'Lock'`
    for (;;) {
      const rows = await world.query<{ pid: number }>(text, [schema])
      const found = rows.find(({ pid }) => !ended.includes(pid))
      if (found !== undefined) return found.pid
      await sleep(10)
    }
  }
})

test('engines that share one pool of the host leave no listener behind, and take none twice', async () => {
  const world = await useWorld(nextEmptySchema())
  const pool = usePool()
  const before = pool.listenerCount('error')
  const warnings: string[] = []
  const onWarning = (warning: Error): void => void warnings.push(warning.message)
  process.on('warning', onWarning)
  onTestFinished(() => void process.off('warning', onWarning))
  const engines = times(12, () => createEngine(postgres(pool as PostgresPool, { schema: world.schema })))
  for (const [index, engine] of engines.entries()) await tell(engine, { user: `user ${index}` })
  for (const engine of engines) await engine.close()
  await sleep(10)
  expect(pool.listenerCount('error') - before).toBeLessThanOrEqual(1)
  expect(warnings).toEqual([])
})
