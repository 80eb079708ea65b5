import { isDeepStrictEqual } from 'node:util'
import Database from 'better-sqlite3'
import { memory } from '../../adapters/memory/index.ts'
import { BLOCK_ENTRIES } from '../../adapters/sql/leaderboard-blocks.ts'
import { createGamification, type DefinedGame } from '../../src/index.ts'
import type { Storage } from '../../src/storage/storage.ts'
import { type Expressions, insertFrom, insertRow, NEW_USER, PLAIN_EVENT } from './insert.ts'
import { BOARDS, DAY_MS, RUNS, SEEDED_AT, SEEDED_DATE, SPREAD, SPREAD_AT, scoreOf } from './leaderboards-game.ts'

/** What databases spell in ways of their own. */
export interface Dialect {
  table(name: string): string
  /** A number with zeros before it. */
  pad(number: string, width: number): string
  /** Bytes from their hexadecimal digits. */
  bytes(digits: string): string
}

export const SQLITE: Dialect = {
  table: (name) => `laurels_${name}`,
  pad: (number, width) => `printf('%0${width}d', ${number})`,
  bytes: (digits) => `unhex(${digits})`,
}

export function postgresDialect(schema: string): Dialect {
  return {
    table: (name) => `${schema}.${name}`,
    pad: (number, width) => `lpad((${number})::text, ${width}, '0')`,
    bytes: (digits) => `decode(${digits}, 'hex')`,
  }
}

/** Seeds a file that was migrated and that nobody has open. */
export function seedSqlite(file: string, game: DefinedGame, users: number): void {
  const database = new Database(file)
  // Nothing is lost with a file that could be made again.
  database.pragma('journal_mode = OFF')
  database.pragma('synchronous = OFF')
  database.pragma('cache_size = -2000000')
  database.pragma('temp_store = MEMORY')
  database.transaction(() => {
    for (const text of seedTexts(SQLITE, game, users)) database.exec(text)
  })()
  database.close()
}

const HOUR_MS = 3_600_000

/** The date of activity in New York, five hours behind, where users are who have no time zone. */
function activityOn(days: number): string {
  const date = new Date(SEEDED_AT + days * DAY_MS).toISOString().slice(0, 10)
  return JSON.stringify({ dates: [[date, null]] })
}

// Of the table `scores`; what differs between databases and games is added.
const OWNER = { tenant_id: `''`, user_id: 'user_id' }
const USER: Expressions<'users'> = {
  ...NEW_USER,
  ...OWNER,
  ...{ version: '1', seq: '1', at: 'at', created: 'at', updated: 'at' },
  activity: `case when at < ${SEEDED_AT + 5 * HOUR_MS} then '${activityOn(-1)}' else '${activityOn(0)}' end`,
}
const EVENT: Omit<Expressions<'log'>, 'entry_id'> = {
  ...PLAIN_EVENT,
  ...OWNER,
  ...{ at: 'at', seq: '1', recorded_at: 'null', local_date: String(Date.parse(SEEDED_DATE) / DAY_MS) },
  ...{ local_time: `at - ${SEEDED_AT}`, metric: `'words'`, value: 'value' },
}
const AWARD: Omit<Expressions<'awards'>, 'award_id' | 'trigger_id' | 'entry_id'> = {
  ...OWNER,
  ...{ system: `'xp'`, at: 'at', seq: '1', ordinal: '0', awarded: 'value', total: 'value', boosts: 'null' },
}
const ENTRY: Expressions<'leaderboard_entries'> = {
  ...OWNER,
  ...{ leaderboard: 'leaderboard', run: 'run', group_key: `''`, minus_value: '0 - value', reached_at: 'at' },
  ...{ until: 'null', names: 'null' },
}
const COUNTER = { tenant_id: `''`, slot: '0', count: 'count(*)' }

