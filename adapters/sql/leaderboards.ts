import { createHash } from 'node:crypto'
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { compareCodePoints } from '../../src/rules/position.ts'
import type { LeaderboardEntry, UserState } from '../../src/rules/state.ts'
import type { LeaderboardRow, UserKey } from '../../src/storage/rows.ts'
import type { LeaderboardKey, LeaderboardUser } from '../../src/storage/storage.ts'
import { type Bind, bindAll, type SqlDatabase, type SqlTraits, type Statement, statement } from './database.ts'
import { toMap, toObject } from './stored-text.ts'
import type { LeaderboardBlocksTable, LeaderboardEntriesTable, UserColumns } from './tables.ts'

/** The longest text in a key: with the ids of tenant and user it has to fit in an index of Postgres. */
const MOST_BYTES = 200

/** A text as it stands in keys: itself, or a hash where it is too long. */
export function toKeyText(text: string): string {
  if (Buffer.byteLength(text) <= MOST_BYTES) return text
  return `sha256 ${createHash('sha256').update(text).digest('hex')}`
}

export const GROUP = ['tenant_id', 'leaderboard', 'run', 'group_key'] as const
export type LeaderboardColumns = Pick<LeaderboardBlocksTable, (typeof GROUP)[number]>

export function toLeaderboardColumns(tenant: string, { leaderboard, run, group }: LeaderboardKey): LeaderboardColumns {
  return { tenant_id: tenant, leaderboard: toKeyText(leaderboard), run, group_key: toKeyText(group) }
}

export type EntryKeyColumns = Pick<LeaderboardEntriesTable, 'tenant_id' | 'user_id' | 'leaderboard' | 'run'>

export function toEntryKeyColumns(
  { tenant, user }: UserKey,
  { leaderboard, run }: Pick<LeaderboardKey, 'leaderboard' | 'run'>,
): EntryKeyColumns {
  return { tenant_id: tenant, user_id: user, leaderboard: toKeyText(leaderboard), run }
}

export function toLeaderboardEntriesRow(key: UserKey, row: LeaderboardRow): LeaderboardEntriesTable {
  const { leaderboard, group } = row
  const columns = toLeaderboardColumns(key.tenant, row)
  const isWhole = columns.leaderboard === leaderboard && columns.group_key === group
  return {
    tenant_id: key.tenant,
    user_id: key.user,
    leaderboard: columns.leaderboard,
    run: row.run,
    group_key: columns.group_key,
    minus_value: minus(row.value),
    reached_at: row.reachedAt,
    until: row.until,
    names: isWhole ? null : JSON.stringify([leaderboard, group]),
  }
}

/** Whether the leaderboard of an entry is among these keys. */
export function isAmong(
  keys: readonly string[],
  { leaderboard }: Pick<LeaderboardEntriesTable, 'leaderboard'>,
): boolean {
  return keys.some((key) => toKeyText(key) === leaderboard)
}

export function fromLeaderboardEntriesRow(row: Omit<LeaderboardEntriesTable, 'tenant_id' | 'user_id'>): LeaderboardRow {
  const [leaderboard, group]: readonly [string, string] =
    row.names === null ? [row.leaderboard, row.group_key] : JSON.parse(row.names)
  const { run, reached_at: reachedAt, until } = row
  return { leaderboard, run, group, value: minus(row.minus_value), reachedAt, until }
}

/** Never `-0`, which databases would keep apart from 0. */
export function minus(value: number): number {
  return 0 - value
}

/** The column `leaderboards` of a user's row. Its members have one order, because rows are compared by their text. */
export function toLeaderboardsJson(leaderboards: UserState['leaderboards']): string {
  if (leaderboards.size === 0) return '{}'
  const json = new Map<string, readonly LeaderboardEntry[]>()
  for (const [leaderboard, entries] of leaderboards) json.set(leaderboard, entries.map(inOrder))
  return JSON.stringify(toObject(json))
}

function inOrder({ run, group, value, reachedAt, until }: LeaderboardEntry): LeaderboardEntry {
  return { run, group, value, reachedAt, until }
}

export function fromLeaderboardsJson(text: string): UserState['leaderboards'] {
  return toMap<string, readonly LeaderboardEntry[]>(JSON.parse(text))
}

/** In order of leaderboard, then of run: long keys are stored as hashes, so the database cannot order them. */
export function sortRows(rows: readonly LeaderboardRow[]): readonly LeaderboardRow[] {
  return [...rows].sort(
    (left, right) => compareCodePoints(left.leaderboard, right.leaderboard) || (left.run < right.run ? -1 : 1),
  )
}

export type EntryColumns = Omit<LeaderboardEntriesTable, keyof UserColumns>

type NamedRow = EntryColumns & { readonly user_id: string; readonly name: string | null }
type UsersRead = Omit<EntryKeyColumns, 'user_id'> & { readonly users: string }

