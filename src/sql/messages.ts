import type { Instant } from '../rules/calendar.ts'
import type { OwnedMessage, PlacedMessage, WrittenMessage } from '../storage/outbox.ts'
import type { UserKey } from '../storage/rows.ts'
import type { Statement } from '../storage/statements.ts'
import { type Steps, wait } from '../storage/steps.ts'
import type { Storage } from '../storage/storage.ts'
import type { SqlTransaction } from '../storage/transactions.ts'
import { type None, statement } from './database.ts'
import { COLUMNS, type MessagesTable } from './tables.ts'

export interface ReadMessagesOptions {
  readonly after: number
  readonly types?: readonly string[]
  readonly limit: number
}

/** A message to insert. Its number is `place` after the larger of `base` and the newest number of its user. */
export interface NewMessageRow extends Omit<MessagesTable, 'number' | 'position'> {
  readonly base: number
  readonly place: number
}

interface Page {
  readonly after: number
  readonly limit: number
}

interface Rows {
  readonly rows: string
}

interface DuePage {
  readonly now: number
  readonly limit: number
}

const MESSAGE = `number, message_id as id, type, at, tenant_id as tenant, nullif(user_id, '') as "user", data, due`
const KEY = { message_id: COLUMNS.messages.message_id, number: COLUMNS.messages.number }
const { number: _, position: __, ...GIVEN } = COLUMNS.messages
const GIVEN_NAMES = Object.keys(GIVEN).join(', ')
const OWNER = { tenant_id: GIVEN.tenant_id, user_id: GIVEN.user_id }
const NEW_MESSAGE: { readonly [Name in keyof NewMessageRow]: string } = {
  ...GIVEN,
  ...{ base: 'integer', place: 'integer' },
}

// Statements that write or lock return a row for each message.

const NEWEST = statement<None, { readonly position: number }>('select position from laurels.outbox_head')

/** Returns a row if a message waits for a position. */
const WITHOUT_POSITION = statement<None, unknown>(
  'select number from laurels.messages where position is null and due is null limit 1',
)

/** The transaction that has the head is the only one that gives positions. */
const LOCK_HEAD = statement<None, unknown>(
  `insert into laurels.outbox_head as h (id, position) values (1, 0)
    on conflict (id) do update set position = h.position returning position`,
)

/** Gives positions behind the head. Skips a message that is being removed: all of its user's are removed together. */
export const ASSIGN_POSITIONS: Statement<{ readonly limit: number }, unknown> = statement(
  ({ locking }) => `with next as materialized (
    select number, message_id from laurels.messages where position is null and due is null
      order by number, message_id limit :limit ${locking('for no key update skip locked')}
  ), n as materialized (
    select number, message_id, row_number() over (order by number, message_id) as place from next
  )
  update laurels.messages as m set position = (select h.position from laurels.outbox_head h) + n.place
    from n where m.number = n.number and m.message_id = n.message_id returning position`,
)

const ADVANCE_HEAD = statement<{ readonly by: number }, unknown>(
  'update laurels.outbox_head set position = position + :by returning id',
)

/** Locks the users of new messages, and returns the users who exist. */
const LOCK_USERS = statement<Rows, UserKey>(
  ({ jsonRows, locking }) => `select u.tenant_id as tenant, u.user_id as "user" from laurels.users u join (
    select distinct tenant_id, user_id from ${jsonRows(':rows', OWNER)}
  ) r on u.tenant_id = r.tenant_id and u.user_id = r.user_id
    order by u.tenant_id, u.user_id ${locking('for no key update of u')}`,
)

const LOCK = statement<Rows, unknown>(
  ({ jsonRows, locking }) => `select m.number from laurels.messages m join ${jsonRows(':rows', KEY)}
    on m.number = r.number and m.message_id = r.message_id where m.position is null
    order by m.number, m.message_id ${locking('for update of m')}`,
)

const REMOVE = statement<Rows, unknown>(
  ({ jsonRows }) => `delete from laurels.messages where (number, message_id) in (
    select r.number, r.message_id from ${jsonRows(':rows', KEY)}
  ) returning number`,
)

