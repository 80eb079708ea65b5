// A database of a version that let one entry id stand in two lines, as a save that was sent twice left it.

import Database from 'better-sqlite3'
import pg from 'pg'
import { describe, expect, onTestFinished, test } from 'vitest'
import { postgres } from '../../adapters/postgres/index.ts'
import { sqlite } from '../../adapters/sqlite/index.ts'
import type { Storage } from '../../src/index.ts'
import { crashGame } from '../crash/crash-game.ts'
import { useEngines } from '../support/places.ts'
import { databaseUrl, useSchemas } from '../support/postgres.ts'
import { useDatabaseFiles } from '../support/sqlite-files.ts'

const nextFile = useDatabaseFiles()
const nextSchema = useSchemas()
const start = useEngines('2026-06-01T12:00:00.000Z')

interface Place {
  readonly storage: Storage
  /** `laurels.` in the text stands for the schema. */
  run(text: string): Promise<unknown>
}

function inSqlite(): Place {
  const file = nextFile()
  const run = async (text: string): Promise<void> => {
    const database = new Database(file)
    database.exec(text.replaceAll('laurels.', 'laurels_').replace('drop index laurels_l', 'drop index l'))
    database.close()
  }
  return { storage: sqlite(file), run }
}

function inPostgres(): Place {
  const schema = nextSchema()
  const pool = new pg.Pool({ connectionString: databaseUrl(), max: 1 })
  onTestFinished(() => pool.end())
  return {
    storage: postgres(databaseUrl(), { schema }),
    run: (text) => pool.query(text.replaceAll('laurels.', `"${schema}".`)),
  }
}

describe.each([
  ['sqlite', inSqlite],
  ['postgres', inPostgres],
])('Doubled lines in %s', (_, make) => {
  test('get ids of their own when the database is migrated; rebuild mends what followed, and each can be voided', async () => {
    const { storage, run } = make()
    const engine = await start(crashGame, storage)
    const event = async (user: string): Promise<string> =>
      (await engine.metrics.event('words', { user: { id: user }, value: 40 })).eventId
    const [first = '', , , other = ''] = [
      await event('ann'),
      await event('ann'),
      await event('ann'),
      await event('bob'),
    ]
    await run(`drop index laurels.laurels_log_by_entry`)
    await run(`update laurels.log set entry_id = '${first}' where user_id = 'ann'`)
    await run(`update laurels.awards set entry_id = '${first}' where user_id = 'ann'`)
    await run(`delete from laurels.migrations where name = '0010-entry-ids'`)

    expect(await storage.migrate()).toEqual({ applied: ['0010-entry-ids'] })
    const ids = async (user: string): Promise<readonly string[]> =>
      (await storage.readLog({ tenant: '', user })).map(({ id }) => id)
    expect(await ids('ann')).toEqual([first, `${first}-2`, `${first}-3`])
    expect(await ids('bob')).toEqual([other])
    expect(await storage.findEvent('', `${first}-3`)).toEqual({ user: 'ann', metric: 'words' })

    const tables = (await engine.verify()).drift.map(({ table }) => table)
    expect(new Set(tables)).toEqual(new Set(['awards', 'completions']))
    await engine.rebuild()
    expect((await engine.verify()).drift).toEqual([])
    expect((await engine.users.singleMetric('ann', 'words')).current).toBe(120)
    expect((await engine.events.void(`${first}-2`)).total).toBe(80)
    expect((await engine.verify()).drift).toEqual([])
  })
})
