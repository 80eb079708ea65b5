// @heavy: It takes more than three seconds.

import Database from 'better-sqlite3'
import { describe, expect, test } from 'vitest'
import { run } from '../../../adapters/cli/run.ts'
import { laurels, useFiles } from '../../support/cli.ts'

const file = useFiles()

const game = file(
  'game.json',
  JSON.stringify({
    metrics: { words: { name: 'Words' } },
    achievements: { first: { name: 'First words', trigger: 'metric', metric: 'words', value: 1 } },
    points: {
      xp: {
        name: 'XP',
        triggers: [{ type: 'metric', metric: 'words', threshold: 10, points: 1 }],
        levels: { bronze: { name: 'Bronze', points: 2 } },
      },
    },
    streak: { frequency: 'daily', metrics: { words: {} } },
  }),
)
const otherGame = file('other.json', '{ "metrics": { "words": { "name": "Words" } } }')

const EVENTS = `metric,userId,value,occurredAt,idempotencyKey
words,ada,25,2026-03-01T09:00:00Z,k1
words,ada,5,2026-03-02T09:00:00Z,k2
words,lin,5,2026-03-01T09:00:00Z,k3
`
const csv = file('events.csv', EVENTS)

let databases = 0
async function filled(...args: readonly string[]): Promise<string> {
  databases += 1
  const db = file(`databases/${databases}.db`)
  const { err } = await laurels(['import', csv, '--db', db, '--game', ...(args.length === 0 ? [game] : args)])
  expect(err).toBe('')
  return db
}

function change(db: string, ...texts: readonly string[]): void {
  const database = new Database(db)
  for (const text of texts) database.exec(text)
  database.close()
}

const TOTAL = `update laurels_totals set total = 31 where user_id = 'ada'`
const INVENTED = `insert into laurels_points values ('', 'lin', 'karma', 7, null)`
const COUNTER = `update laurels_counters set count = 3 where kind = 'users'`

describe('verify', () => {
  test('finds that nothing differs', async () => {
    const db = await filled()
    expect(await laurels(['verify', '--db', db])).toMatchObject({
      code: 0,
      out: '2 users, 3 entries: nothing differs\n',
      err: '',
    })
  })

  test('names the row that was changed, and no other', async () => {
    const db = await filled()
    change(db, TOTAL)
    expect(await laurels(['verify', '--db', db])).toMatchObject({
      code: 1,
      out: [
        'totals user_id="ada" metric="words": stored total=31, expected total=30',
        '2 users, 3 entries: 1 row differs\n',
      ].join('\n'),
      err: '',
    })
  })
})

describe('rebuild', () => {
  test('repairs what verify finds', async () => {
    const db = await filled()
    change(db, TOTAL, INVENTED, COUNTER)
    const found = (await laurels(['verify', '--db', db])).out
    const rebuilt = await laurels(['rebuild', '--db', db])
    expect(rebuilt).toMatchObject({ code: 0, out: found.replace('3 rows differ', '3 rows repaired'), err: '' })
    expect(await laurels(['verify', '--db', db])).toMatchObject({
      code: 0,
      out: '2 users, 3 entries: nothing differs\n',
    })
    expect((await laurels(['rebuild', '--db', db])).out).toBe('2 users, 3 entries: nothing differed\n')
  })

  test('interrupted it says how far it came, keeps what was repaired, and goes on when it is run again', async () => {
    const db = await filled()
    const more = file('more.csv', 'metric,userId,value,idempotencyKey\nwords,zoe,5,k4\n')
    await laurels(['import', more, '--db', db, '--game', game])
    change(db, TOTAL, `delete from laurels_completions where user_id = 'zoe'`)
    const controller = new AbortController()
    const output = { out: '', err: '' }
    let time = 0
    const code = await run(['rebuild', '--db', db], {
      output: {
        out: (text) => {
          output.out += text
        },
        err: (text) => {
          output.err += text
          controller.abort()
        },
        isTerminal: false,
        columns: 0,
      },
      variable: () => undefined,
      canAsk: false,
      ask: async () => null,
      node: '24.21.0',
      runsTypeScript: true,
      input: async function* () {},
      interruption: () => controller.signal,
      now: Date.now,
      elapsed: () => {
        time += 1_000
        return time
      },
    })
    expect([code, output.out]).toEqual([130, ''])
    expect(output.err).toMatch(
      /Interrupted after 1 user, 2 entries\. Repaired rows stay\. Run the same command again to repair the rest\.\n$/,
    )
    expect((await laurels(['rebuild', '--db', db])).out).toMatch(
      /^completions .*\n3 users, 4 entries: 1 row repaired\n$/,
    )
  })
})