/** Inserts rows (`NewMessageRow`) whose users are locked, except emails that are stored already. */
export const INSERT_MESSAGES: Statement<Rows, unknown> = statement(
  ({ jsonRows }) => `insert into laurels.messages (number, ${GIVEN_NAMES})
    select case when newest > base then newest else base end + place, ${GIVEN_NAMES} from (
      select r.*, coalesce((
        select max(m.number) from laurels.messages m where m.tenant_id = r.tenant_id and m.user_id = r.user_id
      ), 0) as newest from ${jsonRows(':rows', NEW_MESSAGE)}
    ) n where type not like 'emails.%'
      or not exists (
        select 1 from laurels.messages m where m.message_id = n.message_id and substr(m.type, 1, 7) = 'emails.'
      ) returning number`,
)

const PLACED = `select ${MESSAGE}, position from laurels.messages where position > :after`
const READ = statement<Page, PlacedMessage>(`${PLACED} order by position limit :limit`)

/** `types`: a JSON list. */
const OF_TYPES = statement<Page & { readonly types: string }, PlacedMessage>(
  ({ jsonList }) => `${PLACED} and type in ${jsonList(':types')} order by position limit :limit`,
)

const COUNT = statement<Page & { readonly types: string }, { readonly count: number }>(
  ({ jsonList }) => `select count(*) as count from (
    select 1 from laurels.messages where position > :after and type in ${jsonList(':types')} limit :limit
  ) m`,
)

// The order of the index, in which messages of one id are neighbours: they are due at one time.
const DUE = statement<DuePage, WrittenMessage>(
  `select ${MESSAGE} from laurels.messages where position is null and due is not null and due <= :now
    order by due, message_id, number limit :limit`,
)

const REMOVE_OLD = statement<{ readonly up_to: number; readonly before: number; readonly limit: number }, unknown>(
  `delete from laurels.messages where position in (
    select position from laurels.messages where position is not null and at < :before
      and position <= :up_to order by at limit :limit
  ) returning position`,
)

const DUE_USERS = statement<DuePage, UserKey>(
  `select tenant_id as tenant, user_id as "user" from laurels.users
    where next_notice_at is not null and next_notice_at <= :now
    order by next_notice_at, tenant_id, user_id limit :limit`,
)

const NEXT_DUE = statement<None, { readonly due: number | null }>(
  `with recursive receivers (receiver) as (
    select min(receiver) from laurels.deliveries where state = 'waiting'
    union all
    select (select min(d.receiver) from laurels.deliveries d where d.state = 'waiting' and d.receiver > r.receiver)
      from receivers r where r.receiver is not null
  )
  select min(due) as due from (
    select min(next_notice_at) as due from laurels.users where next_notice_at is not null
    union all select min(due) from laurels.messages where position is null and due is not null
    union all select (
      select at from laurels.messages where position is null and due is null order by number limit 1
    )
    union all select (
      select min(d.next_at) from laurels.deliveries d where d.receiver = r.receiver and d.state = 'waiting'
    ) from receivers r
  ) as next`,
)

/**
 * Gives the next positions, from 1, to at most `limit` stored messages that have none and do not wait (`due` is
 * null). Positions follow the order of the writes; messages of one user follow the order of that user's versions.
 * Never gives a position below one that was ever visible, in whatever order transactions commit. Returns how many it
 * gave.
 */
export async function assignPositions(storage: Storage, limit: number): Promise<number> {
  // A read first: without a message to place, no call waits for the head.
  if ((await storage.all(WITHOUT_POSITION, {})).length === 0) return 0
  return storage.transaction(function* (tx) {
    yield* wait(tx.all(LOCK_HEAD, {}))
    // A statement of its own, which sees all that was committed before the head was locked.
    const { length } = yield* wait(tx.all(ASSIGN_POSITIONS, { limit }))
    if (length > 0) yield* wait(tx.all(ADVANCE_HEAD, { by: length }))
    return length
  })
}

/** The newest position that was given; 0 if there is none. */
export async function loadNewestPosition(storage: Storage): Promise<number> {
  return (await storage.all(NEWEST, {}))[0]?.position ?? 0
}

/**
 * Messages with positions after the given one, in order of position, of these types (all without `types`), at most
 * `limit`.
 */
export function loadMessages(
  storage: Storage,
  { after, types, limit }: ReadMessagesOptions,
): Promise<readonly PlacedMessage[]> {
  return types === undefined
    ? storage.all(READ, { after, limit })
    : storage.all(OF_TYPES, { after, limit, types: JSON.stringify(types) })
}

