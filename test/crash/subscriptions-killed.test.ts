// @heavy: It starts processes and kills them.
// Two processes that record events and hand messages over, killed at random or stopped for a while. SOAK=1: 250 kills a database.

import { setTimeout as sleep } from 'node:timers/promises'
import Database from 'better-sqlite3'
import pg from 'pg'
import { beforeAll, describe, expect, test } from 'vitest'
import { postgres } from '../../adapters/postgres/index.ts'
import { sqlite } from '../../adapters/sqlite/index.ts'
import { createGamification, type DefinedGame, defineGame, type Storage } from '../../src/index.ts'
import { type Child, startChild } from '../adapters/postgres/child.ts'
import { compiled } from '../support/compiled.ts'
import { databaseUrl, useSchemas } from '../support/postgres.ts'
import { useDatabaseFiles } from '../support/sqlite-files.ts'
import { createRandom, seedOfSoak } from './random.ts'

const SOAK = process.env.SOAK === '1'
const KILLS = SOAK ? 250 : 4
const SEED = seedOfSoak(1)
const USERS = 5
/** How many seconds of the engine pass in one: a lease of half a minute ends half a second after its process was killed. */
const SPEED = 60

const game = {
  metrics: { words: { name: 'Words' } },
  achievements: { each: { name: 'Each', trigger: 'metric', metric: 'words', value: 1, repeat: true } },
} as const

const nextFile = useDatabaseFiles()
const nextSchema = useSchemas()
let directory = ''

beforeAll(() => {
  directory = compiled()
}, 60_000)

/**
 * Says `called <id>` in a handler that writes elsewhere, `writing` in one that writes by its transaction, and `sent
 * <key>` of each event that was answered. The second prints `holding`, and waits until the test lets it continue,
 * `before` or `after` its first statement, if it `holds`.
 */
const SCRIPT = `
  import { sqlite } from './adapters/sqlite/index.js'
  const clock = () => new Date(args.began + (Date.now() - args.began) * args.speed)
  const storage = args.file === undefined ? postgres(args.url, { schema: args.schema }) : sqlite(args.file)
  const engine = createGamification({ game: defineGame(args.game), storage, clock })
  const types = ['achievement.completed']
  await engine.subscribe('caller', { types }, (messages) => {
    for (const { id } of messages) say('called ' + id)
  })
  await engine.subscribe('writer', { types }, async (messages, { tx }) => {
    say('writing')
    const hold = async (when) => {
      if (args.holds !== when) return
      say('holding')
      await told()
    }
    await hold('before')
    for (const { id } of messages) await tx.query(args.insert, [id])
    await hold('after')
  })
  const work = engine.work({ pollMs: 20 })
  for (let n = 0; n < args.most; n += 1) {
    const idempotencyKey = args.run + '-' + n
    await engine.metrics.event('words', { user: { id: 'user-' + (n % args.users) }, value: 1, idempotencyKey })
    say('sent ' + idempotencyKey)
    await sleep(args.pause)
  }
  say('done')
  await work
`

interface Place {
  readonly args: { readonly [name: string]: unknown }
  open(): Storage
  /** Ids of messages as handlers wrote them, in no order. */
  written(): Promise<readonly string[]>
  end(): Promise<void>
}

async function inSqlite(): Promise<Place> {
  const file = nextFile()
  const database = new Database(file)
  database.pragma('journal_mode = WAL')
  database.exec('create table taken (id text not null)')
  return {
    args: { file, insert: 'insert into taken (id) values (?)' },
    open: () => sqlite(file),
    written: async () => database.prepare<[], string>('select id from taken').pluck().all(),
    end: async () => void database.close(),
  }
}

async function inPostgres(): Promise<Place> {
  const schema = nextSchema()
  const pool = new pg.Pool({ connectionString: databaseUrl(), max: 1 })
  await pool.query(`create schema "${schema}"; create table "${schema}".taken (id text not null)`)
  return {
    args: { url: databaseUrl(), schema, insert: `insert into "${schema}".taken (id) values ($1)` },
    open: () => postgres(databaseUrl(), { schema }),
    written: async () =>
      (await pool.query<{ readonly id: string }>(`select id from "${schema}".taken`)).rows.map(({ id }) => id),
    end: () => pool.end(),
  }
}