export interface LeaderboardEntryQueries {
  readonly find: Statement<EntryKeyColumns, EntryColumns>
  /** The entries of the users in a JSON list, with their names. */
  readonly ofUsers: Statement<UsersRead, NamedRow>
  readonly ofUser: Statement<UserColumns, EntryColumns>
  readonly ofLeaderboard: Statement<UserColumns & Pick<EntryKeyColumns, 'leaderboard'>, EntryColumns>
}

const KEY = ['tenant_id', 'user_id', 'leaderboard', 'run'] as const
const COLUMNS = ['leaderboard', 'run', 'group_key', 'minus_value', 'reached_at', 'until', 'names'] as const

export function leaderboardEntryQueries(traits: SqlTraits): LeaderboardEntryQueries {
  const { kysely } = traits
  const entries = kysely.selectFrom('leaderboard_entries').select(COLUMNS)
  return {
    find: statement(traits, (bind) => entries.where((eb) => eb.and(bindAll(bind, KEY)))),
    ofUsers: statement(traits, (bind) =>
      kysely
        .selectFrom('leaderboard_entries as e')
        .leftJoin('users as u', (join) =>
          join.onRef('u.tenant_id', '=', 'e.tenant_id').onRef('u.user_id', '=', 'e.user_id'),
        )
        .select(['e.leaderboard', 'e.run', 'e.group_key', 'e.minus_value', 'e.reached_at', 'e.until', 'e.names'])
        .select(['e.user_id', 'u.name'])
        .where('e.tenant_id', '=', bind('tenant_id'))
        .where('e.user_id', 'in', traits.jsonList(bind('users')))
        .where('e.leaderboard', '=', bind('leaderboard'))
        .where('e.run', '=', bind('run')),
    ),
    ofUser: statement(traits, (bind) => entries.where((eb) => eb.and(bindAll(bind, ['tenant_id', 'user_id'])))),
    ofLeaderboard: statement(traits, (bind) =>
      entries.where((eb) => eb.and(bindAll(bind, ['tenant_id', 'user_id', 'leaderboard']))),
    ),
  }
}

export async function findEntries(
  queries: LeaderboardEntryQueries,
  { all }: SqlDatabase,
  tenant: string,
  leaderboard: string,
  run: string,
  users: readonly string[],
): Promise<readonly LeaderboardUser[]> {
  const asked = { tenant_id: tenant, leaderboard: toKeyText(leaderboard), run, users: JSON.stringify(users) }
  return (await all(queries.ofUsers, asked)).map(({ user_id: user, name, ...row }) => {
    const { group, value, reachedAt, until } = fromLeaderboardEntriesRow(row)
    return { user, name, run, group, value, reachedAt, until }
  })
}

/** A position in the order of a group, which ascends: best first. */
export type PositionColumns = Pick<LeaderboardBlocksTable, 'minus_value' | 'reached_at' | 'user_id'>

/** An entry's position in a group, with the instant from which it does not count. */
export interface RankedColumns extends LeaderboardColumns, PositionColumns {
  readonly until: number | null
}

/** From a position, included, to another, excluded. */
export interface PositionRange extends LeaderboardColumns, PositionColumns {
  readonly end_minus_value: number
  readonly end_reached_at: number
  readonly end_user_id: string
}

/** An entry as it was and as it is; at least one of them is not null. */
export interface RankedChange {
  readonly from: RankedColumns | null
  readonly to: RankedColumns | null
}

export const POSITION = ['minus_value', 'reached_at', 'user_id'] as const

/** Before every entry; the first block of each level begins here. */
export const FIRST_POSITION: PositionColumns = {
  minus_value: -1e308,
  reached_at: Number.MIN_SAFE_INTEGER,
  user_id: '',
}

/** After every entry. */
export const LAST_POSITION: PositionColumns = {
  minus_value: Number.POSITIVE_INFINITY,
  reached_at: Number.MAX_SAFE_INTEGER,
  user_id: '',
}

export function isSamePosition(left: PositionColumns, right: PositionColumns): boolean {
  return (
    left.user_id === right.user_id && left.minus_value === right.minus_value && left.reached_at === right.reached_at
  )
}

/** Below 0 when `left` comes first in the order of the index. */
export function comparePositionColumns(left: PositionColumns, right: PositionColumns): number {
  return (
    left.minus_value - right.minus_value ||
    left.reached_at - right.reached_at ||
    compareCodePoints(left.user_id, right.user_id)
  )
}

/** Asks for the entries that count at `at`, in order, from a position on, without the first `offset` of them. */
export interface PositionsAsked extends LeaderboardColumns, PositionColumns {
  readonly at: number
  readonly offset: number
  readonly limit: number
}

