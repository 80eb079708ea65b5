import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { type Consumer, useConsumer } from '../support/consumer.ts'

const ENTRIES = [
  'laurels',
  'laurels/better-auth',
  'laurels/client',
  'laurels/console',
  'laurels/durable-objects',
  'laurels/elements',
  'laurels/elements/badges',
  'laurels/elements/challenges',
  'laurels/elements/choices',
  'laurels/elements/leaderboard',
  'laurels/elements/level',
  'laurels/elements/react',
  'laurels/elements/rewards',
  'laurels/elements/streak',
  'laurels/elements/wallet',
  'laurels/express',
  'laurels/fastify',
  'laurels/fetch',
  'laurels/memory',
  'laurels/opentelemetry',
  'laurels/postgres',
  'laurels/react',
  'laurels/sqlite',
  'laurels/testing',
  'laurels/testing/storage',
] as const
// Modules that only their own users should load.
const LAZY = ['kysely', 'better-sqlite3', 'pg', 'express', 'fastify', 'csv-parse', 'jiti']

const GAME = `{
  metrics: { words: { name: 'Words' } },
  achievements: { first: { name: 'First words', trigger: 'metric', metric: 'words', value: 1 } },
}`

// The same for `import` and `require`: only the heads differ.
const PLAY = `
  const { createGamification, defineGame, isGamificationError } = laurels
  const game = defineGame(${GAME})

  for (const [name, storage] of [['memory', memory.memory()], ['sqlite', sqlite.sqlite(':memory:')]]) {
    const gamification = createGamification({ game, storage })
    await gamification.migrate()
    const answer = await gamification.metrics.event('words', { user: { id: 'ada' }, value: 2 })
    const refused = await gamification.users.get('bob').catch((error) => isGamificationError(error) && error.code)
    await gamification.close()
    console.log(name, answer.total, answer.achievements.map(({ key }) => key).join(), refused)
  }

  const start = testing.createScenario(game, { now: '2026-03-01T00:00:00Z' })
  start.when(testing.event('words', 1)).thenExpect({ achievements: ['first'] })
  console.log('testing', testing.createTestClock('2026-03-01T00:00:00Z').now().toISOString())
`

const PLAYED = [
  'memory 2 first unknown_user',
  'sqlite 2 first unknown_user',
  'testing 2026-03-01T00:00:00.000Z',
  '',
].join('\n')

/** It is built on a Node-API that 22.13 does not have. */
const hasBetterSqlite3 = Number(process.versions.napi) >= 10

/** `console` is a name of everybody's. */
const name = (entry: string): string =>
  entry === 'laurels/console' ? 'itsConsole' : entry.replace('laurels/', '').replaceAll(/[/-]/g, '_')

