import Database from 'better-sqlite3'
import { stateText } from '../../src/storage/rows.ts'
import { type Expressions, insertFrom, insertRow, NEW_USER, PLAIN_EVENT } from './insert.ts'

const DAY = 86_400_000

/** What databases qualifyNames in ways of their own. */
interface Spelling {
  readonly table: (name: string) => string
  /** Of the user with the number `n`, as bytes. */
  readonly entryId: string
  /** What `n` is selected from. */
  readonly numbers: string
}

/** Puts users there before, each with one event of the past. */
export function seedUsers(file: string, users: number, at: number): void {
  const database = new Database(file)
  database.pragma('journal_mode = WAL')
  database.pragma('synchronous = OFF')
  const spelling = {
    table: (name: string) => `laurels_${name}`,
    entryId: `unhex(printf('%08x000070008000%012x', n, n))`,
    numbers: `(with recursive numbers(n) as (select 0 union all select n + 1 from numbers where n + 1 < ${users})
      select n from numbers)`,
  }
  database.transaction(() => {
    for (const text of seedTexts(spelling, users, at)) database.exec(text)
  })()
  database.pragma('wal_checkpoint(TRUNCATE)')
  database.close()
}

/** Rows as the library would have written them, for each user after one event. */
export function seedTexts({ table, entryId, numbers }: Spelling, users: number, at: number): readonly string[] {
  const date = `'${new Date(at).toISOString().slice(0, 10)}'`
  const [instant, period] = [String(at), String(Math.floor(at / DAY))]
  const owner = { tenant_id: `''`, user_id: `'user-' || n` }
  const user: Expressions<'users'> = {
    ...NEW_USER,
    ...owner,
    version: '1',
    seq: '1',
    at: instant,
    created: instant,
    updated: instant,
    streak_length: '1',
    streak_last_period: period,
    streak_kept_period: period,
    streak_started: date,
    streak_first_at: instant,
    streak_extended_at: instant,
    streak_longest: '1',
    streak_open_periods: `'${stateText([{ period: Number(period), sums: new Map([['words', 1]]) }])}'`,
  }
  const event: Expressions<'log'> = {
    ...PLAIN_EVENT,
    ...owner,
    at: instant,
    seq: '1',
    entry_id: entryId,
    recorded_at: 'null',
    local_date: period,
    local_time: String(at % DAY),
    metric: `'words'`,
    value: '1',
  }
  const streakPeriod = { ...owner, start_date: date, length: '1', kind: `'counted'` }
  const counter = { tenant_id: `''`, slot: '0', count: String(users) }
  return [
    insertFrom<'users'>(table('users'), user, numbers),
    insertFrom<'streak_periods'>(table('streak_periods'), streakPeriod, numbers),
    insertFrom<'log'>(table('log'), event, numbers),
    insertFrom<'totals'>(table('totals'), { ...owner, metric: `'words'`, total: '1', highest: '1' }, numbers),
    insertFrom<'points'>(table('points'), { ...owner, system: `'xp'`, total: '0', level: `'bronze'` }, numbers),
    insertRow<'counters'>(table('counters'), { ...counter, kind: `'users'`, key: `''` }),
    insertRow<'counters'>(table('counters'), { ...counter, kind: `'level'`, key: `'["xp","bronze"]'` }),
  ]
}
