import { type RawBuilder, sql } from 'kysely'
import type { ClaimOptions, DeliveriesOptions, Delivery, SettledDelivery } from '../../src/storage/outbox.ts'
import { type Bind, columnList, rawStatement, type SqlTraits, type Statement, tableOf } from './database.ts'
import { fromUserColumn } from './messages.ts'
import { COLUMNS, type DeliveriesTable, type UserColumns } from './tables.ts'

/** A JSON list of objects. */
interface Rows {
  readonly rows: string
}

interface DueRead {
  readonly now: number
  readonly lease_now: number
}

interface Claim extends DueRead, Pick<DeliveriesTable, 'receiver' | 'claim' | 'claimed_until'> {
  /** 1: deliveries about one user go in order. */
  readonly in_order: number
  readonly limit: number
}

interface Replay extends Rows, Pick<DeliveriesTable, 'receiver'> {
  readonly now: number
}

interface ReceiverRead {
  readonly receiver: string
  readonly before: number
  readonly limit: number
}

export interface DeliveryQueries {
  /** `receivers`: a JSON list. */
  readonly dueReceivers: Statement<DueRead & { readonly receivers: string }, Pick<DeliveriesTable, 'receiver'>>
  readonly claim: Statement<Claim, DeliveriesTable>
  /** These answer a row for each delivery, or message, that they have written or locked. */
  readonly settle: Statement<Rows, unknown>
  readonly replay: Statement<Replay, unknown>
  readonly lockMessages: Statement<Rows, Pick<DeliveriesTable, 'position'>>
  readonly lock: Statement<Rows, Pick<DeliveriesTable, 'receiver' | 'position'>>
  /** Inserts deliveries, or replaces those of the same receiver and position. */
  readonly put: Statement<Rows, unknown>
  readonly ofReceiver: Statement<ReceiverRead, DeliveriesTable>
  readonly ofState: Statement<ReceiverRead & Pick<DeliveriesTable, 'state'>, DeliveriesTable>
  readonly count: Statement<
    Pick<DeliveriesTable, 'receiver'>,
    Pick<DeliveriesTable, 'state'> & { readonly count: number }
  >
  /** Answers a row for each delivery that it removed. */
  readonly removeOld: Statement<{ readonly before: number; readonly limit: number }, unknown>
  readonly removeReceiver: Statement<Pick<DeliveriesTable, 'receiver'>, unknown>
  readonly ofUser: Statement<UserColumns, unknown>
  readonly ofTenant: Statement<Pick<UserColumns, 'tenant_id'>, unknown>
}

const { deliveries: KEPT } = COLUMNS
const NAMES = Object.keys(KEPT)
const KEY = { receiver: KEPT.receiver, position: KEPT.position }
const VALUES = NAMES.filter((name) => !(name in KEY))
const SETTLED = {
  ...KEY,
  claim: KEPT.claim,
  state: KEPT.state,
  attempts: KEPT.attempts,
  next_at: KEPT.next_at,
  log: KEPT.log,
}

