import type { ClaimOptions, DeliveriesOptions, Delivery, SettledDelivery } from '../../src/storage/outbox.ts'
import { compiler, type SqlTraits, type Statement } from './database.ts'
import { fromUserColumn } from './messages.ts'
import { COLUMNS, type DeliveriesTable } from './tables.ts'

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

interface ReceiverPage {
  readonly receiver: string
  readonly before: number
  readonly limit: number
}

type Receiver = Pick<DeliveriesTable, 'receiver'>

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

const DUE = `d.state = 'waiting' and d.next_at <= :now and d.claimed_until <= :lease_now`
const UNCLAIMED = 'claim = null, claimed_until = 0'
const isSame = (other: string): string => `d.receiver = ${other}.receiver and d.position = ${other}.position`

export interface DeliveryQueries {
  /** `receivers`: a JSON list. */
  readonly dueReceivers: Statement<DueRead & { readonly receivers: string }, Receiver>
  readonly claim: Statement<Claim, DeliveriesTable>
  readonly settle: Statement<Rows, unknown>
  readonly replay: Statement<Rows & Receiver & { readonly now: number }, unknown>
  readonly lockMessages: Statement<Rows, Pick<DeliveriesTable, 'position'>>
  readonly lock: Statement<Rows, Pick<DeliveriesTable, 'receiver' | 'position'>>
  /** Inserts deliveries, or replaces those of the same receiver and position. */
  readonly put: Statement<Rows, unknown>
  readonly ofReceiver: Statement<ReceiverPage, DeliveriesTable>
  readonly ofState: Statement<ReceiverPage & Pick<DeliveriesTable, 'state'>, DeliveriesTable>
  readonly count: Statement<Receiver, Pick<DeliveriesTable, 'state'> & { readonly count: number }>
  readonly removeOld: Statement<{ readonly before: number; readonly limit: number }, unknown>
  readonly removeReceiver: Statement<Receiver, unknown>
}

/** Statements that write or lock return a row for each delivery, or message. */
export function deliveryQueries(traits: SqlTraits): DeliveryQueries {
  const sql = compiler(traits)
  const { jsonRows, locking, byIndex } = traits
  const columns = NAMES.map((column) => `d.${column}`).join(', ')
  const page = 'd.position < :before order by d.position desc limit :limit'
  return {
    dueReceivers: sql(
      `select r.receiver from ${jsonRows(':receivers', { receiver: KEPT.receiver })}
        where exists (select 1 from laurels.deliveries d where ${DUE} and d.receiver = r.receiver)`,
    ),
    // A delivery is next if it is the first that waits. Without statistics, Postgres would read all deliveries for a
    // `not exists`. For `=` it would sort, because it expects few.
    claim: sql(
      `with l as materialized (
        select d.receiver as of_receiver, d.position as at_position from laurels.deliveries d
          where d.receiver = :receiver and ${DUE} and (:in_order = 0 or d.position <= (
            select min(e.position) from laurels.deliveries e${byIndex('laurels_deliveries_in_order')}
              where e.state = 'waiting' and e.receiver = d.receiver
                and e.tenant_id = d.tenant_id and e.user_id = d.user_id
          ))
          order by d.next_at, d.position limit :limit ${locking('for update of d skip locked')}
      )
      update laurels.deliveries as d set claim = :claim, claimed_until = :claimed_until
        from l where d.receiver = l.of_receiver and d.position = l.at_position returning ${NAMES.join(', ')}`,
    ),
    settle: sql(
      `with r as materialized (
        select * from ${jsonRows(':rows', SETTLED)}
      ), l as materialized (
        select d.receiver, d.position from laurels.deliveries d join r on ${isSame('r')} where d.claim = r.claim
          order by d.receiver, d.position ${locking('for update of d')}
      )
      update laurels.deliveries as d set state = r.state, attempts = r.attempts, next_at = r.next_at, log = r.log, ${UNCLAIMED}
        from l join r on l.receiver = r.receiver and l.position = r.position where ${isSame('l')} returning claimed_until`,
    ),
    replay: sql(
      `with l as materialized (
        select d.receiver, d.position from laurels.deliveries d where d.receiver = :receiver
          and d.position in (select r.position from ${jsonRows(':rows', { position: KEPT.position })})
          and d.state <> 'waiting' order by d.position ${locking('for update')}
      )
      update laurels.deliveries as d set state = 'waiting', attempts = 0, next_at = :now, ${UNCLAIMED}
        from l where ${isSame('l')} returning claimed_until`,
    ),
    lockMessages: sql(
      `select m.position from laurels.messages m
        where m.position in (select r.position from ${jsonRows(':rows', { position: KEPT.position })})
        order by m.position ${locking('for key share')}`,
    ),
    lock: sql(
      `select d.receiver, d.position from laurels.deliveries d join ${jsonRows(':rows', KEY)} on ${isSame('r')}
        order by d.receiver, d.position ${locking('for update of d')}`,
    ),
    put: sql(
      `insert into laurels.deliveries (${NAMES.join(', ')})
        select ${NAMES.join(', ')} from ${jsonRows(':rows', KEPT)} where true
        on conflict (receiver, position) do update
          set ${VALUES.map((name) => `${name} = excluded.${name}`).join(', ')} returning position`,
    ),
    ofReceiver: sql(`select ${columns} from laurels.deliveries d where d.receiver = :receiver and ${page}`),
    ofState: sql(
      `select ${columns} from laurels.deliveries d${byIndex('laurels_deliveries_of_state')}
        where d.receiver = :receiver and d.state = :state and ${page}`,
    ),
    count: sql('select state, count(*) as count from laurels.deliveries where receiver = :receiver group by state'),
    removeOld: sql(
      `delete from laurels.deliveries where (receiver, position) in (
        select receiver, position from laurels.deliveries where state <> 'waiting' and at < :before
          and (next_at is null or next_at < :before) order by at limit :limit
      ) returning position`,
    ),
    removeReceiver: sql('delete from laurels.deliveries where receiver = :receiver returning position'),
  }
}

export function toReceiverPage({ receiver, before = Number.MAX_SAFE_INTEGER, limit }: DeliveriesOptions): ReceiverPage {
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