/** Puts users there with their `scoreOf`, each by one event, as the library would have written them. */
export function seedTexts({ table, pad, bytes }: Dialect, { rules }: DefinedGame, users: number): readonly string[] {
  const id = (version: number): string => `'00000000-0000-${version}000-8000-' || ${pad('n', 12)}`
  const packedId = (version: number): string => bytes(`'000000000000${version}0008000' || ${pad('n', 12)}`)
  const [trigger] = rules.points.get('xp')?.triggers ?? []
  const boards = BOARDS.filter((key) => rules.leaderboards.has(key)).sort()
  const texts = [
    `create temporary table scores as
      with recursive numbers(n) as (select 0 union all select n + 1 from numbers where n + 1 < ${users})
      select n, 'user-' || n as user_id, 4294967296 / (((n + 1) * ${SPREAD}) % 4294967296 + 1) as value,
          ${SEEDED_AT} + (((n + 1) * ${SPREAD_AT}) % 4294967296) % ${DAY_MS} as at
        from numbers`,
    insertFrom<'users'>(table('users'), { ...USER, leaderboards: leaderboardsText(boards) }, 'scores'),
    insertFrom<'log'>(table('log'), { ...EVENT, entry_id: packedId(7) }, 'scores'),
    insertFrom<'totals'>(table('totals'), { ...OWNER, metric: `'words'`, total: 'value', highest: 'value' }, 'scores'),
    insertFrom<'points'>(
      table('points'),
      { ...OWNER, system: `'xp'`, total: 'value', level: `case when value < 500 then 'bronze' else 'silver' end` },
      'scores',
    ),
    insertFrom<'awards'>(
      table('awards'),
      {
        ...AWARD,
        award_id: packedId(5),
        trigger_id: bytes(`'${trigger?.id.replaceAll('-', '')}'`),
        entry_id: packedId(7),
      },
      'scores',
    ),
    insertRow<'counters'>(table('counters'), { ...COUNTER, kind: `'users'`, key: `''`, count: String(users) }),
    insertFrom<'counters'>(
      table('counters'),
      { ...COUNTER, kind: `'level'`, key: `'["xp","' || level || '"]'` },
      `${table('points')} group by level`,
    ),
  ]
  for (const value of [10, 100, 1_000]) {
    const reached = `scores where value >= ${value}`
    texts.push(
      insertFrom<'completions'>(
        table('completions'),
        { ...OWNER, achievement: `'words-${value}'`, at: 'at', entry_id: id(7), count: '1' },
        reached,
      ),
      insertFrom<'counters'>(
        table('counters'),
        { ...COUNTER, kind: `'completions'`, key: `'words-${value}'` },
        `${reached} having count(*) > 0`,
      ),
    )
  }
  if (boards.length > 0) {
    const pairs = boards.map((key) => `select '${key}' as leaderboard, '${RUNS[key]}' as run`).join(' union all ')
    texts.push(
      insertFrom<'leaderboard_entries'>(table('leaderboard_entries'), ENTRY, `scores cross join (${pairs}) boards`),
    )
  }
  return [...texts, 'drop table scores']
}

/** An expression for what stands in the user's row. */
function leaderboardsText(boards: readonly (typeof BOARDS)[number][]): string {
  const members = boards.map(
    (key) =>
      `["${key}",[{"group":"","reachedAt":' || at || ',"run":"${RUNS[key]}","until":null,"value":' || value || '}]]`,
  )
  return `'{"$":[${members.join(',')}]}'`
}

/** The blocks that Postgres makes of entries that have none, without its deadline for a call. */
export function blockTexts({ table }: Dialect, { rules }: DefinedGame): readonly string[] {
  const order = 'minus_value, reached_at, user_id'
  const unlimited = BOARDS.filter((key) => rules.leaderboards.get(key)?.maxParticipants === null)
  return unlimited.flatMap((board) => {
    const ofBoard = `where leaderboard = '${board}' and run = '${RUNS[board]}'`
    const group = { tenant_id: `''`, leaderboard: `'${board}'`, run: `'${RUNS[board]}'`, group_key: `''` }
    const numbered = (name: string): string =>
      `(select *, row_number() over (order by ${order}) - 1 as n, count(*) over () as total
          from ${table(name)} ${ofBoard}) numbered`
    const first = `-1e308, ${Number.MIN_SAFE_INTEGER}, ''`
    return [
      insertFrom<'leaderboard_blocks'>(
        table('leaderboard_blocks'),
        {
          ...{ ...group, minus_value: 'minus_value', reached_at: 'reached_at', user_id: 'user_id' },
          count: 'coalesce(lead(n) over (order by n), total) - n',
        },
        `${numbered('leaderboard_entries')} where n % ${BLOCK_ENTRIES} = 0`,
      ),
      `update ${table('leaderboard_blocks')} b set (${order}) = (select ${first})
        ${ofBoard} and (${order}) = (select ${order} from ${table('leaderboard_entries')} ${ofBoard} order by ${order} limit 1)`,
    ]
  })
}

/** So many of the first users are compared, which are the same however many there are. */
const COMPARED = 1_000

/** Throws unless a seeded storage has, of its first users, what events through the library leave. */
export async function compareSeed(storage: Storage, game: DefinedGame, users: number): Promise<number> {
  const compared = Math.min(COMPARED, users)
  const reference = memory()
  let now = SEEDED_AT
  const library = createGamification({ game, storage: reference, clock: () => new Date(now) })
  await library.migrate()
  for (let index = 0; index < compared; index += 1) {
    const { user, value, at } = scoreOf(index)
    now = at
    await library.metrics.event('words', { user: { id: user }, value })
  }
  for (let index = 0; index < compared; index += 1) {
    const key = { tenant: '', user: scoreOf(index).user }
    const [actual, expected] = [await readAll(storage, key), await readAll(reference, key)]
    if (isDeepStrictEqual(actual, expected)) continue
    throw new Error(`${key.user} was seeded as\n${JSON.stringify(actual)}\nand not as\n${JSON.stringify(expected)}`)
  }
  await library.close()
  return compared
}

/** All of a user, but for ids that are made anew each time, and for the version, which is each storage's own. */
async function readAll(storage: Storage, key: { readonly tenant: string; readonly user: string }): Promise<unknown> {
  const { version: _, ...view } = await storage.readUser(key, { awards: {}, periods: {}, leaderboards: {} })
  const text = JSON.stringify({ view, log: await storage.readLog(key) }, (name, value) => {
    if (name === 'id' || name === 'entryId') return ''
    return value instanceof Map ? Object.fromEntries(value) : value
  })
  return JSON.parse(text)
}
