import { existsSync } from 'node:fs'
import Database from 'better-sqlite3'
import { describe, expect, test } from 'vitest'
import { sqlite } from '../../../adapters/sqlite/index.ts'
import { createGamification, defineGame } from '../../../src/index.ts'
import { laurels, useFiles } from '../../support/cli.ts'

const file = useFiles()

const game = file(
  'game.ts',
  `interface Named { readonly name: string }
   const words: Named = { name: 'Words written' }
   export const game = {
     metrics: { words },
     eventAttributes: ['source', 'title'],
     achievements: { first: { name: 'First words', trigger: 'metric', metric: 'words', value: 1 } },
   }`,
)

let databases = 0
function nextDatabase(): string {
  databases += 1
  return file(`import-${databases}.db`)
}

interface Recorded {
  readonly user: string
  readonly value: number
  readonly at: string
  readonly attributes: Readonly<Record<string, string>>
}

/** The events of all users. */
async function readEvents(db: string): Promise<readonly Recorded[]> {
  const storage = sqlite(db)
  const events: Recorded[] = []
  for (const key of await storage.listUsers()) {
    for (const entry of await storage.readLog(key)) {
      if (entry.kind !== 'eventRecorded') continue
      const { at, value, attributes } = entry
      events.push({ user: key.user, value, at: new Date(at).toISOString(), attributes: Object.fromEntries(attributes) })
    }
  }
  await storage.close()
  return events
}

const bytes = (text: string): Uint8Array[] => [Buffer.from(text)]

/** Imports a text from standard input. */
function importText(format: 'csv' | 'ndjson', text: string, db: string, ...args: readonly string[]) {
  return laurels(['import', '-', '--format', format, '--game', game, '--db', db, ...args], { input: bytes(text) })
}

const CSV = `metric,userId,value,occurredAt,idempotencyKey,tz,attributes.source
words,ada,750,2026-03-02T09:10:00Z,k1,Europe/London,web
words,ada,abc,2026-03-02T09:11:00Z,k2,,
wrods,ada,5,2026-03-02T09:12:00Z,k3,,

words,ada,5
words,ada,5,2026-03-02T09:13:00Z,k4,Mars/Base,
words,,5,2026-03-02T09:14:00Z,k5,,
words,ada,5,2026-03-02,k6,,
words,lin,-20,2026-03-02T09:15:00+09:00,k7,Asia/Tokyo,
`

const NDJSON = `{"metric":"words","user":{"id":"ada","tz":"Europe/London"},"value":750,"attributes":{"source":"web"},"idempotencyKey":"k1","occurredAt":"2026-03-02T09:10:00Z"}
{"metric":"words","user":{"id":"ada"},"value":"5","idempotencyKey":"k2"}
{"metric":"wrods","user":{"id":"ada"},"value":5,"idempotencyKey":"k3"}

{"metric":"words","value":5}
{"metric":"words","user":
{"metric":"words","user":{"id":"ada","tz":"Mars/Base"},"value":5}
["words"]
{"metric":"words","user":{"id":"ada"},"value":5,"occuredAt":"2026-03-02T09:12:00Z"}
{"metric":"words","user":{"id":"ada"},"value":5,"occurredAt":1772442600000}
{"metric":"words","user":{"id":"lin"},"value":-20,"idempotencyKey":"k7","occurredAt":"2026-03-02T09:15:00+09:00"}`

const RECORDED: readonly Recorded[] = [
  { user: 'ada', value: 750, at: '2026-03-02T09:10:00.000Z', attributes: { source: 'web' } },
  { user: 'lin', value: -20, at: '2026-03-02T00:15:00.000Z', attributes: {} },
]