describe('in a project that has installed the package', () => {
  const consumer = useConsumer([...(hasBetterSqlite3 ? ['better-sqlite3'] : []), '@opentelemetry/api', 'react'])

  test('npm had nothing to warn of', () => {
    expect(consumer().warnings).toBe('')
  })

  test('everything runs by import', async () => {
    const heads = ENTRIES.map((entry) => `import * as ${name(entry)} from '${entry}'\n`).join('')
    consumer().write('play.mjs', heads + PLAY)
    const { code, out, err } = await consumer().node('play.mjs')
    expect({ code, out, err: withoutExperimental(err) }).toEqual({ code: 0, out: PLAYED, err: '' })
  })

  test('everything runs by require', async () => {
    const heads = ENTRIES.map((entry) => `const ${name(entry)} = require('${entry}')\n`).join('')
    consumer().write('play.cjs', `${heads}void (async () => {${PLAY}})()`)
    const { code, out, err } = await consumer().node('play.cjs')
    expect({ code, out }).toEqual({ code: 0, out: PLAYED })
    expect(withoutExperimental(err)).toBe('')
  })

  test('import and require lead to the same module', async () => {
    consumer().write(
      'same.cjs',
      `const entries = ${JSON.stringify(ENTRIES)}
       Promise.all(entries.map((entry) => import(entry))).then((modules) =>
         console.log(JSON.stringify(modules.map((module, index) => module === require(entries[index])))))`,
    )
    const { out } = await consumer().node('same.cjs')
    expect(JSON.parse(out)).toEqual(ENTRIES.map(() => true))
  })

  test('the package.json can be read, and nothing else that is not exported', async () => {
    consumer().write(
      'manifest.cjs',
      `console.log(require('laurels/package.json').name)
       for (const file of ['dist/index.js', 'cli', 'sql']) {
         try { require('laurels/' + file) } catch (error) { console.log(error.code) }
       }`,
    )
    const { out } = await consumer().node('manifest.cjs')
    expect(out).toBe(['laurels', ...Array(3).fill('ERR_PACKAGE_PATH_NOT_EXPORTED'), ''].join('\n'))
  })

  test('every entry is tried here', () => {
    const exported = Object.keys(installed(consumer()).exports).filter((entry) => !entry.endsWith('.json'))
    expect(exported.map((entry) => entry.replace('.', 'laurels')).sort()).toEqual([...ENTRIES].sort())
  })

  describe('what is loaded', () => {
    beforeAll(() => {
      consumer().write('list.mjs', LIST)
      consumer().write('hooks.mjs', HOOKS)
    })

    test.each(ENTRIES)('by %s is what it needs', async (entry) => {
      const { out, err } = await consumer().node('list.mjs', entry)
      const files = out.trimEnd().split('\n')
      expect(withoutExperimental(err)).toBe('')
      expect(packagesOf(files)).toContain('laurels')
      expect(packagesOf(files).filter((each) => LAZY.includes(each))).toEqual([])

      // `build/main.ts` puts the sources of each layer into the chunk of this name.
      const loads = (chunk: string): boolean => files.some((file) => file.includes(`/laurels/dist/${chunk}`))
      expect({
        testing: loads('testing'),
        memory: loads('memory.js'),
        sqlite: loads('sqlite-storage.js'),
        postgres: loads('postgres-storage.js'),
        http: loads('http.js'),
        console: loads('console-server.js'),
        cli: loads('run.js'),
      }).toEqual({
        testing: entry.startsWith('laurels/testing'),
        memory: entry === 'laurels/memory',
        sqlite: /\/(?:durable-objects|memory|sqlite)$/.test(entry),
        postgres: entry === 'laurels/postgres',
        http: /\/(?:console|durable-objects|express|fastify|fetch)$/.test(entry),
        console: entry === 'laurels/console',
        cli: false,
      })
    })

    test('by laurels/client is its own few files, for a browser has none of the others', async () => {
      const { out } = await consumer().node('list.mjs', 'laurels/client')
      const files = out
        .trimEnd()
        .split('\n')
        .filter((file) => !file.endsWith('.mjs'))
      expect(files.filter((file) => !file.includes('/laurels/dist/client/'))).toEqual([])
      expect(files).not.toEqual([])
    })

    test.skipIf(!hasBetterSqlite3)('is the driver once it is needed', async () => {
      consumer().write('open.mjs', `import { sqlite } from 'laurels/sqlite'\nawait sqlite(':memory:').migrate()`)
      const { out } = await consumer().node('list.mjs', './open.mjs')
      expect(packagesOf(out.trimEnd().split('\n'))).toEqual(
        expect.arrayContaining(['better-sqlite3', 'laurels', 'zod']),
      )
    })
  })

  describe('the command', () => {
    test('is there, and says its version', async () => {
      const { version } = installed(consumer())
      expect(await consumer().laurels('--version')).toEqual({ code: 0, out: `${version}\n`, err: '' })
    })

    test('imports with a game in TypeScript', async () => {
      consumer().write('game.ts', `import { defineGame } from 'laurels'\nexport const game = defineGame(${GAME})`)
      consumer().write('events.csv', 'metric,userId,value,idempotencyKey\nwords,ada,5,k1\n')
      const { code, out, err } = await consumer().laurels('import', 'events.csv', '--game', 'game.ts', '--db', 'app.db')
      expect({ code, err: withoutExperimental(err) }).toEqual({ code: 0, err: '' })
      expect(out).toMatch(/^1 read, 1 recorded, 0 replayed, 0 refused/)
    })
  })

  describe.skipIf(!hasBetterSqlite3)('without a better-sqlite3 that works', () => {
    const ANEW =
      'better-sqlite3 could not be loaded: it has no binary for this system. Install it again, npm install better-sqlite3@13, ' +
      'or remove it: then sqlite() takes node:sqlite.'

    beforeAll(() => {
      consumer().write(
        'migrate.mjs',
        `import { sqlite } from 'laurels/sqlite'
         await sqlite(':memory:').migrate().then(() => console.log('migrated'), ({ code, message }) => console.log(code + ': ' + message))`,
      )
    })

    /** Moves a part of the installed driver away while `ask` runs. */
    async function without<T>(part: string, ask: () => Promise<T>): Promise<T> {
      const place = join(consumer().directory, 'node_modules/better-sqlite3', part)
      renameSync(place, `${place}-away`)
      try {
        return await ask()
      } finally {
        renameSync(`${place}-away`, place)
      }
    }

    async function expectAnswer(message: string): Promise<void> {
      expect(await consumer().node('migrate.mjs')).toEqual({ code: 0, out: `storage_unusable: ${message}\n`, err: '' })

      const called = await consumer().laurels('migrate', '--db', 'other.db')
      expect({ code: called.code, out: called.out }).toEqual({ code: 2, out: '' })
      expect(called.err).toContain(message)
      expect(existsSync(join(consumer().directory, 'other.db'))).toBe(false)
    }

    test('takes node:sqlite where none is installed', async () => {
      const { code, out, err } = await without('', () => consumer().node('migrate.mjs'))
      expect({ code, out, err: withoutExperimental(err) }).toEqual({ code: 0, out: 'migrated\n', err: '' })
    })

    test('says what to do about one that has no binary for this system', async () => {
      await without('prebuilds', () => expectAnswer(ANEW))
    })

    test('says what to do about one whose binary is for another system', async () => {
      await without('prebuilds', async () => {
        const place = join(consumer().directory, 'node_modules/better-sqlite3/prebuilds')
        mkdirSync(place)
        for (const name of readdirSync(`${place}-away`)) writeFileSync(join(place, name), 'made for another system')
        await expectAnswer(ANEW)
        rmSync(place, { recursive: true })
      })
    })

    test('leaves the rest usable', async () => {
      consumer().write(
        'rest.mjs',
        `import { memory } from 'laurels/memory'\nimport 'laurels/sqlite'\nawait memory().migrate()\nconsole.log('fine')`,
      )
      expect(await without('', () => consumer().node('rest.mjs'))).toEqual({ code: 0, out: 'fine\n', err: '' })
    })
  })
})