export interface RankingQueries {
  /** How many entries that count at `at` come before a position; at most `limit`. */
  readonly count: Statement<Omit<PositionsAsked, 'offset'>, { readonly count: number }>
  /** How many entries that always count lie in a range. */
  readonly countBetween: Statement<PositionRange, { readonly count: number }>
  readonly positions: Statement<PositionsAsked, PositionColumns & Pick<RankedColumns, 'until'>>
  /** The same entries with the names of their users. */
  readonly lines: Statement<PositionsAsked, PositionColumns & { readonly name: string | null }>
  /** Every `step`th of the entries that always count in a range, from the first on. */
  readonly steps: Statement<PositionRange & { readonly step: number }, PositionColumns>
}

export function rankingQueries(traits: SqlTraits): RankingQueries {
  return { ...counts(traits), ...reads(traits), steps: steps(traits) }
}

/** Whether a position lies in a range: from its start on, and before its end. */
export function isWithin(bind: Bind<PositionRange>): RawBuilder<SqlBool> {
  const start = sql`(${bind('minus_value')}, ${bind('reached_at')}, ${bind('user_id')})`
  const end = sql`(${bind('end_minus_value')}, ${bind('end_reached_at')}, ${bind('end_user_id')})`
  const position = sql`(${sql.join(POSITION.map((column) => sql.ref(column)))})`
  return sql<SqlBool>`${position} >= ${start} and ${position} < ${end}`
}

function counts(traits: SqlTraits): Pick<RankingQueries, 'count' | 'countBetween'> {
  const { kysely } = traits
  return {
    count: statement(traits, (bind) => {
      const better = kysely
        .selectFrom('leaderboard_entries')
        .select(sql.lit(1).as('one'))
        .where((eb) => eb.and(bindAll(bind, GROUP)))
        .where((eb) =>
          eb(eb.refTuple(...POSITION), '<', eb.tuple(bind('minus_value'), bind('reached_at'), bind('user_id'))),
        )
        .where((eb) => eb('until', 'is', null).or('until', '>', bind('at')))
        .limit(bind('limit'))
      return kysely.selectFrom(better.as('better')).select((eb) => eb.fn.countAll<number>().as('count'))
    }),
    countBetween: statement(traits, (bind: Bind<PositionRange>) =>
      kysely
        .selectFrom('leaderboard_entries')
        .select((eb) => eb.fn.countAll<number>().as('count'))
        .where((eb) => eb.and(bindAll(bind, GROUP)))
        .where('until', 'is', null)
        .where(isWithin(bind)),
    ),
  }
}

function reads(traits: SqlTraits): Pick<RankingQueries, 'positions' | 'lines'> {
  const { kysely } = traits
  const asked = (bind: Bind<PositionsAsked>) =>
    kysely
      .selectFrom('leaderboard_entries')
      .select([...POSITION, 'until'])
      .where((eb) => eb.and(bindAll(bind, GROUP)))
      .where((eb) =>
        eb(eb.refTuple(...POSITION), '>=', eb.tuple(bind('minus_value'), bind('reached_at'), bind('user_id'))),
      )
      .where((eb) => eb('until', 'is', null).or('until', '>', bind('at')))
      .orderBy('minus_value')
      .orderBy('reached_at')
      .orderBy('user_id')
      .limit(bind('limit'))
      .offset(bind('offset'))
  return {
    positions: statement(traits, asked),
    lines: statement(traits, (bind) =>
      kysely
        .selectFrom(asked(bind).as('p'))
        .leftJoin('users as u', (join) =>
          join.on('u.tenant_id', '=', bind('tenant_id')).onRef('u.user_id', '=', 'p.user_id'),
        )
        .select(['p.minus_value', 'p.reached_at', 'p.user_id', 'u.name'])
        .orderBy('p.minus_value')
        .orderBy('p.reached_at')
        .orderBy('p.user_id'),
    ),
  }
}

function steps(traits: SqlTraits): RankingQueries['steps'] {
  const { kysely } = traits
  return statement(traits, (bind) => {
    const numbered = kysely
      .selectFrom('leaderboard_entries')
      .select(POSITION)
      .select((eb) =>
        eb.fn
          .agg<number>('row_number')
          .over((over) => over.orderBy('minus_value').orderBy('reached_at').orderBy('user_id'))
          .as('number'),
      )
      .where((eb) => eb.and(bindAll(bind, GROUP)))
      .where('until', 'is', null)
      .where((eb) =>
        eb(eb.refTuple(...POSITION), '>=', eb.tuple(bind('minus_value'), bind('reached_at'), bind('user_id'))),
      )
      .where((eb) =>
        eb(
          eb.refTuple(...POSITION),
          '<',
          eb.tuple(bind('end_minus_value'), bind('end_reached_at'), bind('end_user_id')),
        ),
      )
    return kysely
      .selectFrom(numbered.as('n'))
      .select(POSITION)
      .where(sql<boolean>`(n.number - 1) % ${bind('step')} = 0`)
      .orderBy('n.number')
  })
}