async function world(create: () => Promise<Place>) {
  const place = await create()
  const began = Date.now()
  const clock = (): Date => new Date(began + (Date.now() - began) * SPEED)
  const engine = createGamification<DefinedGame>({ game: defineGame(game), storage: place.open(), clock })
  await engine.migrate()
  const called = new Set<string>()
  const sent = new Set<string>()
  let runs = 0

  const startOne = (
    onLine: (line: string) => void = () => undefined,
    more: { readonly [name: string]: unknown } = {},
  ): Child => {
    runs += 1
    const args = {
      ...place.args,
      game,
      began,
      speed: SPEED,
      users: USERS,
      run: runs,
      most: 1_000_000,
      pause: 2,
      ...more,
    }
    return startChild({
      directory,
      script: SCRIPT,
      args,
      onLine: (line) => {
        const [what, which = ''] = line.split(' ')
        if (what === 'called') called.add(which)
        if (what === 'sent') sent.add(which)
        onLine(line)
      },
    })
  }

  /** How many events are in the logs: each completes the achievement again, which is one message. */
  const recorded = async (): Promise<number> => {
    const counts = await Promise.all(
      Array.from({ length: USERS }, async (_, user) => {
        const metric = await engine.users.singleMetric(`user-${user}`, 'words').catch(() => ({ current: 0 }))
        return metric.current
      }),
    )
    return counts.reduce((sum, count) => sum + count, 0)
  }

  const end = async (): Promise<void> => {
    await engine.close()
    await place.end()
  }
  return { place, called, sent, startOne, recorded, end }
}

/** Waits until something holds, for at most a minute. */
async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 1_200 && !(await holds()); tries += 1) await sleep(50)
  expect(await holds()).toBe(true)
}

describe.each([
  // A transaction that holds the file blocks all writers, so there the process is stopped before its first statement.
  ['sqlite', inSqlite, 'before'],
  ['postgres', inPostgres, 'after'],
] as const)('Processes that hand messages over, on %s', (_name, create, holds) => {
  test(`may be killed at any moment: each message is called at least once, and written once (seed ${SEED})`, async () => {
    const random = createRandom(SEED)
    const { place, called, sent, startOne, recorded, end } = await world(create)
    let watch: (slot: number, line: string) => void = () => undefined
    const startAt = (slot: number): Child => startOne((line) => watch(slot, line))
    const children = [startAt(0), startAt(1)]
    for (let kill = 0; kill < KILLS; kill += 1) {
      // About the commit of an event, the call, the write and the checkpoint after it, or any moment of a lease.
      const moment = ['sent', 'called', 'writing', 'any'][kill % 4] ?? ''
      const slot = await new Promise<number>((resolve) => {
        if (moment === 'any') setTimeout(resolve, random.whole(0, 800), random.whole(0, 1))
        let lines = random.whole(1, 8)
        watch = (which, line) => {
          if (moment === 'any' || !line.startsWith(moment)) return
          lines -= 1
          if (lines <= 0) resolve(which)
        }
      })
      if (moment !== 'any') await sleep(random.whole(0, 6))
      children[slot]?.signal('SIGKILL')
      await children[slot]?.ended
      children[slot] = startAt(slot)
    }
    for (const child of children) {
      child.signal('SIGKILL')
      await child.ended
    }

    const last = startOne(undefined, { most: 0 })
    const count = await recorded()
    expect(count).toBeGreaterThanOrEqual(sent.size)
    await until(async () => called.size >= count && (await place.written()).length >= count)
    await sleep(300)
    last.signal('SIGKILL')
    await last.ended
    const written = await place.written()
    expect(written).toHaveLength(count)
    expect(new Set(written).size).toBe(count)
    expect(called).toEqual(new Set(written))
    await end()
    process.stdout.write(`kills: ${KILLS}, messages: ${count}, answered events: ${sent.size}\n`)
  }, 1_800_000)

  test('may be stopped in a handler: what it goes on to write after its lease was taken is not there', async () => {
    const { place, called, startOne, recorded, end } = await world(create)
    const isHolding = Promise.withResolvers<void>()
    const onLine = (line: string): void => {
      if (line === 'holding') isHolding.resolve()
    }
    const stopped = startOne(onLine, { most: 1, holds })
    await isHolding.promise
    // Nothing else is under way in it then, on SQLite with the file in its hands.
    await sleep(300)
    stopped.signal('SIGSTOP')
    const other = startOne(undefined, { most: 2 })
    await sleep(SOAK ? 30_000 : 1_000)
    await until(async () => (await place.written()).length > 0)
    stopped.signal('SIGCONT')
    for (let each = 0; each < 3; each += 1) stopped.tell('go on')
    await until(async () => (await recorded()) === 3 && called.size === 3 && (await place.written()).length >= 3)
    await sleep(300)
    expect((await place.written()).toSorted()).toEqual([...called].toSorted())
    for (const child of [stopped, other]) {
      child.signal('SIGKILL')
      await child.ended
    }
    await end()
  }, 180_000)
})