// Prints the file of each module that a program loads, whether by import or by require.
const LIST = `
  import { createRequire, register } from 'node:module'
  register('./hooks.mjs', import.meta.url)
  await import(process.argv[2])
  for (const file of Object.keys(createRequire(import.meta.url).cache)) console.log(file)
`
const HOOKS = `
  import { writeSync } from 'node:fs'
  export async function load(url, context, next) {
    writeSync(1, url + '\\n')
    return next(url, context)
  }
`

function packagesOf(files: readonly string[]): readonly string[] {
  const names = files.map((file) => /node_modules[\\/](?<name>(?:@[^\\/]+[\\/])?[^\\/]+)/.exec(file)?.groups?.name)
  return [...new Set(names)].filter((each) => each !== undefined)
}

function installed({ directory }: Consumer): { readonly version: string; readonly exports: object } {
  return JSON.parse(readFileSync(join(directory, 'node_modules/laurels/package.json'), 'utf8'))
}

/** Node calls `node:sqlite` experimental, and 22 `require` of an ES module; 26 will drop what the list is made by. */
function withoutExperimental(text: string): string {
  return text
    .split('\n')
    .filter(
      (line) =>
        !/ExperimentalWarning: .*(?:require|CommonJS|SQLite)|DeprecationWarning: .*register|node --trace-/.test(line),
    )
    .join('\n')
}
