import type { SqlTraits } from '../../src/sql/database.ts'
import { DERIVED_TABLES } from '../../src/sql/derived-tables.ts'
import { IS_TAKEN } from '../../src/sql/stock.ts'
import { newVersion } from '../../src/sql/user-rows.ts'
import type { UserKey } from '../../src/storage/rows.ts'
import type { RemovedUser, RemoveUserOptions, Replacement } from '../../src/storage/storage.ts'
import { randomSlot } from './counter-slots.ts'
import { endedTransaction } from './errors.ts'
import { groupLock } from './leaderboards.ts'
import { toLoadRow } from './load-users.ts'
import { SaveRows, toSavedLists } from './save-rows.ts'
import type { Session } from './session.ts'
import { quoteIdentifier } from './sql-text.ts'
import { lockUserRow, lockWithNames } from './user-locks.ts'

export interface Removing {
  readonly session: Session
  readonly traits: SqlTraits
  readonly schema: string
  /** The host's transaction, in which no group of a leaderboard is locked, or `null` for a transaction of our own. */
  readonly host: string | null
}

const NONE = '[]'

/**
 * Removes a user within a transaction, and rolls back all of it if the outcome is `changed`. Locks are taken in the
 * order of all writers: users, stocks of rewards, groups of leaderboards, their blocks. Counts go into separate rows, which a later save
 * adds up. In the host's transaction, positions in blocks wait for a later save too.
 */
export async function removeFromSchema(
  removing: Removing,
  key: UserKey,
  { version, keepsNames = false, endsKeys = false, replacement }: RemoveUserOptions,
): Promise<RemovedUser> {
  const { session, traits, schema, host } = removing
  const locked = await (keepsNames ? lockUserRow : lockWithNames)(session, schema, key)
  if (host !== null && host !== locked.transaction) throw endedTransaction()
  const isOther = version !== undefined && version !== locked.version
  if (isOther || (replacement !== undefined && replacement.epoch !== (await newestEpoch(removing)))) return 'changed'
  const names = keepsNames && !endsKeys ? [key.user] : [key.user, ...(await namesOf(removing, key))]
  const askFor = (users: readonly string[]) => [key.tenant, JSON.stringify(users), locked.transaction]
  const asked = askFor(keepsNames ? [key.user] : names)

  if (!keepsNames)
    await session.query(`select 1 from ${quoteIdentifier(schema)}.messages where ${OF_USERS} for update`, asked)
  const isReplaced = replacement !== undefined
  if (!isReplaced) await lockStock(session, schema, asked)
  const groups = host === null ? await lockGroups(session, schema, asked) : NONE
  if (replacement !== undefined) await session.query('savepoint laurels_removal', [])
  if (endsKeys) await session.query(`delete from ${quoteIdentifier(schema)}.api_keys where ${OF_USERS}`, askFor(names))
  const save = replacement === undefined ? null : toDocument(traits, key.tenant, replacement)
  const text = removalText(schema, { isOwn: host === null, keepsNames, isReplaced })
  const [row] = await rowsOf<RemovalRow>(session, text, [...asked, randomSlot(), save])
  if (row?.is_mine !== 'true') throw endedTransaction()
  if (row.left !== null) {
    await session.query('rollback to savepoint laurels_removal', [])
    return 'changed'
  }
  if (groups !== NONE) await forgetStarts(session, schema, asked, groups)
  return row.removed === '0' ? 'unknown' : 'removed'
}

interface RemovalRow {
  /** `true` if it was done in the named transaction. It is text, because the host's pool may parse booleans in its own way. */
  readonly is_mine: string
  readonly removed: string
  /** Users of the replacement that another transaction has written in the meantime. */
  readonly left: string | null
}

async function newestEpoch({ session, schema }: Removing): Promise<number> {
  const text = `select coalesce(max(epoch), 0)::text as epoch from ${quoteIdentifier(schema)}.games`
  const [row] = await rowsOf<{ readonly epoch: string }>(session, text, [])
  return Number(row?.epoch)
}

