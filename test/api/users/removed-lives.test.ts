import Database from 'better-sqlite3'
import fc from 'fast-check'
import pg from 'pg'
import { describe, expect, test } from 'vitest'
import { memory } from '../../../adapters/memory/index.ts'
import { postgres } from '../../../adapters/postgres/index.ts'
import { sqlite } from '../../../adapters/sqlite/index.ts'
import { isGamificationError, type Storage } from '../../../src/index.ts'
import { lives, USERS } from '../../record/random-lives.ts'
import { openWorld, pageOf, sortedBoards } from '../../record/user-lives.ts'
import { databaseUrl, useEmptySchemas } from '../../support/postgres.ts'
import { SOAK, seedOfRun } from '../../support/zones.ts'

const SEED = seedOfRun()
const RUNS = Number(process.env.HISTORIES ?? (SOAK ? 1_000 : 5))
const nextSchema = useEmptySchemas()

interface Place {
  readonly storage: Storage
  /** All of every table as text. */
  text(): Promise<string>
}

const PLACES: { readonly [name: string]: () => Place } = {
  memory: () => ({ storage: memory(), text: async () => '' }),
  sqlite: () => {
    const database = new Database(':memory:')
    const tables = () =>
      database.prepare<[], { name: string }>(`select name from sqlite_schema where type = 'table'`).all()
    const rowsOf = (name: string): string => JSON.stringify(database.prepare(`select * from "${name}"`).all())
    return {
      storage: sqlite(database),
      text: async () =>
        tables()
          .map(({ name }) => rowsOf(name))
          .join('\n'),
    }
  },
  postgres: () => {
    const schema = nextSchema()
    return { storage: postgres(databaseUrl(), { schema }), text: () => textOfSchema(schema) }
  },
}

async function textOfSchema(schema: string): Promise<string> {
  const client = new pg.Client({ connectionString: databaseUrl() })
  await client.connect()
  const { rows } = await client.query<{ name: string }>(
    'select tablename as name from pg_tables where schemaname = $1',
    [schema],
  )
  const texts: string[] = []
  for (const { name } of rows) {
    const { rows: found } = await client.query<{ text: string }>(`select t::text as text from "${schema}"."${name}" t`)
    texts.push(...found.map(({ text }) => text))
  }
  await client.end()
  return texts.join('\n')
}

const cases = fc.record({
  life: lives(SOAK ? 40 : 24),
  user: fc.constantFrom(...USERS),
  keep: fc.constantFrom('nothing' as const, 'anonymous' as const),
})

describe.each(Object.entries(PLACES))('A user who is deleted, on %s', (_, open) => {
  test(`leaves no trace after any history, and everybody else as they were (seed ${SEED})`, async () => {
    await fc.assert(
      fc.asyncProperty(cases, async ({ life, user, keep }) => {
        const { storage, text } = open()
        const world = await openWorld(storage, life)
        const { engine, play } = world
        try {
          // A name for the one who goes that nothing else has.
          const id = `gone-${user}-7f3a`
          for (const [index, action] of life.actions.entries()) {
            await play(action.user === user ? { ...action, user: id } : action, index)
          }
          await engine.users
            .identify(id, { name: 'Zyxwv Name', email: 'zyxwv@example.com', attributes: { plan: 'zyxwv-plan' } })
            .catch(() => engine.users.identify(id, { name: 'Zyxwv Name', email: 'zyxwv@example.com' }))
          await engine.admin.applicationApiKeys.create([{ userId: id }])
          const others = (await storage.listUsers()).map((key) => key.user).filter((other) => other !== id)
          const views = (): Promise<unknown> =>
            Promise.all(
              others.map((other) => storage.readUser({ tenant: '', user: other }, { awards: {}, periods: {} })),
            )
          const before = await views()
          const total = (await storage.readUser({ tenant: '', user: id })).state?.totals

          const deleted = await engine.users.delete(id, { keep })
          expect(deleted.id).toBe(id)
          expect(await views()).toEqual(before)
          expect(await engine.verify()).toMatchObject({ drift: [] })
          const left = deleted.anonymousId === null ? others : [...others, deleted.anonymousId]
          expect((await storage.listOwners()).map((key) => key.user).sort()).toEqual([...left].sort())
          const boards = await sortedBoards(storage, left)
          for (const [board, rows] of boards) {
            expect(await pageOf(storage, board)).toEqual(rows.map((row, index) => [row.user, index + 1]))
          }
          const everything = await text()
          for (const trace of [id, '7f3a', 'yxwv']) expect(everything).not.toContain(trace)
          if (deleted.anonymousId !== null) {
            const { state } = await storage.readUser({ tenant: '', user: deleted.anonymousId })
            expect(state?.totals).toEqual(total)
          }

          const unknown = await engine.users.get(id).catch((error: unknown) => error)
          expect(isGamificationError(unknown) && unknown.code).toBe('unknown_user')
          await engine.users.create({ id })
          expect((await storage.readLog({ tenant: '', user: id })).map(({ seq }) => seq)).toEqual([1])
          expect(await engine.verify()).toMatchObject({ drift: [] })
        } finally {
          await engine.close()
        }
      }),
      { numRuns: RUNS, seed: SEED },
    )
  })
})
