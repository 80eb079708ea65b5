import type { Instant } from '../rules/calendar.ts'
import type { Statement } from '../storage/statements.ts'
import { type Steps, wait } from '../storage/steps.ts'
import type { Storage } from '../storage/storage.ts'
import type { SqlTransaction } from '../storage/transactions.ts'
import { statement } from './database.ts'
import { COLUMNS, type DeliveriesTable } from './tables.ts'

/** A message on its way to one receiver: a webhook, or a subscription that put it aside. */
export interface Delivery {
  readonly receiver: string
  readonly position: number
  readonly messageId: string
  readonly type: string
  readonly at: Instant
  readonly tenant: string
  readonly user: string | null
  /** The message's, as JSON text. */
  readonly data: string
  readonly state: DeliveriesTable['state']
  readonly attempts: number
  /** When it is tried next; of one that is done or dead, when it became so, or `null` if that is not known. */
  readonly nextAt: Instant | null
  /** The outcomes of the last attempts, as JSON text. */
  readonly log: string
}

export interface ClaimOptions {
  /** Identifies this claim: no two claims have the same. */
  readonly claim: string
  /** When the claim ends if the delivery is not settled before, by the clock of `leaseNow`. */
  readonly until: Instant
  readonly now: Instant
  /** The time of claims, which is the database's if it has a clock. */
  readonly leaseNow: Instant
  /** True if deliveries about one user go in order. */
  readonly inOrder: boolean
  readonly limit: number
}

/** A delivery after an attempt. */
export interface AttemptedDelivery extends Delivery {
  readonly claim: string
}

export interface DeliveriesOptions {
  readonly receiver: string
  readonly state?: Delivery['state']
  readonly before?: number
  readonly limit: number
}

interface Rows {
  readonly rows: string
}

interface Claim extends Pick<DeliveriesTable, 'receiver' | 'claim' | 'claimed_until'> {
  readonly now: number
  readonly lease_now: number
  /** 1: deliveries about one user go in order. */
  readonly in_order: number
  readonly limit: number
}

type ReceiverPage = Required<Pick<DeliveriesOptions, 'receiver' | 'before' | 'limit'>>
type Receiver = Pick<Delivery, 'receiver'>
type Key = Pick<Delivery, 'receiver' | 'position'>

const { deliveries: COLUMN_KINDS } = COLUMNS
const NAMES = Object.keys(COLUMN_KINDS)
const KEY = { receiver: COLUMN_KINDS.receiver, position: COLUMN_KINDS.position }
const VALUES = NAMES.filter((name) => !(name in KEY))
const ATTEMPTED = {
  ...KEY,
  claim: COLUMN_KINDS.claim,
  state: COLUMN_KINDS.state,
  attempts: COLUMN_KINDS.attempts,
  next_at: COLUMN_KINDS.next_at,
  log: COLUMN_KINDS.log,
}

const DUE = `d.state = 'waiting' and d.next_at <= :now and d.claimed_until <= :lease_now`
const UNCLAIMED = 'claim = null, claimed_until = 0'
const isSame = (other: string): string => `d.receiver = ${other}.receiver and d.position = ${other}.position`

const DELIVERY = `receiver, position, message_id as "messageId", type, at, tenant_id as tenant,
  nullif(user_id, '') as "user", data, state, attempts, next_at as "nextAt", log`
const PAGE = 'd.position < :before order by d.position desc limit :limit'

// Statements that write or lock return a row for each delivery, or message.

/** `receivers`: a JSON list. */
const DUE_RECEIVERS = statement<Pick<Claim, 'now' | 'lease_now'> & { readonly receivers: string }, Receiver>(
  ({ jsonRows }) => `select r.receiver from ${jsonRows(':receivers', { receiver: COLUMN_KINDS.receiver })}
    where exists (select 1 from laurels.deliveries d where ${DUE} and d.receiver = r.receiver)`,
)

// A delivery is next if it is the first that waits. Without statistics, Postgres would read all deliveries for a
// `not exists`. For `=` it would sort, because it expects few.
export const CLAIM: Statement<Claim, Delivery> = statement(
  ({ byIndex, locking }) => `with l as materialized (
    select d.receiver as of_receiver, d.position as at_position from laurels.deliveries d
      where d.receiver = :receiver and ${DUE} and (:in_order = 0 or d.position <= (
        select min(e.position) from laurels.deliveries e${byIndex('laurels_deliveries_in_order')}
          where e.state = 'waiting' and e.receiver = d.receiver
            and e.tenant_id = d.tenant_id and e.user_id = d.user_id
      ))
      order by d.next_at, d.position limit :limit ${locking('for update of d skip locked')}
  )
  update laurels.deliveries as d set claim = :claim, claimed_until = :claimed_until
    from l where d.receiver = l.of_receiver and d.position = l.at_position returning ${DELIVERY}`,
)