/** The other names of a user, directly or by way of another name. */
async function namesOf({ session, schema }: Removing, { tenant, user }: UserKey): Promise<readonly string[]> {
  const text = `with recursive names (user_id) as (
      select user_id from ${quoteIdentifier(schema)}.users where tenant_id = $1 and merged_into = $2
      union select u.user_id from ${quoteIdentifier(schema)}.users u join names n on u.tenant_id = $1 and u.merged_into = n.user_id
    ) select user_id from names`
  const rows = await rowsOf<{ readonly user_id: string }>(session, text, [tenant, user])
  return rows.map(({ user_id }) => user_id)
}

/** The rows that `save` stores in the same step. */
function toDocument(traits: SqlTraits, tenant: string, { epoch, users }: Replacement): string {
  const saves = users.map(({ user, version: read, save }, n) => {
    const loaded = { tenant, user, state: save.before, version: read, found: [], notices: null }
    return { n, loaded, save, version: newVersion() }
  })
  const rows = users.map(({ user }, n) => toLoadRow({ tenant, user, lookups: [] }, n))
  return JSON.stringify({ ...toSavedLists(new SaveRows(), traits, saves), epoch, users: rows, slot: randomSlot() })
}

/** The rows of the users of a tenant, while the transaction is the one that is named. */
const OF_USERS = `tenant_id = $1 and user_id = any (array(select json_array_elements_text($2::text::json)))
    and pg_current_xact_id()::text = $3`

const COUNTED: readonly string[] = ['users', 'completions', 'points', 'leaderboard_entries', 'redemptions']

/**
 * Removes all rows of users, counts them out, and then calls `save`. It is one statement, so that all of it is done in
 * one transaction although a host has not awaited the call.
 */
function removalText(
  schema: string,
  { isOwn, keepsNames, isReplaced }: { isOwn: boolean; keepsNames: boolean; isReplaced: boolean },
): string {
  const table = (name: string): string => `${quoteIdentifier(schema)}.${name}`
  const rest = keepsNames ? [] : ['messages', 'deliveries', 'api_keys']
  const tables = [...DERIVED_TABLES.map(({ name }) => name), 'log', ...rest]
  const removed = tables.map((name) => {
    return `${name}_gone as (delete from ${table(name)} where ${OF_USERS} returning ${COUNTED.includes(name) ? '*' : '1'})`
  })
  const position = 'tenant_id, leaderboard, run, group_key, minus_value, reached_at, user_id'
  const positions = [
    `select ${position}, -1 as delta from leaderboard_entries_gone where until is null`,
    // Pending changes of hosts' transactions to these users.
    ...(isOwn ? [`select ${position}, delta from pending_gone`] : []),
  ]
  // A reward that a user has taken stays taken, unless the log continues under another id.
  const ofStock = `stock_kept as (update ${table('reward_stock')} s set removed = s.removed + t.count
      from (select reward, count(*) as count from redemptions_gone where ${IS_TAKEN} group by reward) t
      where s.tenant_id = $1 and s.reward = t.reward)`
  const ofPending = `pending_gone as (delete from ${table('leaderboard_pending')} where ${OF_USERS} returning *)`
  const moves = `(select coalesce(array_agg(row(${position}, delta, false)::${table('leaderboard_move')}), '{}') from (
      select ${position}, sum(delta) as delta from (${positions.join(' union all ')}) p group by ${position} having sum(delta) <> 0
    ) moves)`
  return `with ${[...removed, ...(isReplaced ? [] : [ofStock]), ...(isOwn ? [ofPending] : [])].join(',\n')},
  counted as (
    insert into ${table('counters')} (tenant_id, kind, key, slot, count)
      select $1, c.kind, c.key, $4::bigint, -count(*) from (
        select 'users' as kind, '' as key from users_gone where merged_into is null
        union all select 'completions', achievement from completions_gone
        union all select 'level', '[' || to_json(system)::text || ',' || to_json(level)::text || ']'
          from points_gone where level is not null
      ) c group by c.kind, c.key
  )
  select (pg_current_xact_id()::text = $3)::text as is_mine, gone.removed,
    case when gone.removed is not null and pg_current_xact_id()::text = $3
      then ${table('save')}($5::text)::jsonb->>'left' end as left
    from (
      select (${tables.map((name) => `(select count(*) from ${name}_gone)`).join(' + ')})::text as removed,
        ${table('count_moves')}(${moves}, ${isOwn})::text as counted
      offset 0
    ) gone`
}

