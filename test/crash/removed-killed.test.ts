// @heavy: It starts processes and kills them.
// A process that deletes users and is killed. SOAK=1: twenty of them, on each database.

import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, expect, test } from 'vitest'
import { postgres } from '../../adapters/postgres/index.ts'
import { sqlite } from '../../adapters/sqlite/index.ts'
import type { Storage } from '../../src/index.ts'
import { loadRowOwners } from '../../src/sql/audit.ts'
import { loadUserKeys } from '../../src/sql/user-lists.ts'
import { startChild } from '../adapters/postgres/child.ts'
import { compiled } from '../support/compiled.ts'
import { useEngines } from '../support/places.ts'
import { databaseUrl, useSchemas } from '../support/postgres.ts'
import { useDatabaseFiles } from '../support/sqlite-files.ts'
import { crashGame } from './crash-game.ts'
import { expectSound, onCopy } from './evidence.ts'
import { createRandom, seedOfSoak } from './random.ts'

const KILLS = process.env.SOAK === '1' ? 20 : 3
const SEED = seedOfSoak(1)
const NOW = '2026-06-01T12:00:00.000Z'
const USERS = 400

const nextFile = useDatabaseFiles()
const nextSchema = useSchemas()
const start = useEngines(NOW)
let directory = ''

beforeAll(() => {
  directory = compiled()
}, 60_000)

const SCRIPT = `
  import { sqlite } from './adapters/sqlite/index.js'
  const engine = open(args.file === undefined ? postgres(args.url, { schema: args.schema }) : sqlite(args.file))
  await engine.migrate()
  for (const id of args.ids) {
    say('begun ' + id)
    await engine.users.delete(id, { keep: id.endsWith('7') ? 'anonymous' : 'nothing' })
    say('done ' + id)
  }
  await engine.close()
`

/** The storage from which users are deleted. */
interface Place {
  /** The arguments of a process. */
  readonly args: { readonly [name: string]: string }
  open(): Storage
  /** Shows what a process that was killed has left. */
  look(see: (left: Storage) => Promise<void>): Promise<void>
}

function inSqlite(): Place {
  const file = nextFile()
  return {
    args: { file },
    open: () => sqlite(file),
    look: (see) =>
      onCopy(file, (copy) => {
        expectSound(copy)
        return see(sqlite(copy))
      }),
  }
}

function inPostgres(): Place {
  const schema = nextSchema()
  const open = () => postgres(databaseUrl(), { schema })
  return { args: { url: databaseUrl(), schema }, open, look: (see) => see(open()) }
}

test.each([
  ['SQLite', inSqlite],
  ['Postgres', inPostgres],
])(
  `a process that deletes users on %s and is killed has deleted each of them or not (seed ${SEED})`,
  async (_, make) => {
    const random = createRandom(SEED)
    const place = make()
    const engine = await start(crashGame, place.open())
    const record = (id: string, value: number) => engine.metrics.event('words', { user: { id }, value })
    for (let n = 0; n < USERS; n += 20) {
      const ids = Array.from({ length: 20 }, (_, index) => `user-${n + index}`)
      await Promise.all(ids.map((id, index) => record(id, 1 + (index % 9))))
      await Promise.all(ids.map((id) => record(id, 2)))
    }
    await engine.close()

    for (let run = 0; run < KILLS; run += 1) {
      const storage = place.open()
      const ids = (await loadUserKeys(storage)).map(({ user }) => user).filter((user) => user.startsWith('user-'))
      await storage.close()
      const heard: string[] = []
      const enough = random.whole(5, 60)
      const delay = random.whole(0, 5)
      const child = startChild({
        directory,
        script: SCRIPT,
        args: { ...place.args, now: NOW, game: crashGame.definition, ids },
        onLine: (line) => {
          heard.push(line)
          if (heard.length === enough) void sleep(delay).then(() => child.signal('SIGKILL'))
        },
      })
      expect(await child.ended).toEqual({ code: null, complaints: '' })
      await place.look(async (looking) => {
        const look = await start(crashGame, looking)
        expect(await look.verify()).toMatchObject({ drift: [] })
        expect(await loadRowOwners(looking)).toEqual(await loadUserKeys(looking))
        const left = new Set((await loadUserKeys(looking)).map(({ user }) => user))
        const done = heard.filter((line) => line.startsWith('done ')).map((line) => line.slice(5))
        expect(done.length).toBeGreaterThan(1)
        expect(done.filter((id) => left.has(id))).toEqual([])
        // At most the one that was under way is gone without an answer.
        expect(ids.filter((id) => !left.has(id)).length - done.length).toBeLessThanOrEqual(1)
        await look.close()
      })
    }
  },
  600_000,
)