describe('a file with good and bad lines', () => {
  test('as CSV: the good ones are recorded, the others named with their lines', async () => {
    const db = nextDatabase()
    const { code, out, errLines } = await laurels(['import', file('e.csv', CSV), '--game', game, '--db', db])
    expect(errLines).toEqual([
      'line 3: value "abc" is not a number',
      'line 4: Unknown metric "wrods": the game has "words".',
      'line 6: has 3 fields where the header names 7 columns',
      'line 7: Unknown time zone "Mars/Base": send an IANA name such as "Europe/London", or "UTC".',
      'line 8: userId is empty',
      'line 9: occurredAt must be an ISO 8601 instant with its zone, such as 2026-03-02T09:10:00Z',
    ])
    expect(out).toBe('8 read, 2 recorded, 0 replayed, 6 refused in 0.0 s\n')
    expect(code).toBe(1)
    expect(await readEvents(db)).toEqual(RECORDED)
  })

  test('as NDJSON', async () => {
    const db = nextDatabase()
    const { code, out, errLines } = await laurels(['import', file('e.ndjson', NDJSON), '--game', game, '--db', db])
    expect(errLines).toContainEqual(expect.stringMatching(/^line 6: is not JSON: /))
    expect(errLines.filter((line) => !line.startsWith('line 6:'))).toEqual(
      [
        `line 10: occurredAt must be an ISO 8601 instant with its zone, such as 2026-03-02T09:10:00Z`,
        'line 2: Invalid import item: value: must be a finite number',
        'line 3: Unknown metric "wrods": the game has "words".',
        'line 5: Invalid import item: user: must be an object; it is missing',
        'line 7: Unknown time zone "Mars/Base": send an IANA name such as "Europe/London", or "UTC".',
        'line 8: is no JSON object',
        "line 9: unknown property 'occuredAt'; did you mean 'occurredAt'?",
        'Without idempotencyKey, and recorded again by a next run: 2 lines.',
      ].sort(),
    )
    expect(out).toBe('10 read, 2 recorded, 0 replayed, 8 refused in 0.0 s\n')
    expect(code).toBe(1)
    expect(await readEvents(db)).toEqual(RECORDED)
  })

  test('run again, everything good is replayed', async () => {
    const db = nextDatabase()
    const good = 'metric,userId,value,idempotencyKey\nwords,ada,5,k1\nwords,lin,6,k2\n'
    const first = await importText('csv', good, db)
    const second = await importText('csv', `${good}words,lin,7,k3\n`, db)
    expect(first).toMatchObject({ code: 0, out: '2 read, 2 recorded, 0 replayed, 0 refused in 0.0 s\n', err: '' })
    expect(second).toMatchObject({ code: 0, out: '3 read, 1 recorded, 2 replayed, 0 refused in 0.0 s\n', err: '' })
  })

  test('with --json the summary is JSON, its refusals in the order of the lines', async () => {
    const text = 'metric,userId,value\nwrods,ada,5\nwords,ada,x\nwords,ada,5\n'
    const { code, out } = await importText('csv', text, nextDatabase(), '--json')
    expect(JSON.parse(out)).toEqual({
      read: 3,
      recorded: 1,
      replayed: 0,
      refused: 2,
      interrupted: false,
      withoutIdempotencyKey: 2,
      refusals: [
        { line: 2, code: 'unknown_metric', message: 'Unknown metric "wrods": the game has "words".' },
        { line: 3, code: 'invalid_request', message: 'value "x" is not a number' },
      ],
    })
    expect(code).toBe(1)
  })

  test('with --max-errors no more refusals are printed than that, and all are counted', async () => {
    const text = 'metric,userId,value\nwords,ada,x\nwords,ada,y\nwords,ada,z\n'
    const { code, out, err } = await importText('csv', text, nextDatabase(), '--max-errors', '1')
    expect(err).toBe('line 2: value "x" is not a number\n2 more refused lines not printed (--max-errors)\n')
    expect(out).toBe('3 read, 0 recorded, 0 replayed, 3 refused in 0.0 s\n')
    expect(code).toBe(1)
  })

  test('what is odd in a line reaches the terminal as text', async () => {
    const text = 'metric,userId,value\nwords,ada,"\u001b[2J\n5"\n'
    const { err } = await importText('csv', text, nextDatabase())
    expect(err).toBe('line 2: value "\\u001b[2J\\n5" is not a number\n')
  })
})

