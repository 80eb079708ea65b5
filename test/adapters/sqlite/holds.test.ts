// A write on SQLite while other writers wait for a user is stored as a whole or not at all.

import Database from 'better-sqlite3'
import { expect, onTestFinished, test } from 'vitest'
import { sqlite } from '../../../adapters/sqlite/index.ts'
import { createGamification, type DefinedGame, defineGame, type Gamification } from '../../../src/index.ts'
import { loadUser } from '../../../src/sql/read-user.ts'
import type { Storage } from '../../../src/storage/storage.ts'
import { aroundQuery } from '../../support/around-query.ts'
import { extendStorage } from '../../support/extend-storage.ts'
import { type BeforeStatement, listeningDriver } from '../../support/listening-driver.ts'
import { useDatabaseFiles } from '../../support/sqlite-files.ts'

const nextFile = useDatabaseFiles()

const gameOf = (achievements: object = {}): DefinedGame =>
  defineGame({
    metrics: { words: { name: 'Words' } },
    points: { xp: { name: 'XP', triggers: [{ type: 'metric', metric: 'words', threshold: 1, points: 1 }] } },
    achievements,
  }) as DefinedGame
const FIVE_WORDS = { name: 'Five', trigger: 'metric', metric: 'words', value: 5 }

interface World {
  readonly engine: Gamification<DefinedGame>
  /** From now on another process writes to Ann whenever she was read; answers with a function that ends it. */
  makeBusy(): () => void
}

/** Ann has ten words. */
async function open(before: BeforeStatement): Promise<World> {
  const file = nextFile()
  const storage = sqlite(file, { driver: async () => listeningDriver(['run'], before) })
  let write = async (): Promise<unknown> => undefined
  const busy: Storage = extendStorage(
    storage,
    aroundQuery(
      (storage) => loadUser(storage, { tenant: '', user: '' }),
      async (run) => {
        const rows = await run()
        await write()
        return rows
      },
    ),
  )
  const engine = createGamification<DefinedGame>({ game: gameOf(), storage: busy })
  const other = createGamification<DefinedGame>({ game: gameOf(), storage: sqlite(file) })
  onTestFinished(() => Promise.all([engine.close(), other.close()]).then(() => undefined))
  await engine.migrate()
  await other.metrics.event('words', { user: { id: 'ann' }, value: 10 })
  let names = 0
  return {
    engine,
    makeBusy: () => {
      write = () => other.users.identify('ann', { name: `Ann ${names++}` })
      return () => {
        write = async () => undefined
      }
    },
  }
}

async function unhandledDuring(work: () => Promise<unknown>): Promise<readonly unknown[]> {
  const unhandled: unknown[] = []
  const see = (error: unknown): void => void unhandled.push(error)
  process.on('unhandledRejection', see)
  await work()
  await new Promise((resolve) => setTimeout(resolve, 20))
  process.off('unhandledRejection', see)
  return unhandled
}

const addLate = (engine: Gamification<DefinedGame>) =>
  engine.metrics.event('words', { user: { id: 'ann' }, value: 1, occurredAt: new Date(Date.now() - 3_600_000) })

const CALLS = [
  ['a late event', 'insert into "laurels_awards"', addLate],
  [
    'a grant',
    'insert into "laurels_completions"',
    (engine: Gamification<DefinedGame>) => engine.apply(gameOf({ five: FIVE_WORDS }), { policy: 'grant' }),
  ],
] as const

test.each(
  CALLS.flatMap(([name, text, call]) => [
    { name, text, call, undoes: false },
    { name, text, call, undoes: true },
  ]),
)('$name for which the disk is full is not stored, whether SQLite undoes it itself or not: $undoes', async (given) => {
  let isFull = false
  const { engine, makeBusy } = await open((database, text) => {
    if (!isFull || !text.startsWith(given.text)) return
    if (given.undoes) database.exec('rollback')
    throw new Database.SqliteError('database or disk is full', 'SQLITE_FULL')
  })
  const rest = makeBusy()
  isFull = true
  let error: unknown
  const unhandled = await unhandledDuring(async () => {
    error = await given.call(engine).catch((thrown: unknown) => thrown)
  })
  isFull = false
  rest()
  expect(error).toMatchObject({ code: 'storage_full' })
  expect(unhandled).toEqual([])
  expect((await engine.users.allMetrics('ann'))[0]?.current).toBe(10)
  expect((await engine.verify()).drift).toEqual([])
})

test.each(CALLS)('all that %s writes is in one transaction', async (_name, _text, call) => {
  const outside: string[] = []
  const { engine, makeBusy } = await open((database, text) => {
    if (/^(?:insert|update|delete)/i.test(text) && !database.inTransaction) outside.push(text)
  })
  const rest = makeBusy()
  await call(engine)
  rest()
  expect(outside).toEqual([])
  expect((await engine.verify()).drift).toEqual([])
})

test('a grant to a busy user is made', async () => {
  const { engine, makeBusy } = await open(() => undefined)
  const rest = makeBusy()
  await engine.apply(gameOf({ five: FIVE_WORDS, seven: { ...FIVE_WORDS, name: 'Seven', value: 7 } }), {
    policy: 'grant',
  })
  rest()
  const completed = await engine.users.achievements('ann')
  expect(completed.map(({ key }) => key).sort()).toEqual(['five', 'seven'])
  expect((await engine.verify()).drift).toEqual([])
})
