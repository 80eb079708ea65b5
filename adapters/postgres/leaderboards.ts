import { type Block, compareBlocks, toGroupColumns } from '../../src/sql/leaderboard-blocks.ts'
import { type LeaderboardColumns, minus, toLeaderboardColumns } from '../../src/sql/leaderboards.ts'
import type { LeaderboardBlocksTable } from '../../src/sql/tables.ts'
import type { BlockGroup, Drift, UserAuditOptions } from '../../src/storage/audit.ts'
import type { UserKey } from '../../src/storage/rows.ts'
import type {
  LeaderboardLine,
  LeaderboardPage,
  RankAnswer,
  RankedGroup,
  RankRequest,
} from '../../src/storage/storage.ts'
import type { Reader, Runner } from './runner.ts'
import { quoteIdentifier } from './sql-text.ts'

/*
 * The order of the entries of a leaderboard's group, as texts of SQL: (minus_value, reached_at, user_id), ascending, so that
 * the best comes first.
 */

/** The position before every other: the first block of a group begins there. */
export const FIRST_POSITION_TEXT: string = `-1e308::float8, ${Number.MIN_SAFE_INTEGER}::bigint, ''`

export const LAST_POSITION_TEXT: string = `1e308::float8, 0::bigint, ''`

function positionOf(alias: string): string {
  return `(${alias}.minus_value, ${alias}.reached_at, ${alias}.user_id)`
}

function order(alias: string, direction: 'asc' | 'desc' = 'asc'): string {
  return ['minus_value', 'reached_at', 'user_id'].map((column) => `${alias}.${column} ${direction}`).join(', ')
}

/** The advisory lock of a group, which every change of its blocks holds. `group` has expressions of the four columns. */
export function groupLock(schema: string, group: readonly [string, string, string, string]): string {
  const name = `laurels ${schema} leaderboard`.replaceAll("'", "''")
  return `hashtextextended(json_build_array('${name}', ${group.join(', ')})::text, 0)`
}

interface LineRow {
  readonly user: string
  readonly name: string | null
  readonly choice: LeaderboardLine['choice']
  readonly minus_value: number
  readonly reached_at: number
  readonly rank: number
}

export async function readPage(
  reader: Reader,
  schema: string,
  tenant: string,
  key: RankedGroup,
  { limit, at, offset, count, around }: LeaderboardPage,
): Promise<readonly LeaderboardLine[]> {
  const { tenant_id, leaderboard, run, group_key } = toLeaderboardColumns(tenant, key)
  const text = `select ${quoteIdentifier(schema)}.page($1, $2, $3, $4, $5, $6, $7, $8, $9)::text as value`
  const values = [tenant_id, leaderboard, run, group_key, limit, at, offset, count, around ?? null]
  const rows: readonly LineRow[] = JSON.parse(await reader.value<string>(text, values))
  return rows.map(({ user, name, choice, minus_value, reached_at, rank }) => {
    return { user, name, choice, value: minus(minus_value), reachedAt: reached_at, rank }
  })
}

type PositionJson = readonly [minusValue: number, reachedAt: number, user: string]

export interface RanksGroup {
  readonly i: number
  readonly at: number
  readonly most: number | null
  readonly first: number
  readonly places: PositionJson[]
}

interface RanksAnswer {
  readonly before: readonly number[] | null
  readonly last: readonly PositionJson[]
}

/** The rank requests of several users, as one question for each group, and the way back. */
export interface GroupedRequests {
  readonly groups: readonly RanksGroup[]
  /** The answers of each user, one for each of its requests, in the order in which these were given. */
  toRanks(answers: readonly RanksAnswer[]): readonly (readonly RankAnswer[])[]
}

export function groupRequests(
  users: readonly { readonly key: UserKey; readonly requests: readonly RankRequest[] }[],
): GroupedRequests {
  const groups = new Map<string, RanksGroup>()
  const asked = users.map(({ key, requests }) =>
    requests.map((request) => {
      const group = groupOf(groups, key.tenant, request)
      const from = group.places.length
      for (const { value, reachedAt } of request.positions) group.places.push([minus(value), reachedAt, key.user])
      return { group, from, to: group.places.length }
    }),
  )
  return {
    groups: [...groups.values()],
    toRanks: (answers) =>
      asked.map((requests) =>
        requests.map(({ group, from, to }) => {
          const { before, last } = answers[group.i] ?? { before: null, last: [] }
          return {
            before: before?.slice(from, to) ?? [],
            last: last.map(([value, reachedAt, user]) => ({ value: minus(value), reachedAt, user })),
            first: group.first,
          }
        }),
      ),
  }
}