const SAVE_ATTEMPTS = statement<Rows, unknown>(
  ({ jsonRows, locking }) => `with r as materialized (
    select * from ${jsonRows(':rows', ATTEMPTED)}
  ), l as materialized (
    select d.receiver, d.position from laurels.deliveries d join r on ${isSame('r')} where d.claim = r.claim
      order by d.receiver, d.position ${locking('for update of d')}
  )
  update laurels.deliveries as d set state = r.state, attempts = r.attempts, next_at = r.next_at, log = r.log, ${UNCLAIMED}
    from l join r on l.receiver = r.receiver and l.position = r.position where ${isSame('l')} returning claimed_until`,
)

const REPLAY = statement<Rows & Receiver & { readonly now: number }, unknown>(
  ({ jsonRows, locking }) => `with l as materialized (
    select d.receiver, d.position from laurels.deliveries d where d.receiver = :receiver
      and d.position in (select r.position from ${jsonRows(':rows', { position: COLUMN_KINDS.position })})
      and d.state <> 'waiting' order by d.position ${locking('for update')}
  )
  update laurels.deliveries as d set state = 'waiting', attempts = 0, next_at = :now, ${UNCLAIMED}
    from l where ${isSame('l')} returning claimed_until`,
)

const LOCK_MESSAGES = statement<Rows, Pick<Delivery, 'position'>>(
  ({ jsonRows, locking }) => `select m.position from laurels.messages m
    where m.position in (select r.position from ${jsonRows(':rows', { position: COLUMN_KINDS.position })})
    order by m.position ${locking('for key share')}`,
)

const LOCK = statement<Rows, Key>(
  ({ jsonRows, locking }) => `select d.receiver, d.position
    from laurels.deliveries d join ${jsonRows(':rows', KEY)} on ${isSame('r')}
    order by d.receiver, d.position ${locking('for update of d')}`,
)

/** Inserts deliveries, or replaces deliveries with the same receiver and position. */
const PUT = statement<Rows, unknown>(
  ({ jsonRows }) => `insert into laurels.deliveries (${NAMES.join(', ')})
    select ${NAMES.join(', ')} from ${jsonRows(':rows', COLUMN_KINDS)} where true
    on conflict (receiver, position) do update
      set ${VALUES.map((name) => `${name} = excluded.${name}`).join(', ')} returning position`,
)

const OF_RECEIVER = statement<ReceiverPage, Delivery>(
  `select ${DELIVERY} from laurels.deliveries d where d.receiver = :receiver and ${PAGE}`,
)

const OF_STATE = statement<ReceiverPage & Pick<Delivery, 'state'>, Delivery>(
  ({ byIndex }) => `select ${DELIVERY} from laurels.deliveries d${byIndex('laurels_deliveries_of_state')}
    where d.receiver = :receiver and d.state = :state and ${PAGE}`,
)

const COUNT = statement<Receiver, Pick<Delivery, 'state'> & { readonly count: number }>(
  'select state, count(*) as count from laurels.deliveries where receiver = :receiver group by state',
)

const REMOVE_OLD = statement<{ readonly before: number; readonly limit: number }, unknown>(
  `delete from laurels.deliveries where (receiver, position) in (
    select receiver, position from laurels.deliveries where state <> 'waiting' and at < :before
      and (next_at is null or next_at < :before) order by at limit :limit
  ) returning position`,
)

const REMOVE_RECEIVER: Statement<Receiver, unknown> = statement(
  'delete from laurels.deliveries where receiver = :receiver returning position',
)

/** Which of these receivers have a waiting delivery that is due at `now` and not claimed beyond `leaseNow`. */
export async function loadDueReceivers(
  storage: Storage,
  receivers: readonly string[],
  { now, leaseNow }: Pick<ClaimOptions, 'now' | 'leaseNow'>,
): Promise<readonly string[]> {
  const asked = JSON.stringify(receivers.map((receiver) => ({ receiver })))
  const due = await storage.all(DUE_RECEIVERS, { receivers: asked, now, lease_now: leaseNow })
  return due.map(({ receiver }) => receiver)
}

/**
 * Claims at most `limit` waiting deliveries of one receiver that are due, and returns them in order of (nextAt,
 * position). Skips a delivery that is claimed beyond `leaseNow`, and, with `inOrder`, one for which an earlier one (by
 * position) of the same tenant and user waits, claimed or not. At most one of
 * several concurrent calls claims a delivery, and none waits for another.
 */