describe('CSV', () => {
  test('has a byte order mark, CRLF, quoted commas, quotes and newlines; lines are counted as an editor does', async () => {
    const db = nextDatabase()
    const text = [
      '\ufeffuserId,metric,value,attributes.title',
      'ada,words,1,"one, two"',
      'ada,words,2,"say ""hi"""',
      '"ada",words,"3","over\r\nthree\r\nlines"',
      '',
      ',,,',
      'ada,words,x,',
      'ada,words, 4 ,',
      'zoë,words,1e2,x',
    ].join('\r\n')
    const { err } = await importText('csv', text, db)
    expect(err).toMatch(/^line 9: value "x" is not a number\n/)
    const events = await readEvents(db)
    expect(events.map(({ user, value, attributes }) => [user, value, attributes.title])).toEqual([
      ['ada', 1, 'one, two'],
      ['ada', 2, 'say "hi"'],
      ['ada', 3, 'over\r\nthree\r\nlines'],
      ['ada', 4, undefined],
      ['zoë', 100, 'x'],
    ])
  })

  test('a line with broken quotes costs no other', async () => {
    const db = nextDatabase()
    const text = [
      'metric,userId,value,attributes.title',
      'words,ada,1,fine',
      'words,ada,2,5" disk',
      'words,ada,3,"a"b',
      'words,ada,4,fine',
      'words,ada,5,"never closed',
      'words,ada,6,fine',
      'words,ada,7,also fine',
    ].join('\n')
    const { errLines, out } = await importText('csv', text, db)
    expect(errLines.slice(1)).toEqual([
      'line 3: has a quote in a field that does not begin with one: quote the whole field',
      'line 4: has text behind a closing quote: a quote inside a quoted field is written twice',
      'line 6: opens a quote that is not closed',
    ])
    expect(out).toBe('7 read, 4 recorded, 0 replayed, 3 refused in 0.0 s\n')
    expect((await readEvents(db)).map(({ value }) => value)).toEqual([1, 4, 6, 7])
  })

  test('a line of more than 1 MiB is refused, and not cut', async () => {
    const text = `metric,userId,value,idempotencyKey\nwords,${'x'.repeat(1_100_000)},1,k1\nwords,ada,2,k2\n`
    const { out, err } = await importText('csv', text, nextDatabase())
    expect(err).toBe('line 2: is longer than 1 MiB\n')
    expect(out).toBe('2 read, 1 recorded, 0 replayed, 1 refused in 0.0 s\n')
  })
})

describe('NDJSON', () => {
  test('has a byte order mark, CRLF and U+2028 inside of texts', async () => {
    const db = nextDatabase()
    const item = { metric: 'words', user: { id: 'ada' }, value: 1, attributes: { title: 'a\u2028b' } }
    const { code } = await importText('ndjson', `\ufeff${JSON.stringify(item)}\r\n  \r\n${JSON.stringify(item)}`, db)
    expect(code).toBe(0)
    expect((await readEvents(db)).map(({ attributes }) => attributes.title)).toEqual(['a\u2028b', 'a\u2028b'])
  })

  test('an empty file is no mistake', async () => {
    const { code, out } = await importText('ndjson', '', nextDatabase())
    expect([code, out]).toEqual([0, '0 read, 0 recorded, 0 replayed, 0 refused in 0.0 s\n'])
  })
})

describe('progress', () => {
  const rows = Array.from({ length: 5 }, (_, index) => `words,ada,${index},k${index}\n`).join('')
  const csv = file('progress.csv', `metric,userId,value,idempotencyKey\n${rows}`)

  test('piped it is a line a second, without control characters', async () => {
    const { err } = await laurels(['import', csv, '--game', game, '--db', nextDatabase()], { tick: 500 })
    expect(err).toBe('0 %, 2 lines, 0 refused, 2/s\n0 %, 4 lines, 0 refused, 2/s\n')
  })
})

