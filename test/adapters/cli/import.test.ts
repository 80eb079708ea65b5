import { describe, expect, test } from 'vitest'
import { sqlite } from '../../../adapters/sqlite/index.ts'
import { loadLog } from '../../../src/sql/log.ts'
import { loadUser } from '../../../src/sql/read-user.ts'
import { loadUserKeys } from '../../../src/sql/user-lists.ts'
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
  for (const key of await loadUserKeys(storage)) {
    for (const entry of await loadLog(storage, key)) {
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
      'line 7: Unknown time zone "Mars/Base": send an IANA name such as "Europe/London", or leave tz out.',
      'line 8: userId is empty',
      'line 9: occurredAt must be an ISO 8601 instant with its zone, such as 2026-03-02T09:10:00Z',
    ])
    expect(out).toBe('8 read, 2 recorded, 0 replayed, 6 refused in 0.0 s\n')
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

  test('is refused with other separators than commas', async () => {
    for (const separator of [';', '\t', '|']) {
      const text = ['metric', 'userId', 'value'].join(separator)
      const { code, err } = await importText('csv', text, nextDatabase())
      expect(code).toBe(2)
      expect(err).toContain(`the columns are separated by ${JSON.stringify(separator)}: use commas\n`)
    }
  })
})

test('a CSV record of several lines that is not UTF-8 is refused whole', async () => {
  const input = [
    Buffer.from(
      'idempotencyKey,metric,userId,value,attributes.title\nk1,words,ada,1,"one\ntwo \xe9\nthree"\nk2,words,lin,2,\n',
      'latin1',
    ),
  ]
  const args = ['import', '-', '--format', 'csv', '--game', game, '--db', nextDatabase()]
  expect(await laurels(args, { input })).toMatchObject({
    err: 'line 2: is not UTF-8\n',
    out: '2 read, 1 recorded, 0 replayed, 1 refused in 0.0 s\n',
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
    expect(await loadUserKeys(storage)).toEqual([
      { tenant: 'acme', user: 'ada' },
      { tenant: 'initech', user: 'ada' },
    ])
    await storage.close()
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
  const { state } = await loadUser(storage, { tenant: '', user: id })
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