describe('void', () => {
  test('takes the id of an event, achievements back where it is told to, and prints JSON', async () => {
    const db = await filled()
    const database = new Database(db)
    const id = String(database.prepare(`select entry_id from laurels_view_log where user_id = 'lin'`).pluck().get())
    database.close()
    const plain = await laurels(['void', '--db', await filled(), '--event', id])
    expect(plain.out).not.toContain('achievement')
    const { code, out } = await laurels(['void', '--db', db, '--event', id, '--revoke', '--json'])
    expect(JSON.parse(out)).toMatchObject({
      eventId: id,
      userId: 'lin',
      total: 0,
      alreadyVoided: false,
      revokedAchievements: [{ key: 'first' }],
    })
    expect(code).toBe(0)
  })
})

describe('held and approve', () => {
  const limits =
    '{ "metrics": { "words": { "name": "Words", "limits": [{ "value": 24, "per": { "days": 1 }, "then": "hold" }] } } }'
  const limited = file('limited.json', limits)

  test('an import tells what is held back, which is listed and approved', async () => {
    const db = file('databases/held.db')
    const { out } = await laurels(['import', csv, '--db', db, '--game', limited])
    expect(out).toMatch(/^3 read, 3 recorded \(1 held back\), 0 replayed, 0 refused in /)
    const listed = await laurels(['held', '--db', db])
    expect(listed.out).toMatch(
      /^event {33}user {2}metric {2}value {2}date {8}recorded\n[-0-9a-f]{36} {2}ada {3}words {3}25 {5}2026-03-01 {2}20\S+Z\n$/,
    )
    const [event] = JSON.parse((await laurels(['held', '--db', db, '--user', 'ada', '--limit', '5', '--json'])).out)
    expect(event).toMatchObject({ userId: 'ada', metric: 'words', value: 25, idempotencyKey: 'k1' })

    const { code, out: approved } = await laurels(['approve', '--db', db, event.eventId])
    expect(approved.replaceAll(/[0-9a-f]{8}-[-0-9a-f]{27}/g, '<id>')).toBe(
      'approved the event <id> of ada by <id>\nwords: 30\n',
    )
    expect(code).toBe(0)
    const again = await laurels(['approve', '--db', db, '--user', 'ada', '--metric', 'words', '--key', 'k1'])
    expect(again.out).toMatch(/^the event \S+ of ada was approved already: nothing changed\n$/)
    expect((await laurels(['held', '--db', db])).out).toBe('no events are held back\n')
    expect((await laurels(['verify', '--db', db])).code).toBe(0)
  })
})

