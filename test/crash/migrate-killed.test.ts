// @heavy: It starts processes and kills them.
// Processes that are killed while they migrate an empty file. SOAK=1: fifty of them.

import { existsSync } from 'node:fs'
import Database from 'better-sqlite3'
import { beforeAll, describe, expect, test } from 'vitest'
import { sqlite } from '../../adapters/sqlite/index.ts'
import { compiled } from '../support/compiled.ts'
import { SQLITE_NAMES } from '../support/migrations.ts'
import { times, useEngines } from '../support/places.ts'
import { useDatabaseFiles } from '../support/sqlite-files.ts'
import { seedOfRun } from '../support/zones.ts'
import { runAndKill, runChild } from './child.ts'
import { crashGame } from './crash-game.ts'
import { expectSound, lookInto, onCopy } from './evidence.ts'
import { createRandom } from './random.ts'

const SOAK = process.env.SOAK === '1'
const KILLS = SOAK ? 50 : 5
const SEED = seedOfRun()
const NOW = '2026-06-01T12:00:00.000Z'

const nextFile = useDatabaseFiles()
const start = useEngines(NOW)
let directory = ''

beforeAll(() => {
  directory = compiled()
}, 60_000)

/** Kills itself before the `args.step`th thing that the library asks of SQLite; says how many there were. */
const SCRIPT = `
  // As sqlite() takes them.
  const Database = await import('better-sqlite3').then(
    (found) => found.default,
    async () => (await import('node:sqlite')).DatabaseSync,
  )
  let asked = 0
  const ask = () => {
    asked += 1
    if (asked === args.step) process.kill(process.pid, 'SIGKILL')
  }
  class Mortal extends Database {
    exec(text) {
      ask()
      return super.exec(text)
    }
    prepare(text) {
      const statement = super.prepare(text)
      for (const name of ['run', 'get', 'all']) {
        const call = statement[name].bind(statement)
        statement[name] = (...values) => {
          ask()
          return call(...values)
        }
      }
      return statement
    }
  }
  const storage = sqlite(args.file, { driver: async () => Mortal, synchronous: args.synchronous })
  say('migrating')
  const { applied } = await storage.migrate()
  say(asked + ' ' + applied.join())
  await storage.close()
`

const schemaOf = (file: string): readonly string[] =>
  lookInto(file, (database) =>
    database.prepare<[], string>(`select coalesce(sql, name) from sqlite_schema order by name`).pluck().all(),
  )

/** Nothing of the library, or all of it. */
async function expectAllOrNothing(file: string, whole: readonly string[]): Promise<void> {
  if (!existsSync(file)) return
  await onCopy(file, (copy) => {
    expectSound(copy)
    const found = schemaOf(copy)
    expect(found.length === 0 ? whole : found).toEqual(whole)
  })
}

async function expectToWork(file: string, whole: readonly string[]): Promise<void> {
  const engine = await start(crashGame, sqlite(file))
  expect(schemaOf(file)).toEqual(whole)
  expect(await engine.metrics.event('words', { user: { id: 'ann' }, value: 30 })).toMatchObject({ total: 30 })
  expect((await engine.users.points('ann', 'xp')).total).toBe(23)
  await engine.close()
  expectSound(file)
}

describe('a migration', () => {
  let whole: readonly string[] = []
  let steps = 0

  beforeAll(async () => {
    const file = nextFile()
    const lines = await runChild({ directory, script: SCRIPT, args: { file, step: -1, synchronous: 'FULL' } })
    const [asked, applied] = (lines.at(-1) ?? '').split(' ')
    steps = Number(asked)
    whole = schemaOf(file)
    expect(applied).toBe(SQLITE_NAMES.join())
    expect(steps).toBeGreaterThan(10)
  }, 60_000)

  test('that is killed at any step leaves nothing or all of it, and the next one works', async () => {
    for (const kill of times(KILLS, (index) => index)) {
      const file = nextFile()
      // Spread over all steps, the first and the last included; with more kills than steps some come twice.
      const step = 1 + Math.round((kill * (steps - 1)) / (KILLS - 1))
      const args = { file, step, synchronous: kill % 2 === 0 ? 'FULL' : 'NORMAL' }
      const options = { directory, script: SCRIPT, args, onLine: () => undefined }
      expect([step, await runAndKill(options, () => false, 0)]).toEqual([step, 'killed'])
      await expectAllOrNothing(file, whole)
      await expectToWork(file, whole)
    }
    process.stdout.write(`migrations killed: ${KILLS}, at ${Math.min(steps, KILLS)} of ${steps} steps\n`)
  }, 300_000)

  test(`that is killed at a random moment leaves nothing or all of it, and the next one works (seed ${SEED})`, async () => {
    const random = createRandom(SEED)
    for (const kill of times(SOAK ? 50 : 2, (index) => index)) {
      const file = nextFile()
      const args = { file, step: -1, synchronous: kill % 2 === 0 ? 'NORMAL' : 'FULL' }
      const options = { directory, script: SCRIPT, args, onLine: () => undefined }
      await runAndKill(options, (line) => line === 'migrating', 1 + random.next() * 25)
      await expectAllOrNothing(file, whole)
      await expectToWork(file, whole)
    }
  }, 300_000)

  test('of which an earlier one was killed between two works, too', async () => {
    const file = nextFile()
    // Two of them share a transaction today. A single process would leave this state.
    const host = new Database(file)
    const table = whole.find((text) => text.includes('"laurels_migrations"')) ?? ''
    expect(table).toContain('CREATE TABLE')
    host.exec(table)
    host.close()
    await expectToWork(file, whole)
  })

  test('that four processes begin at once, and of which one is killed, is made by another', async () => {
    for (const round of times(SOAK ? 10 : 1, (index) => index)) {
      const file = nextFile()
      const step = 3 + round * 2
      const common = { file, synchronous: 'FULL' }
      const options = { directory, script: SCRIPT, onLine: () => undefined }
      const dying = runAndKill({ ...options, args: { ...common, step } }, () => false, 0)
      const others = times(3, () => runChild({ directory, script: SCRIPT, args: { ...common, step: -1 } }))
      expect(['killed', 'finished']).toContain(await dying)
      await Promise.all(others)
      await expectToWork(file, whole)
    }
  }, 120_000)
})