/** How many messages of these types have positions after the given one; counts no further than `most`. */
export async function countMessages(
  storage: Storage,
  {
    after,
    types,
    most,
  }: {
    readonly after: number
    readonly types: readonly string[]
    readonly most: number
  },
): Promise<number> {
  const [found] = await storage.all(COUNT, { after, types: JSON.stringify(types), limit: most })
  return found?.count ?? 0
}

/**
 * Messages without a position whose `due` has come (`due` <= `now`), in order of (due, id, number), at most `limit`.
 * Messages with one id are due at one time.
 */
export function loadDueMessages(storage: Storage, now: Instant, limit: number): Promise<readonly WrittenMessage[]> {
  return storage.all(DUE, { now, limit })
}

/**
 * Removes at most `limit` messages with positions up to and including this one that are older (`at`) than `before`;
 * returns how many.
 */
export async function removeMessages(storage: Storage, upTo: number, before: Instant, limit: number): Promise<number> {
  return (await storage.change(REMOVE_OLD, { up_to: upTo, before, limit })).length
}

/**
 * Users whose `due` (`NoticeCursor`) has come, in order of it, then of (tenant, user): at most `limit`. Omits users without a sent
 * notice.
 */
export function loadDueUsers(storage: Storage, now: Instant, limit: number): Promise<readonly UserKey[]> {
  return storage.all(DUE_USERS, { now, limit })
}

/** The next instant at which a message, a notice or a delivery is due; `null` if nothing waits. */
export async function loadNextDue(storage: Storage): Promise<Instant | null> {
  return (await storage.all(NEXT_DUE, {}))[0]?.due ?? null
}

/** Writes messages that no entry of a user causes. Leaves out a message about a user who does not exist. */
export function* putMessages(tx: SqlTransaction, messages: readonly OwnedMessage[]): Steps<void> {
  yield* insert(tx, yield* withUsers(tx, messages))
}

/**
 * Removes messages without a position, by id and number, and writes others in their place. Returns `false`, and writes
 * nothing, if one of the messages to remove, or a user of the new ones, no longer exists.
 */
export function* replaceMessages(
  tx: SqlTransaction,
  remove: readonly Pick<WrittenMessage, 'id' | 'number'>[],
  put: readonly OwnedMessage[],
): Steps<boolean> {
  const rows = JSON.stringify(remove.map(({ id, number }) => ({ message_id: id, number })))
  const written = yield* withUsers(tx, put)
  if (written.length < put.length) return false
  if ((yield* wait(tx.all(LOCK, { rows }))).length < remove.length) return false
  yield* wait(tx.all(REMOVE, { rows }))
  yield* insert(tx, written)
  return true
}

/** Locks the users of new messages. Messages about users who are not there are left out. */
function* withUsers(tx: SqlTransaction, messages: readonly OwnedMessage[]): Steps<readonly NewMessageRow[]> {
  const rows = toMessageRows(messages)
  const owned = rows.filter(({ user_id }) => user_id !== NOBODY)
  if (owned.length === 0) return rows
  const locked = yield* wait(tx.all(LOCK_USERS, { rows: JSON.stringify(owned) }))
  const there = new Set(locked.map(({ tenant, user }) => JSON.stringify([tenant, user])))
  return rows.filter((row) => row.user_id === NOBODY || there.has(JSON.stringify([row.tenant_id, row.user_id])))
}

function* insert(tx: SqlTransaction, rows: readonly NewMessageRow[]): Steps<void> {
  if (rows.length > 0) yield* wait(tx.all(INSERT_MESSAGES, { rows: JSON.stringify(rows) }))
}

/** The column `user_id` of a message about no user: no user has an empty id. */
const NOBODY = ''

let newestBase = 0

/**
 * New messages of one user, or of none, in their order. The numbers grow with the clock, but never go back in this process;
 * along one user's messages they grow whatever the clocks of processes say.
 */
export function toMessageRows(messages: readonly OwnedMessage[]): readonly NewMessageRow[] {
  const base = Math.max(Date.now() * 1_000, newestBase)
  newestBase = base + messages.length
  return messages.map(({ id, type, at, tenant, user, data, due }, index) => ({
    ...{ message_id: id, type, at, tenant_id: tenant, user_id: user ?? NOBODY, data, due },
    ...{ base, place: index + 1 },
  }))
}
