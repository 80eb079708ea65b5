import Database from 'better-sqlite3'
import fc from 'fast-check'
import pg from 'pg'
import { afterAll, expect, test } from 'vitest'
import { postgres } from '../../adapters/postgres/index.ts'
import { sqlite } from '../../adapters/sqlite/index.ts'
import { checkFold } from '../support/check-fold.ts'
import { databaseUrl, useEmptySchemas } from '../support/postgres.ts'
import { howMany } from '../support/share.ts'
import { useDatabaseFiles } from '../support/sqlite-files.ts'
import { seedOfRun } from '../support/zones.ts'
import { beginKysely, beginPg } from './postgres-hosts.ts'
import { scripts } from './scripts.ts'
import { agree, engineAt, type Target } from './scripts-run.ts'
import { joined, type Writer } from './writer.ts'

const SEED = seedOfRun()
const RUNS = Number(process.env.RUNS ?? howMany(15, 50, 2_000))

const nextSchema = useEmptySchemas()
const nextFile = useDatabaseFiles()
const closings: (() => unknown)[] = []
afterAll(async () => {
  for (const close of closings.reverse()) await close()
})

async function onPostgres(): Promise<Target> {
  const pool = new pg.Pool({ connectionString: databaseUrl() })
  closings.push(() => pool.end())
  const storage = postgres(pool, { schema: nextSchema() })
  const { engine, time } = engineAt(storage)
  closings.push(() => engine.close())
  await engine.migrate()
  const kinds = [beginPg, beginKysely()] as const
  return {
    storage,
    engine,
    time,
    begin: async (tenant, isSecondKind) => {
      const { tx, query, commit, rollback } = await kinds[isSecondKind ? 1 : 0](pool)
      return {
        writer: joined(engine.tenant(tenant), tx),
        exec: (text) => query(text),
        end: (how) => (how === 'commit' ? commit() : rollback()),
        committed: () => tx.committed(),
      }
    },
  }
}

async function onSqlite(isInMemory: boolean): Promise<Target> {
  const db = new Database(isInMemory ? ':memory:' : nextFile())
  const storage = sqlite(db, { synchronous: 'NORMAL' })
  const { engine, time } = engineAt(storage)
  closings.push(async () => {
    await engine.close()
    db.close()
  })
  await engine.migrate()
  return {
    storage,
    engine,
    time,
    begin: async (tenant, isSecondKind) => {
      db.exec(isSecondKind ? 'begin' : 'begin immediate')
      const afterwards: (() => void)[] = []
      const once = <T>(call: (writer: Writer) => T): T =>
        engine.within(
          db,
          (g) => {
            afterwards.push(g.committed)
            return call(g)
          },
          tenant,
        )
      const writer: Writer = {
        metrics: { event: (...args) => once(({ metrics }) => metrics.event(...args)) },
        achievements: { complete: (...args) => once(({ achievements }) => achievements.complete(...args)) },
        users: {
          create: (...args) => once(({ users }) => users.create(...args)),
          identify: (...args) => once(({ users }) => users.identify(...args)),
          update: (...args) => once(({ users }) => users.update(...args)),
          updatePreferences: (...args) => once(({ users }) => users.updatePreferences(...args)),
        },
      }
      return {
        writer,
        exec: async (text) => db.exec(text),
        end: async (how) => db.exec(how),
        committed: async () => {
          for (const committed of afterwards) committed()
        },
      }
    },
  }
}

const TARGETS: { readonly [name: string]: () => Promise<Target> } = {
  postgres: onPostgres,
  'sqlite in a file': () => onSqlite(false),
  'sqlite in memory': () => onSqlite(true),
}

test.each(Object.entries(TARGETS))(
  `${RUNS} scripts leave what their committed calls would, on %s (seed ${SEED})`,
  {
    timeout: 3_000_000,
  },
  async (_, open) => {
    const target = await open()
    let runs = 0
    await fc.assert(
      fc.asyncProperty(scripts, (script) => {
        runs += 1
        return agree(target, script, `run-${runs}`)
      }),
      { numRuns: RUNS, seed: SEED, ...(process.env.PATH_OF === undefined ? {} : { path: process.env.PATH_OF }) },
    )
    expect(runs).toBe(RUNS)
    await checkFold(target.storage)
  },
)