export async function claimDeliveries(
  storage: Storage,
  receiver: string,
  options: ClaimOptions,
): Promise<readonly Delivery[]> {
  const claimed = await storage.change(CLAIM, toClaim(receiver, options))
  return claimed.toSorted((a, b) => (a.nextAt ?? 0) - (b.nextAt ?? 0) || a.position - b.position)
}

/**
 * Stores the result of claimed deliveries (`state`, `attempts`, `nextAt`, `log`), and ends their claims. Skips a
 * delivery that was removed, or that has lost this claim.
 */
export async function saveAttempts(storage: Storage, attempted: readonly AttemptedDelivery[]): Promise<void> {
  if (attempted.length > 0) await storage.change(SAVE_ATTEMPTS, { rows: JSON.stringify(attempted.map(toAttemptRow)) })
}

/**
 * Makes deliveries of a receiver wait again, due at `now` and with `attempts` 0. Skips deliveries that wait already.
 * Returns how many it changed.
 */
export async function requeueDeliveries(
  storage: Storage,
  receiver: string,
  positions: readonly number[],
  now: Instant,
): Promise<number> {
  const rows = JSON.stringify(positions.map((position) => ({ position })))
  return (await storage.change(REPLAY, { receiver, rows, now })).length
}

/**
 * Deliveries of a receiver, the newest (highest position) first, at most `limit`, below the position `before`; of one
 * state if it is named.
 */
export function loadDeliveries(
  storage: Storage,
  { receiver, state, before = Number.MAX_SAFE_INTEGER, limit }: DeliveriesOptions,
): Promise<readonly Delivery[]> {
  const page = { receiver, before, limit }
  return state === undefined ? storage.all(OF_RECEIVER, page) : storage.all(OF_STATE, { ...page, state })
}

/** Counts a receiver's deliveries by state. */
export async function countDeliveries(
  storage: Storage,
  receiver: string,
): Promise<{ readonly [State in Delivery['state']]: number }> {
  const counts = { waiting: 0, done: 0, dead: 0 }
  for (const { state, count } of await storage.all(COUNT, { receiver })) counts[state] = count
  return counts
}

/**
 * Removes at most `limit` deliveries that are done or dead, of messages older (`at`) than `before`, and became so
 * before that too (`nextAt`, if it is known); returns how many.
 */
export async function removeDeliveries(storage: Storage, before: Instant, limit: number): Promise<number> {
  return (await storage.change(REMOVE_OLD, { before, limit })).length
}

/**
 * Inserts deliveries, or replaces deliveries with the same receiver and position, whose claims end. Skips a new delivery
 * whose message no longer exists.
 */
export function* putDeliveries(tx: SqlTransaction, all: readonly Delivery[]): Steps<void> {
  if (all.length === 0) return
  const rows = all.map(toDeliveryRow)
  const given = JSON.stringify(rows)
  // A removal of their user or tenant waits for the messages, and then removes these deliveries too.
  const placed = new Set((yield* wait(tx.all(LOCK_MESSAGES, { rows: given }))).map(({ position }) => position))
  // Updates a delivery whose message is gone; never re-inserts a removed one.
  const known = new Set((yield* wait(tx.all(LOCK, { rows: given }))).map(idOf))
  const put = rows.filter((row) => placed.has(row.position) || known.has(idOf(row)))
  if (put.length > 0) yield* wait(tx.all(PUT, { rows: JSON.stringify(put) }))
}

/** Removes every delivery of a receiver. */
export function* removeReceiver(tx: SqlTransaction, receiver: string): Steps<void> {
  yield* wait(tx.all(REMOVE_RECEIVER, { receiver }))
}

function idOf({ receiver, position }: Key): string {
  return JSON.stringify([receiver, position])
}

function toDeliveryRow({ messageId, tenant, user, nextAt, ...delivery }: Delivery): DeliveriesTable {
  const columns = { message_id: messageId, tenant_id: tenant, user_id: user ?? '', next_at: nextAt }
  return { ...delivery, ...columns, claim: null, claimed_until: 0 }
}

/** The row after an attempt: the changes, and the claim that they require. */
function toAttemptRow({ receiver, position, claim, state, attempts, nextAt, log }: AttemptedDelivery): object {
  return { receiver, position, claim, state, attempts, next_at: nextAt, log }
}

export function toClaim(receiver: string, { claim, until, now, leaseNow, inOrder, limit }: ClaimOptions): Claim {
  return { receiver, claim, claimed_until: until, now, lease_now: leaseNow, in_order: Number(inOrder), limit }
}
