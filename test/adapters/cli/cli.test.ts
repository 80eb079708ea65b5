import { readdirSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import Database from 'better-sqlite3'
import { describe, expect, test } from 'vitest'
import { sqlite } from '../../../adapters/sqlite/index.ts'
import manifest from '../../../package.json' with { type: 'json' }
import { defineGame } from '../../../src/index.ts'
import { laurels, useFiles } from '../../support/cli.ts'
import { SQLITE_NAMES } from '../../support/migrations.ts'

const file = useFiles()

const DEFINITION = {
  metrics: { words: { name: 'Words' } },
  achievements: { first: { name: 'First words', trigger: 'metric', metric: 'words', value: 1 } },
  points: {
    xp: {
      name: 'XP',
      triggers: [{ type: 'metric', metric: 'words', threshold: 10, points: 1 }],
      levels: { bronze: { name: 'Bronze', points: 1 } },
    },
  },
}
const game = file('game.json', JSON.stringify(DEFINITION))
const otherGame = file(
  'other.json',
  JSON.stringify({ metrics: { words: { name: 'Words' }, pages: { name: 'Pages' } } }),
)

let databases = 0
function nextDatabase(): string {
  databases += 1
  return file(`databases/${databases}/app.db`)
}

describe('the call', () => {
  test.each([[[]], [['--help']], [['doctor', '--game', game]], [['init']]])(
    'on a Node that is too old says so first: %j',
    async (args) => {
      expect(await laurels(args, { node: '20.20.0' })).toMatchObject({
        code: 2,
        out: '',
        err: 'laurels: This is Node 20.20.0, and laurels needs 22.13 or newer: update Node.\n',
      })
    },
  )

  test('without a command prints what there is', async () => {
    const { code, out, err } = await laurels([])
    expect([code, out]).toEqual([2, ''])
    expect(err).toContain('Usage: laurels <command> [options]\n')
  })

  test.each([['--help'], ['-h'], ['help']])('%s prints the commands', async (arg) => {
    const { code, out, err } = await laurels([arg])
    expect(out).toBe(`Usage: laurels <command> [options]

  init           write a starter game, server and test
  demo           fill an empty database with example users
  import         import events and completions from a file
  migrate        update the database schema
  info           print what the database contains
  doctor         check the setup and suggest fixes
  serve          serve the HTTP APIs, the console and the worker
  mcp            let an agent look, and with --write act, over MCP
  console        open the console in a browser
  call           make any call of the API, with its arguments as JSON
  explain        explain an achievement, event, streak, place, challenge or balance
  verify         compare derived rows with the logs
  rebuild        repair the rows that verify finds
  what-if        preview what another game would change
  apply          put another game in force
  void           undo events
  held           list events that limits hold back
  approve        let a held event count
  users          list, export, delete, merge, suspend and correct users
  streaks        give freezes, pause, and restore a user's streak
  points         print balances and statements, and refund what was spent
  rewards        list rewards and redemptions, fulfil and cancel them
  tenants        list, export and delete tenants
  export         export all data as lines of JSON
  keys           create, list, rotate and revoke API keys
  webhooks       create, list, change and replay webhooks
  subscriptions  list subscriptions and their dead letters
  work           publish due messages and send webhooks
  openapi        write the OpenAPI document

  laurels <command> --help  how to use a command
  laurels --version         print the version
`)
    expect([code, err]).toEqual([0, ''])
  })

  test.each([
    'demo',
    'import',
    'migrate',
    'info',
    'doctor',
    'explain',
    'verify',
    'rebuild',
    'what-if',
    'apply',
    'void',
    'held',
    'approve',
    'keys',
    'webhooks',
    'subscriptions',
    'work',
  ])('%s --help prints how to use it, in lines that fit a terminal', async (name) => {
    const { code, out } = await laurels([name, '--help'])
    expect(out).toMatch(new RegExp(`^Usage: laurels ${name} .*--db <file\\|url>`))
    expect(Math.max(...out.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80)
    expect(code).toBe(0)
    expect((await laurels(['help', name])).out).toBe(out)
  })

  test.each([
    ['keys', JSON.stringify({ metrics: { 'a\nlaurels: done': {} } })],
    ['errors', 'throw new Error("no\\nlaurels: done")'],
  ])('line breaks in the %s of a game cannot pass for a line of laurels', async (what, content) => {
    const game = file(what === 'keys' ? 'forged.json' : 'forged.mjs', content)
    const { code, err } = await laurels(['migrate', '--db', file('forged.db'), '--game', game])
    expect(code).toBe(2)
    expect(err).toContain('laurels: done')
    expect(
      err
        .split('\n')
        .slice(1)
        .filter((line) => line.startsWith('laurels')),
    ).toEqual([])
  })

  test('--version prints the version of the package', async () => {
    expect(await laurels(['--version'])).toMatchObject({ code: 0, out: `${manifest.version}\n`, err: '' })
  })

  test.each([
    [['imprt'], "unknown command 'imprt'; did you mean 'import'?", ''],
    [
      ['frobnicate'],
      "unknown command 'frobnicate'; there are 'init', 'demo', 'import', 'migrate', 'info', 'doctor', 'serve', 'mcp', 'console', 'call', 'explain', 'verify', 'rebuild', 'what-if', 'apply', 'void', 'held', 'approve', 'users', 'streaks', 'points', 'rewards', 'tenants', 'export', 'keys', 'webhooks', 'subscriptions', 'work', 'openapi'",
      '',
    ],
    [['--verison'], "unknown option '--verison'; did you mean '--version'?", ''],
    [['info', '--bd', 'x'], "unknown option '--bd'; did you mean '--db'?", 'info '],
    [['import', '--jsn'], "unknown option '--jsn'; did you mean '--json'?", 'import '],
    [['info', 'x.db'], "there is an argument too many: 'x.db'; did you mean --db x.db?", 'info '],
    [['info', 'x\nlaurels: done'], "there is an argument too many: 'x\n  laurels: done'", 'info '],
    [
      ['info'],
      '--db is missing: give the path of the SQLite database, or the URL of a Postgres database, or set DATABASE_URL',
      'info ',
    ],
    [
      ['info', '--db', 'mysql://me:secret@host/app'],
      "--db begins with 'mysql://', for which there is no storage: give a path or a file: URL for SQLite, or postgres://user:password@host/database",
      'info ',
    ],
    [
      ['info', '--db', 'postgres://me:secret@host:many/app'],
      '--db is no URL: write postgres://user:password@host/database',
      'info ',
    ],
    [['info', '--db', 'x.db', '--schema', 'game'], '--schema is for Postgres: leave it out', 'info '],
    [
      ['info', '--db', 'postgres://localhost/app', '--schema', 'information_schema'],
      '--schema information_schema is that of Postgres itself: name another',
      'info ',
    ],
    [
      ['migrate', '--db', 'postgres://localhost/app', '--schema', 'pg_catalog'],
      '--schema pg_catalog is that of Postgres itself: name another',
      'migrate ',
    ],
    [
      ['info', '--db', 'postgres://localhost/app', '--schema', 'x'.repeat(64)],
      '--schema must have 1 to 63 bytes',
      'info ',
    ],
    [
      ['import', 'e.csv', '--game', 'g', '--db', 'postgres://localhost/app', '--synchronous', 'normal'],
      '--synchronous is for SQLite: leave it out',
      'import ',
    ],
    [['import', 'e.csv', '--db', 'x.db'], '--game is missing: give the module or JSON file of the game', 'import '],
    [
      ['import', '--db', 'x.db'],
      '<file> is missing: give .ndjson (or .jsonl), .csv, or - for standard input',
      'import ',
    ],
    [['import', '-', '--game', 'g'], 'say what standard input is with --format csv or --format ndjson', 'import '],
    [['import', 'e.txt', '--game', 'g'], "say what 'e.txt' is with --format csv or --format ndjson", 'import '],
    [
      ['import', 'e.csv', '--game', 'g', '--format', 'cvs'],
      "unknown value of --format 'cvs'; did you mean 'csv'?",
      'import ',
    ],
    [
      ['import', 'e.csv', '--game', 'g', '--synchronous', 'off'],
      "unknown value of --synchronous 'off'; there are 'NORMAL', 'FULL'",
      'import ',
    ],
    [
      ['import', 'e.csv', '--game', 'g', '--db', 'x', '--max-errors', 'many'],
      "--max-errors must be a whole number from 0 on, not 'many'",
      'import ',
    ],
    [['import', 'e.csv', '--game', '/no/game.ts', '--db', 'x'], 'there is no game at /no/game.ts', 'import '],
    [['import', '/no/e.csv', '--game', game, '--db', 'x'], 'there is no file /no/e.csv', 'import '],
  ])('%j is wrong: it says why, and exits with 2', async (args, message, command) => {
    const called = await laurels(args)
    expect(called).toMatchObject({ code: 2, out: '', err: `laurels: ${message}\nSee laurels ${command}--help\n` })
  })

  test('an option without its value is named', async () => {
    const { code, err } = await laurels(['info', '--db'])
    expect(err).toContain("'--db <value>'")
    expect(code).toBe(2)
  })

  test('the package has the command', () => {
    expect(manifest.bin).toEqual({ laurels: './dist/cli.js' })
    expect(readFileSync(new URL('../../../adapters/cli/main.ts', import.meta.url), 'utf8')).toMatch(
      /^#!\/usr\/bin\/env node\n/,
    )
  })
})

describe('the game', () => {
  const migrate = (path: string) => laurels(['migrate', '--dry-run', '--db', nextDatabase(), '--game', path])
  const text = JSON.stringify(DEFINITION)
  const defined = defineGame({ metrics: { words: { name: 'Words' } } })
  const shape = (fingerprint: string): string => {
    return `export default ${JSON.stringify({ definition: defined.definition, fingerprint, rules: {} })}`
  }

  test.each([
    ['default.ts', `interface Game { metrics: object }\nconst game: Game = ${text}\nexport default game`],
    ['named.mts', `export const game = ${text} as const`],
    ['named.js', `export const game = ${text}`],
    ['default.mjs', `export default ${text}`],
    ['common.cjs', `module.exports = ${text}`],
    ['common-named.cjs', `exports.game = ${text}`],
    ['game.json', text],
    ['of-another-copy.mjs', shape(defined.fingerprint)],
  ])('is found in %s', async (name, content) => {
    const { code, out, err } = await migrate(file(`games/${name}`, content))
    expect([code, err]).toEqual([0, ''])
    expect(out).toContain('would store the game as epoch 1\n')
  })

  test.each([
    ['nothing.ts', 'export const gmae = {}', "nothing.ts exports no game: export it as default, or as 'game'"],
    ['number.ts', 'export default 5', "number.ts exports no game: export it as default, or as 'game'"],
    ['throws.ts', 'throw new Error("no env")', 'throws.ts could not be loaded: no env'],
    ['syntax.ts', 'const x = ;', 'syntax.ts could not be loaded: '],
    ['lost.ts', 'import "./nowhere.ts"', 'lost.ts could not be loaded: Cannot find module'],
    ['broken.json', '{', 'broken.json could not be loaded: '],
    ['null.json', 'null', 'null.json: The game has a mistake: '],
    ['game.yaml', 'metrics:', '--game must be a .ts, .js, .mjs or .json file, not '],
    [
      'mistake.json',
      '{ "metrics": { "words": { "name": "Words" } }, "eventAttribute": [] }',
      "mistake.json: The game has a mistake: eventAttribute: unknown property 'eventAttribute'; did you mean 'eventAttributes'?\n",
    ],
    ['newer.mjs', shape('f'.repeat(64)), 'newer.mjs was defined by another version of laurels'],
  ])('in %s is refused', async (name, content, message) => {
    const { code, out, err } = await migrate(file(`games/${name}`, content))
    expect(err).toContain(message)
    expect(err).not.toMatch(/^ +at /m)
    expect([code, out]).toEqual([2, ''])
  })
})

describe('migrate', () => {
  const linesOf = (what: string): string => SQLITE_NAMES.map((name) => `${what} ${name}\n`).join('')

  test('makes the database, and is safe to run again', async () => {
    const db = nextDatabase()
    const first = await laurels(['migrate', '--db', db])
    expect(first).toMatchObject({ code: 0, out: linesOf('applied'), err: '' })
    expect(await laurels(['migrate', '--db', db])).toMatchObject({ code: 0, out: 'no migration to apply\n', err: '' })
  })

  test('stores the game, and says which is in force', async () => {
    const db = nextDatabase()
    const call = async (path: string): Promise<string> => {
      return (await laurels(['migrate', '--db', db, '--game', path])).out
    }
    expect(await call(game)).toBe(`${linesOf('applied')}stored the game as epoch 1\n`)
    expect(await call(game)).toBe('no migration to apply\nthe game is stored already (epoch 1)\n')
    expect(await call(otherGame)).toBe(
      'no migration to apply\nstored the game as epoch 2: its rules count from now on\n',
    )
    expect(await call(game)).toBe(
      'no migration to apply\nThe rules of another deploy (epoch 2) are in force, not the game of this process. It returns if the processes of that deploy end. To put it in force now: npx laurels apply --policy forward --game <file>\n',
    )
  })

  test('--dry-run changes no database', async () => {
    const db = nextDatabase()
    new Database(db).exec('create table orders (id integer)').close()
    const empty = readFileSync(db)
    const dry = await laurels(['migrate', '--dry-run', '--db', db, '--game', game])
    expect(dry.out).toBe(`${linesOf('would apply')}would store the game as epoch 1\nNothing was written.\n`)
    expect(readFileSync(db)).toEqual(empty)
    expect(readdirSync(dirname(db))).toEqual(['app.db'])

    await laurels(['migrate', '--db', db, '--game', game])
    const migrated = readFileSync(db)
    const other = await laurels(['migrate', '--dry-run', '--db', db, '--game', otherGame])
    expect(other.out).toBe(
      'no migration to apply\nwould store the game as epoch 2: its rules count from then on\nNothing was written.\n',
    )
    expect(readFileSync(db)).toEqual(migrated)
    expect(readdirSync(dirname(db))).toEqual(['app.db'])
  })
})

describe('info', () => {
  async function filled(): Promise<string> {
    const db = nextDatabase()
    const csv = file(
      'info.csv',
      'metric,userId,value,idempotencyKey\nwords,ada,25,k1\nwords,lin,5,k2\nwords,lin,1,k3\nwords,zoe,-5,k4\n',
    )
    await laurels(['import', csv, '--game', game, '--db', db])
    return db
  }

  test('says why there is each epoch', async () => {
    const db = await filled()
    await laurels(['apply', '--db', db, '--game', otherGame, '--policy', 'grant'])
    const { out } = await laurels(['info', '--json', '--db', db])
    const info: { games: { epoch: number; policy: string; cause: string }[] } = JSON.parse(out)
    expect(info.games.map(({ epoch, policy, cause }) => [epoch, policy, cause])).toEqual([
      [1, 'forward', 'start'],
      [2, 'grant', 'apply'],
    ])
  })

  test('prints what there is', async () => {
    const db = await filled()
    const { code, out, err } = await laurels(['info', '--db', db])
    expect(
      out.replace(/since \d{4}-\d\d-\d\d \d\d:\d\d \([\w/+-]+\), [0-9a-f]{64},/m, 'since <instant>, <fingerprint>,'),
    ).toBe(`laurels ${manifest.version}
database: ${db}
migrations: ${SQLITE_NAMES.join(', ')}
games:
  epoch 1, forward, since <instant>, <fingerprint>, a process started with it
users: 3
log entries: 4
achievements completed: 2
  first: 2
users on a level:
  xp, bronze: 1
`)
    expect([code, err]).toEqual([0, ''])
  })

  test('a file that is no database, and one of a newer version', async () => {
    const notes = file('notes.txt', 'Dear diary, '.repeat(1_000))
    const unusable = await laurels(['info', '--db', notes])
    expect(unusable).toMatchObject({ code: 2, out: '', err: expect.stringContaining('is not a SQLite database') })

    const db = nextDatabase()
    const storage = sqlite(db)
    await storage.migrate()
    await storage.close()
    new Database(db).exec(`insert into laurels_migrations values ('9999-of-tomorrow', 9999)`).close()
    const newer = await laurels(['info', '--db', db])
    expect(newer).toMatchObject({ code: 2, out: '', err: expect.stringContaining('made by a newer laurels') })
  })
})
