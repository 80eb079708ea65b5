// Run by Bun and Deno: the storage suite, and a host's database, on the SQLite of the runtime.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { memory } from '../../adapters/memory/index.ts'
import { type SqliteDatabase, sqlite } from '../../adapters/sqlite/index.ts'
import { createGamification, type DefinedGame, defineGame, type Storage } from '../../src/index.ts'
import { storageSuite } from '../../src/testing/storage-suite.ts'
import { queryCases } from '../sql/cases/query-cases.ts'

const { bun, deno } = process.versions as { readonly [name: string]: string | undefined }
const Database = (
  deno === undefined
    ? Reflect.get(process.getBuiltinModule('bun:sqlite' as 'node:sqlite'), 'Database')
    : process.getBuiltinModule('node:sqlite').DatabaseSync
) as new (
  file: string,
) => SqliteDatabase
const folder = mkdtempSync(join(tmpdir(), 'laurels-runtime-'))
let files = 0
const nextFile = (): string => join(folder, `${++files}.db`)
let failed = 0
let passed = 0

async function attempt(name: string, run: () => Promise<void>): Promise<void> {
  try {
    await run()
    passed += 1
  } catch (error) {
    failed += 1
    console.error(`× ${name}`, error)
  }
}

const STORAGES: { readonly [name: string]: () => Storage } = {
  'a file': () => sqlite(nextFile(), { synchronous: 'NORMAL' }),
  'in memory': memory,
  "a host's": () => sqlite(new Database(nextFile()), { synchronous: 'NORMAL' }),
}
for (const [place, open] of Object.entries(STORAGES)) {
  for (const { name, run } of [...storageSuite, ...queryCases]) {
    await attempt(`${place}: ${name}`, async () => {
      const storage = open()
      try {
        await storage.migrate()
        await run(storage)
      } finally {
        await storage.close()
      }
    })
  }
}

await attempt('calls within transactions of the host', async () => {
  const db = new Database(nextFile())
  const game = defineGame({ metrics: { words: { name: 'Words' } } })
  const engine = createGamification<DefinedGame>({ game, storage: sqlite(db) })
  await engine.migrate()
  const one = { user: { id: 'ann' }, value: 1 }
  engine.within(db, (g) => g.metrics.event('words', one))
  db.exec('begin immediate')
  engine.within(db, (g) => g.metrics.event('words', { ...one, value: 10 }))
  db.exec('rollback')
  const { total } = await engine.metrics.event('words', one)
  const { drift } = await engine.verify()
  if (total !== 2 || drift.length > 0) throw new Error(`The total is ${total}, and ${drift.length} rows differ.`)
  db.exec('begin immediate')
  const refused = await engine.metrics.event('words', one).then(
    () => 'stored',
    ({ code }) => code,
  )
  if (refused !== 'unavailable') throw new Error(`A locked file: ${refused}.`)
  db.exec('rollback')
  await engine.close()
  db.close()
})

await attempt('streaks that are lost are told while calls are recorded', async () => {
  let now = Date.parse('2026-03-01T12:00:00.000Z')
  const streak = { frequency: 'daily', metrics: { words: {} } } as const
  const game = defineGame({ metrics: { words: { name: 'Words' } }, streak })
  const engine = createGamification<DefinedGame>({ game, storage: sqlite(nextFile()), clock: () => new Date(now) })
  await engine.migrate()
  const lost: (string | null)[] = []
  await engine.subscribe('lost', { types: ['streak.lost'] }, (messages) => {
    lost.push(...messages.map(({ userId }) => userId))
  })
  const record = (id: string) => engine.metrics.event('words', { user: { id }, value: 1 })
  for (let user = 0; user < 200; user += 1) await record(`old-${user}`)
  now += 3 * 86_400_000
  const [{ published }] = await Promise.all([
    engine.workOnce(),
    ...Array.from({ length: 50 }, (_, user) => record(`new-${user}`)),
  ])
  await engine.close()
  if (published !== 200 || lost.length !== 200)
    throw new Error(`${published} were published, and ${lost.length} handled.`)
})

rmSync(folder, { recursive: true })
console.log(`${deno === undefined ? `Bun ${bun}` : `Deno ${deno}`}: ${passed} passed, ${failed} failed.`)
process.exitCode = failed > 0 ? 1 : 0