function groupOf(groups: Map<string, RanksGroup>, tenant: string, request: RankRequest): RanksGroup {
  const { limit, margin, at } = request
  const id = JSON.stringify([tenant, request.leaderboard, request.run, request.group, at, limit, margin])
  const known = groups.get(id)
  if (known !== undefined) return known
  const columns = toLeaderboardColumns(tenant, request satisfies RankedGroup)
  const most = limit === null ? null : limit + margin
  const first = limit === null ? 0 : Math.max(0, limit - 1 - margin)
  const group = { i: groups.size, ...columns, at, most, first, places: [] }
  groups.set(id, group)
  return group
}

/** Asks how many entries come before the positions now. */
export function askRanks(
  reader: Reader,
  schema: string,
  { groups }: GroupedRequests,
  end?: number,
): Promise<readonly RanksAnswer[]> {
  const text = `select ${quoteIdentifier(schema)}.standings($1::text::jsonb)::text as value`
  return reader.value<string>(text, [JSON.stringify(groups)], end).then((answer) => JSON.parse(answer))
}

export async function readRanks(
  reader: Reader,
  schema: string,
  key: UserKey,
  requests: readonly RankRequest[],
): Promise<readonly RankAnswer[]> {
  const grouped = groupRequests([{ key, requests }])
  const [ranks = []] = grouped.toRanks(await askRanks(reader, schema, grouped))
  return ranks
}

interface ReadBlocks {
  readonly stored: readonly LeaderboardBlocksTable[]
  readonly counted: readonly Block[]
  /** True if there are changes that no block counts yet. */
  readonly pending: boolean
}

export async function auditBlocks(
  runner: Runner,
  schema: string,
  group: BlockGroup,
  { repair = false }: UserAuditOptions = {},
): Promise<readonly Drift[]> {
  const [text, columns] = [readText(schema), toGroupColumns(group)]
  const values = toValues(columns)
  const compare = (answer: string): readonly Drift[] => {
    const { stored, counted, pending }: ReadBlocks = JSON.parse(answer)
    return compareBlocks(columns, stored, counted, pending)
  }
  if (!repair) return compare(await runner.value<string>(text, values))
  return runner.transaction(async (session) => {
    const lock = groupLock(schema, ['$1::text', '$2::text', '$3::text', '$4::text'])
    await session.query(`select pg_advisory_xact_lock(${lock})::text`, values)
    const [row] = await session.query(text, values)
    const drift = compare((row as { readonly value: string }).value)
    if (drift.length === 0) return drift
    await session.query(`delete from ${quoteIdentifier(schema)}.leaderboard_blocks b where ${ofGroup('b')}`, values)
    await session.query(
      `select ${quoteIdentifier(schema)}.recount_blocks($1, $2, $3, $4, ${FIRST_POSITION_TEXT}, ${LAST_POSITION_TEXT})::text`,
      values,
    )
    return drift
  })
}

function toValues({ tenant_id, leaderboard, run, group_key }: LeaderboardColumns): readonly string[] {
  return [tenant_id, leaderboard, run, group_key]
}

function ofGroup(alias: string): string {
  const columns = ['tenant_id', 'leaderboard', 'run', 'group_key']
  return columns.map((column, index) => `${alias}.${column} = $${index + 1}`).join(' and ')
}

/**
 * Reads every block of a group. Counts the entries between the positions where blocks begin, less pending changes of
 * hosts' transactions.
 */
function readText(schema: string): string {
  const table = (name: string): string => `${quoteIdentifier(schema)}.leaderboard_${name}`
  const lies = (alias: string): string => `${ofGroup(alias)} and ${positionOf(alias)} >= ${positionOf('r')}
      and ${positionOf(alias)} < (r.end_value, r.end_at, r.end_user)`
  return `
    with starts as (
      select b.minus_value, b.reached_at, b.user_id from ${table('blocks')} b
        where ${ofGroup('b')} and b.minus_value < 'Infinity' and ${positionOf('b')} > (${FIRST_POSITION_TEXT})
      union all select ${FIRST_POSITION_TEXT}
    ), ranges as (
      select s.*, lead(s.minus_value, 1, 'Infinity') over w as end_value, lead(s.reached_at, 1, 0::bigint) over w as end_at,
          lead(s.user_id, 1, '') over w as end_user
        from starts s window w as (order by ${order('s')})
    )
    select json_build_object(
      'stored', (select coalesce(json_agg(b order by ${order('b')}), '[]') from ${table('blocks')} b where ${ofGroup('b')}),
      'pending', exists (select from ${table('pending')} p where ${ofGroup('p')}),
      'counted', (select json_agg(c order by ${order('c')}) from (
        select r.minus_value, r.reached_at, r.user_id,
            (select count(*) from ${table('entries')} e where ${lies('e')} and e.until is null)
              - coalesce((select sum(p.delta) from ${table('pending')} p where ${lies('p')}), 0) as count
          from ranges r
      ) c)
    )::text as value`
}