/** Takes the locks that `save` takes before it changes a stock. */
async function lockStock(session: Session, schema: string, asked: readonly string[]): Promise<void> {
  const name = `laurels ${schema} stock`.replaceAll("'", "''")
  const lock = `hashtextextended(json_build_array('${name}', $1, s.reward)::text, 0)`
  const text = `select count(pg_advisory_xact_lock(${lock})) as locks from (
      select distinct reward from ${quoteIdentifier(schema)}.redemptions where ${OF_USERS} and ${IS_TAKEN} order by reward
    ) s`
  await session.query(text, asked)
}

/**
 * Locks the groups that the users have entries in, now or before, because blocks may have to begin elsewhere. Returns a
 * list as JSON.
 */
async function lockGroups(session: Session, schema: string, asked: readonly string[]): Promise<string> {
  const [entries, pending, blocks] = ['entries', 'pending', 'blocks'].map(
    (n) => `${quoteIdentifier(schema)}.leaderboard_${n}`,
  )
  const lock = groupLock(schema, ['$1', 'g.leaderboard', 'g.run', 'g.group_key'])
  const text = `select coalesce(json_agg(g), '[]')::text as groups, count(pg_advisory_xact_lock(${lock})) as locks from (
      select leaderboard, run, group_key from ${entries} where ${OF_USERS} and until is null
      union select leaderboard, run, group_key from ${pending} where ${OF_USERS}
      union select leaderboard, run, group_key from ${blocks} where user_id <> '' and ${OF_USERS}
      order by leaderboard, run, group_key
    ) g`
  const [row] = await rowsOf<{ readonly groups: string }>(session, text, asked)
  return row?.groups ?? NONE
}

/**
 * Rebuilds blocks that begin with deleted users, so that no id stays there. A group without entries loses its blocks,
 * because its name may be an attribute value of the user.
 */
async function forgetStarts(
  session: Session,
  schema: string,
  [tenant = '', users = '[]']: readonly string[],
  groups: string,
): Promise<void> {
  const [entries, pending, blocks] = ['entries', 'pending', 'blocks'].map(
    (n) => `${quoteIdentifier(schema)}.leaderboard_${n}`,
  )
  const same = (a: string): string =>
    ['leaderboard', 'run', 'group_key'].map((column) => `${a}.${column} = g.${column}`).join(' and ')
  const given = 'json_to_recordset($2::text::json) as g(leaderboard text, run text, group_key text)'
  await session.query(
    `delete from ${blocks} b using ${given} where b.tenant_id = $1 and ${same('b')}
        and not exists (select from ${entries} e where e.tenant_id = $1 and ${same('e')} and e.until is null)
        and not exists (select from ${pending} p where p.tenant_id = $1 and ${same('p')})`,
    [tenant, groups],
  )
  await session.query(
    `select ${quoteIdentifier(schema)}.settle_block(
        b.tenant_id, b.leaderboard, b.run, b.group_key, b.minus_value, b.reached_at, b.user_id, true)::text
      from ${blocks} b where b.tenant_id = $1 and b.user_id <> ''
        and b.user_id = any (array(select json_array_elements_text($2::text::json)))`,
    [tenant, users],
  )
}

async function rowsOf<Row>(session: Session, text: string, values: readonly unknown[]): Promise<readonly Row[]> {
  return (await session.query(text, values)) as readonly Row[]
}