describe('an import that ends early', () => {
  const LINE = (key: string): string => `{"metric":"words","user":{"id":"ada"},"value":1,"idempotencyKey":"${key}"}\n`
  const args = (db: string): string[] => ['import', '-', '--format', 'ndjson', '--game', game, '--db', db]

  test('interrupted: what was read is recorded, and the next run goes on', async () => {
    const db = nextDatabase()
    const controller = new AbortController()
    async function* input(): AsyncGenerator<Uint8Array> {
      yield Buffer.from(LINE('k1') + LINE('k2'))
      setTimeout(() => controller.abort(), 20)
      // A pipe that never says anything again.
      await new Promise(() => undefined)
    }
    const interrupted = await laurels(args(db), { input: input(), signal: controller.signal })
    expect(interrupted).toMatchObject({
      code: 130,
      out: '2 read, 2 recorded, 0 replayed, 0 refused in 0.0 s\n',
      err: 'Interrupted. Run the same command again to resume; what has an idempotencyKey is not recorded twice.\n',
    })
    const resumed = await laurels(args(db), { input: bytes(LINE('k1') + LINE('k2') + LINE('k3')) })
    expect(resumed.out).toBe('3 read, 1 recorded, 2 replayed, 0 refused in 0.0 s\n')
  })

  test('the file cannot be read on: what was read is recorded, and the exit code says so', async () => {
    async function* input(): AsyncGenerator<Uint8Array> {
      yield Buffer.from(LINE('k1'))
      throw new Error('EIO: i/o error, read')
    }
    const { code, out, err } = await laurels(args(nextDatabase()), { input: input() })
    expect(out).toBe('1 read, 1 recorded, 0 replayed, 0 refused in 0.0 s\n')
    expect(err).toBe('laurels: The file could not be read to its end: EIO: i/o error, read\n')
    expect(code).toBe(2)
  })

  test('the storage fails on the way: it says how far it came', async () => {
    const db = nextDatabase()
    async function* input(): AsyncGenerator<Uint8Array> {
      yield Buffer.from(LINE('k1'))
      // Until the database has its tables, and the first line.
      while (!existsSync(db) || (await readEvents(db)).length === 0)
        await new Promise((resolve) => setTimeout(resolve, 5))
      new Database(db).exec('drop table laurels_log').close()
      yield Buffer.from(LINE('k2'))
    }
    const { code, out, err } = await laurels(args(db), { input: input() })
    expect(err).toBe(
      [
        'Stopped near line 2. Run the same command again to resume; what has an idempotencyKey is not recorded twice.',
        `laurels: SQLite refused what laurels asked of ${db}. Nothing was stored.`,
        '  because: no such table: laurels_log',
        '',
      ].join('\n'),
    )
    expect([code, out]).toEqual([2, ''])
  })

  test('the file is no database', async () => {
    const notes = file('notes.db', 'Dear diary, '.repeat(1_000))
    const { code, out, err } = await laurels(args(notes), { input: bytes(LINE('k1')) })
    expect(err).toBe(
      `laurels: ${notes} is not a SQLite database, or it is damaged. Give another path, or restore a backup.\n`,
    )
    expect([code, out]).toEqual([2, ''])
  })
})

describe('tenants', () => {
  const tenants = file('tenants.json', '{ "metrics": { "words": { "name": "Words" } }, "multiTenant": true }')
  const csv = file('tenants.csv', 'metric,userId,value,idempotencyKey\nwords,ada,5,k1\n')

  test('each has its own users and keys', async () => {
    const db = nextDatabase()
    for (const tenant of ['acme', 'initech']) {
      const { out } = await laurels(['import', csv, '--game', tenants, '--db', db, '--tenant', tenant])
      expect(out).toBe('1 read, 1 recorded, 0 replayed, 0 refused in 0.0 s\n')
    }
    const storage = sqlite(db)
    expect(await storage.listUsers()).toEqual([
      { tenant: 'acme', user: 'ada' },
      { tenant: 'initech', user: 'ada' },
    ])
    await storage.close()
  })

  test.each([
    [[], 'laurels: the game has tenants: say which one with --tenant\n'],
    [['--tenant', ''], 'laurels: --tenant must not be empty\n'],
  ])('in a game that has them, %j is not enough', async (args, message) => {
    const { code, err } = await laurels(['import', csv, '--game', tenants, '--db', nextDatabase(), ...args])
    expect([code, err]).toEqual([2, `${message}See laurels import --help\n`])
  })

  test('in a game that has none, --tenant is a mistake', async () => {
    const { code, err } = await laurels(['import', csv, '--game', game, '--db', nextDatabase(), '--tenant', 'acme'])
    expect(err).toContain('laurels: the game has no tenants (multiTenant): leave --tenant out\n')
    expect(code).toBe(2)
  })
})

const apiGame = file(
  'api-game.json',
  JSON.stringify({
    metrics: { words: { name: 'Words' } },
    achievements: {
      profile: { name: 'Profile', trigger: 'api' },
      first: { name: 'First', trigger: 'metric', metric: 'words', value: 1 },
    },
  }),
)

async function achievementsOf(db: string, id: string): Promise<readonly (readonly [string, string])[]> {
  const storage = sqlite(db)
  const { state } = await storage.readUser({ tenant: '', user: id })
  await storage.close()
  return [...(state?.completions ?? [])]
    .map(([key, { at }]) => [key, new Date(at).toISOString()] as const)
    .sort(([, a], [, b]) => (a < b ? -1 : 1))
}