describe('each of them', () => {
  const CALLS = [
    ['verify'],
    ['rebuild'],
    ['what-if', '--game', otherGame],
    ['apply', '--game', otherGame, '--policy', 'forward'],
    ['apply', '--game', otherGame, '--policy', 'recompute', '--dry-run'],
    ['void', '--event', 'e-1'],
    ['held'],
    ['approve', 'e-1'],
  ]

  test.each(CALLS)('%s … needs a database with tables and a game, and makes none', async (...call) => {
    const missing = file('missing.db')
    expect(await laurels([...call, '--db', missing])).toMatchObject({
      code: 2,
      out: '',
      err: `laurels: There is no database at ${missing}. Give another path, or make it: laurels migrate --db <file>\n`,
    })
    const empty = file('empty.db', '')
    expect(await laurels([...call, '--db', empty])).toMatchObject({
      code: 2,
      out: '',
      err: `laurels: ${empty} lacks tables of laurels. Give another path, or make them: laurels migrate --db <file>\n`,
    })
    const gameless = file('gameless.db')
    await laurels(['migrate', '--db', gameless])
    expect(await laurels([...call, '--db', gameless])).toMatchObject({
      code: 2,
      out: '',
      err: `laurels: ${gameless} has no game yet. Store one: laurels migrate --db <file> --game <file>\n`,
    })
  })

  test.each([
    ['verify', 'nothing differs'],
    ['rebuild', 'nothing differed'],
  ])('%s names a damaged user, looks at the others, and exits with 1', async (command, rows) => {
    const db = await filled()
    change(db, `update laurels_log set profile = '{' where user_id = 'ada' and seq = 1`)
    const { code, out, err } = await laurels([command, '--db', db])
    expect(out).toMatch(/^damaged user_id="ada": The row with seq 1 of the user's log cannot be read: .*\n.*\n$/)
    expect(out.split('\n')[1]).toBe(`2 users, 1 entry: ${rows}, 1 user damaged`)
    expect([code, err]).toEqual([1, ''])
  })

  test('export leaves a damaged user out, prints the others to the end, and exits with 2', async () => {
    const db = await filled()
    change(db, `delete from laurels_log where user_id = 'ada' and seq = 1`)
    const { code, out, err } = await laurels(['export', '--db', db])
    expect(out.trimEnd().split('\n').at(-1)).toBe('{"laurels":"end","of":"export","users":1}')
    expect(err).toMatch(/^laurels: The export is complete but for 1 damaged user\. The user "ada": .*\n$/)
    expect(code).toBe(2)
  })

  test.each([
    [
      'verify --db x.db --tenant acme',
      '--tenant says whose the users are: name them with --user, or leave it out to look at all tenants',
    ],
    ['rebuild --db x.db --user=', '--user must not be empty'],
    ['verify --db x.db --sample few', "--sample must be a whole number from 0 on, not 'few'"],
    [
      'rebuild --db x.db --sample 3',
      "unknown option '--sample'; there are '--db', '--schema', '--json', '--game', '--user', '--tenant', '--help'",
    ],
    ['verify --db x.db --usr ada', "unknown option '--usr'; did you mean '--user'?"],
    ['what-if --db x.db', '--game is missing: give the module or JSON file of the other game'],
    [
      'what-if --db x.db --game g --sample 10%',
      "--sample must be a number above 0 and at most 1, such as 0.1, not '10%'",
    ],
    ['what-if --db x.db --game g --sample 0', "--sample must be a number above 0 and at most 1, such as 0.1, not '0'"],
    ['what-if --db x.db --game /no/game.ts', 'there is no game at /no/game.ts'],
    ['verify --db x.db --game /no/game.ts', 'there is no game at /no/game.ts'],
    ['apply --db x.db --game g', '--policy is missing: give forward, grant or recompute; see laurels what-if before'],
    ['apply --db x.db --game g --policy recmopute', "unknown value of --policy 'recmopute'; did you mean 'recompute'?"],
    ['apply --db x.db --policy grant', '--game is missing: give the module or JSON file of the game'],
    [
      'apply --game g --policy grant',
      '--db is missing: give the path of the SQLite database, or the URL of a Postgres database, or set DATABASE_URL',
    ],
  ])('%s is wrong: it says why, and exits with 2', async (call, message) => {
    const args = call.split(' ')
    const called = await laurels(args)
    expect(called).toMatchObject({ code: 2, out: '', err: `laurels: ${message}\nSee laurels ${args[0]} --help\n` })
  })
})