export function deliveryQueries(traits: SqlTraits): DeliveryQueries {
  const deliveries = tableOf('deliveries')
  const columns = sql.join(NAMES.map((column) => sql.ref(`d.${column}`)))
  return {
    dueReceivers: rawStatement(
      traits,
      (bind) => sql`select r.receiver from ${traits.jsonRows(bind('receivers'), { receiver: KEPT.receiver })}
        where exists (select 1 from ${deliveries} d where ${isDue(bind)} and d.receiver = r.receiver)`,
    ),
    // A delivery is next where it is the first that waits. Postgres would read all deliveries for a `not exists`, without
    // statistics, and for `=`, of which it expects so few that it sorts.
    claim: rawStatement(
      traits,
      (bind) => sql`with l as materialized (
        select d.receiver as of_receiver, d.position as at_position from ${deliveries} d
          where d.receiver = ${bind('receiver')} and ${isDue(bind)} and (${bind('in_order')} = 0 or d.position <= (
            select min(e.position) from ${deliveries} e${traits.byIndex('laurels_deliveries_in_order')} where e.state = 'waiting' and e.receiver = d.receiver
              and e.tenant_id = d.tenant_id and e.user_id = d.user_id
          ))
          order by d.next_at, d.position limit ${bind('limit')} ${traits.locking('for update of d skip locked')}
      )
      update ${deliveries} as d set claim = ${bind('claim')}, claimed_until = ${bind('claimed_until')}
        from l where d.receiver = l.of_receiver and d.position = l.at_position returning ${columnList(NAMES)}`,
    ),
    settle: rawStatement(
      traits,
      (bind) => sql`with r as materialized (
        select * from ${traits.jsonRows(bind('rows'), SETTLED)}
      ), l as materialized (
        select d.receiver, d.position from ${deliveries} d join r on ${isSame('r')} where d.claim = r.claim
          order by d.receiver, d.position ${traits.locking('for update of d')}
      )
      update ${deliveries} as d set state = r.state, attempts = r.attempts, next_at = r.next_at, log = r.log, ${UNCLAIMED}
        from l join r on l.receiver = r.receiver and l.position = r.position where ${isSame('l')} returning claimed_until`,
    ),
    replay: rawStatement(
      traits,
      (bind) => sql`with l as materialized (
        select d.receiver, d.position from ${deliveries} d where d.receiver = ${bind('receiver')}
          and d.position in (select r.position from ${traits.jsonRows(bind('rows'), { position: KEPT.position })})
          and d.state <> 'waiting' order by d.position ${traits.locking('for update')}
      )
      update ${deliveries} as d set state = 'waiting', attempts = 0, next_at = ${bind('now')}, ${UNCLAIMED}
        from l where ${isSame('l')} returning claimed_until`,
    ),
    lockMessages: rawStatement(
      traits,
      (bind) => sql`select m.position from ${tableOf('messages')} m
        where m.position in (select r.position from ${traits.jsonRows(bind('rows'), { position: KEPT.position })})
        order by m.position ${traits.locking('for key share')}`,
    ),
    lock: rawStatement(
      traits,
      (bind) => sql`select d.receiver, d.position from ${deliveries} d
        join ${traits.jsonRows(bind('rows'), KEY)} on ${isSame('r')}
        order by d.receiver, d.position ${traits.locking('for update of d')}`,
    ),
    put: rawStatement(
      traits,
      (bind) => sql`insert into ${deliveries} (${columnList(NAMES)})
        select ${columnList(NAMES)} from ${traits.jsonRows(bind('rows'), KEPT)} where true
        on conflict (receiver, position) do update
          set ${sql.join(VALUES.map((name) => sql`${sql.ref(name)} = ${sql.ref(`excluded.${name}`)}`))} returning position`,
    ),
    ofReceiver: rawStatement(
      traits,
      (bind) => sql`select ${columns} from ${deliveries} d where d.receiver = ${bind('receiver')}
        and d.position < ${bind('before')} order by d.position desc limit ${bind('limit')}`,
    ),
    ofState: rawStatement(
      traits,
      (bind) => sql`select ${columns} from ${deliveries} d${traits.byIndex('laurels_deliveries_of_state')}
        where d.receiver = ${bind('receiver')} and d.state = ${bind('state')} and d.position < ${bind('before')} order by d.position desc limit ${bind('limit')}`,
    ),
    count: rawStatement(
      traits,
      (bind) =>
        sql`select state, count(*) as count from ${deliveries} where receiver = ${bind('receiver')} group by state`,
    ),
    removeOld: rawStatement(
      traits,
      (bind) => sql`delete from ${deliveries} where (receiver, position) in (
        select receiver, position from ${deliveries} where state <> 'waiting' and at < ${bind('before')}
          and (next_at is null or next_at < ${bind('before')}) order by at limit ${bind('limit')}
      ) returning position`,
    ),
    removeReceiver: rawStatement(
      traits,
      (bind) => sql`delete from ${deliveries} where receiver = ${bind('receiver')} returning position`,
    ),
    ofUser: rawStatement(
      traits,
      (bind) => sql`delete from ${deliveries} where tenant_id = ${bind('tenant_id')} and user_id = ${bind('user_id')}`,
    ),
    ofTenant: rawStatement(traits, (bind) => sql`delete from ${deliveries} where tenant_id = ${bind('tenant_id')}`),
  }
}

const UNCLAIMED = sql`claim = null, claimed_until = 0`

function isDue(bind: Bind<DueRead>): RawBuilder<unknown> {
  return sql`d.state = 'waiting' and d.next_at <= ${bind('now')} and d.claimed_until <= ${bind('lease_now')}`
}

function isSame(other: string): RawBuilder<unknown> {
  return sql`d.receiver = ${sql.ref(`${other}.receiver`)} and d.position = ${sql.ref(`${other}.position`)}`
}

export function toReceiverRead({ receiver, before = Number.MAX_SAFE_INTEGER, limit }: DeliveriesOptions): ReceiverRead {
  return { receiver, before, limit }
}

export function toCounts(rows: readonly (Pick<DeliveriesTable, 'state'> & { readonly count: number })[]): {
  readonly [State in Delivery['state']]: number
} {
  const counts = { waiting: 0, done: 0, dead: 0 }
  for (const { state, count } of rows) counts[state] = count
  return counts
}

export function toDeliveryRow(delivery: Delivery): DeliveriesTable {
  const { receiver, position, messageId, type, at, tenant, user, data, state, attempts, nextAt, log } = delivery
  return {
    ...{ receiver, position, message_id: messageId, type, at, tenant_id: tenant, user_id: user ?? '' },
    ...{ data, state, attempts, next_at: nextAt, log, claim: null, claimed_until: 0 },
  }
}

/** A stored row after an attempt: what it changes, and the claim that it needs. */
export function toSettledRow({ receiver, position, claim, state, attempts, nextAt, log }: SettledDelivery): object {
  return { receiver, position, claim, state, attempts, next_at: nextAt, log }
}

export function toClaim(receiver: string, { claim, until, now, leaseNow, inOrder, limit }: ClaimOptions): Claim {
  return { receiver, claim, claimed_until: until, now, lease_now: leaseNow, in_order: Number(inOrder), limit }
}

/** Deliveries that were just claimed, in the order in which they are due. */
export function toClaimed(rows: readonly DeliveriesTable[]): readonly Delivery[] {
  return rows.map(toDelivery).sort((a, b) => (a.nextAt ?? 0) - (b.nextAt ?? 0) || a.position - b.position)
}

export function toDelivery(row: DeliveriesTable): Delivery {
  const { receiver, position, message_id, type, at, tenant_id, user_id, data, state, attempts, next_at, log } = row
  return {
    ...{ receiver, position, messageId: message_id, type, at, tenant: tenant_id, user: fromUserColumn(user_id) },
    ...{ data, state, attempts, nextAt: next_at, log },
  }
}