describe('completions', () => {
  const run = (format: 'csv' | 'ndjson', text: string, db: string, ...args: readonly string[]) =>
    laurels(['import', '-', '--format', format, '--game', apiGame, '--db', db, '--json', ...args], {
      input: bytes(text),
    })

  test('of a CSV file have columns of their own, and are recorded once', async () => {
    const db = nextDatabase()
    const csv = 'achievement,userId,occurredAt,tz\nprofile,ada,2026-02-01T09:00:00Z,Europe/London\nprofile,ben,,\n'
    const first = await run('csv', csv, db)
    expect(JSON.parse(first.out)).toMatchObject({
      recorded: 1,
      refused: 1,
      withoutIdempotencyKey: 0,
      refusals: [{ line: 3, message: 'occurredAt is empty' }],
    })
    expect(JSON.parse((await run('csv', csv, db)).out)).toMatchObject({ recorded: 0, replayed: 1, refused: 1 })
    expect(await achievementsOf(db, 'ada')).toEqual([['profile', '2026-02-01T09:00:00.000Z']])
  })

  test('may be in one CSV file with events', async () => {
    const db = nextDatabase()
    const csv = `metric,achievement,userId,value,occurredAt,idempotencyKey
words,,ada,5,2026-02-02T09:00:00Z,k1
,profile,ada,,2026-02-01T09:00:00Z,
words,profile,ada,5,2026-02-01T09:00:00Z,
,,ada,5,2026-02-01T09:00:00Z,
,profile,ada,5,2026-02-01T09:00:00Z,
`
    const { refusals, ...counts } = JSON.parse((await run('csv', csv, db)).out)
    expect(counts).toMatchObject({ recorded: 2, refused: 3 })
    expect(refusals).toMatchObject([
      { line: 4, message: 'has a metric and an achievement: give each a line of its own' },
      { line: 5, message: 'metric is empty' },
      { line: 6, message: 'has a value, which completions do not have' },
    ])
    expect(await achievementsOf(db, 'ada')).toEqual([
      ['profile', '2026-02-01T09:00:00.000Z'],
      ['first', '2026-02-02T09:00:00.000Z'],
    ])
  })

  test('of JSON lines name an achievement in place of a metric', async () => {
    const db = nextDatabase()
    const lines = `{"achievement":"profile","user":{"id":"ada"},"occurredAt":"2026-02-01T09:00:00Z"}
{"achievement":"profile","user":{"id":"ben"}}
{"achievment":"profile","user":{"id":"ben"},"occurredAt":"2026-02-01T09:00:00Z"}
`
    const { refusals, ...counts } = JSON.parse((await run('ndjson', lines, db)).out)
    expect(counts).toMatchObject({ recorded: 1, refused: 2, withoutIdempotencyKey: 0 })
    expect(refusals).toMatchObject([
      { line: 2, message: expect.stringContaining('occurredAt') },
      { line: 3, message: expect.stringContaining("did you mean 'achievement'?") },
    ])
    expect(await achievementsOf(db, 'ada')).toEqual([['profile', '2026-02-01T09:00:00.000Z']])
  })
})

describe('--notify', () => {
  async function messagesAfter(...args: readonly string[]): Promise<readonly string[]> {
    const db = nextDatabase()
    const definition = defineGame({ metrics: { words: { name: 'Words' } } })
    const gamification = createGamification({ game: definition, storage: sqlite(db) })
    await gamification.migrate()
    const handed: string[] = []
    await gamification.subscribe('all', { types: ['user.created'] }, (messages) => {
      handed.push(...messages.map(({ userId }) => userId ?? ''))
    })
    const wordsGame = file('words-game.json', JSON.stringify({ metrics: { words: { name: 'Words' } } }))
    const csv = bytes('metric,userId,value,occurredAt,idempotencyKey\nwords,ada,1,2026-02-01T09:00:00Z,k1\n')
    await laurels(['import', '-', '--format', 'csv', '--game', wordsGame, '--db', db, ...args], { input: csv })
    await gamification.workOnce()
    await gamification.close()
    return handed
  }

  test('publishes messages about what is imported, and nothing is published without it', async () => {
    expect(await messagesAfter()).toEqual([])
    expect(await messagesAfter('--notify')).toEqual(['ada'])
  })
})
