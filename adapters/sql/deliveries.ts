import { sql } from 'kysely'
import type { DeliveriesOptions, Delivery, DueDeliveriesOptions, SettledDelivery } from '../../src/storage-outbox.ts'
import { fromUserColumn } from './messages.ts'
import { rawStatement, tableOf } from './row-queries.ts'
import type { Statement } from './statement.ts'
import type { DeliveriesTable, UserColumns } from './tables.ts'
import type { SqlTraits } from './traits.ts'

/** Asks for deliveries after a place in the order in which they are due. */
interface DueRead {
  readonly now: number
  readonly lease_now: number
  readonly after_next_at: number
  readonly after_position: number
  readonly after_receiver: string
  readonly limit: number
  /** A JSON list of the receivers whose deliveries about one user go in order. */
  readonly in_order: string
  /** A JSON list of the receivers to read; empty: all receivers. */
  readonly receivers: string
}

/**
 * A due delivery. `place`: its number on the page, from 1; `is_next`: 1 where no earlier delivery holds it up.
 * Deliveries that are held up are left out, except for the last of a full page.
 */
type DueRow = DeliveriesTable & { readonly place: number; readonly is_next: number }

export type SettledRow = Pick<
  DeliveriesTable,
  'receiver' | 'position' | 'claim' | 'state' | 'tries' | 'next_at' | 'log'
>

interface ReceiverRead {
  readonly receiver: string
  readonly before: number
  readonly limit: number
}

export interface DeliveryQueries {
  readonly due: Statement<DueRead, DueRow>
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

export const DELIVERY: readonly (keyof DeliveriesTable)[] = [
  'receiver',
  'position',
  'message_id',
  'type',
  'at',
  'tenant_id',
  'user_id',
  'data',
  'state',
  'tries',
  'next_at',
  'log',
  'claim',
  'claimed_until',
]

export function deliveryQueries(traits: SqlTraits): DeliveryQueries {
  const deliveries = tableOf('deliveries')
  const columns = sql.join(DELIVERY.map((column) => sql.ref(`d.${column}`)))
  return {
    due: rawStatement(
      traits,
      // Looks for earlier deliveries on one page only: a planner without statistics would look for those of all
      // deliveries.
      (bind) => sql`select ${columns}, place, is_next from (
        select receiver, position, row_number() over (order by next_at, position, receiver) as place,
          case when p.receiver not in ${traits.jsonList(bind('in_order'))} or not exists (
            select 1 from ${deliveries} e where e.state = 'waiting' and e.receiver = p.receiver
              and e.tenant_id = p.tenant_id and e.user_id = p.user_id and e.position < p.position
          ) then 1 else 0 end as is_next
        from (
          select receiver, position, next_at, tenant_id, user_id from ${deliveries}
            where state = 'waiting' and next_at <= ${bind('now')} and claimed_until <= ${bind('lease_now')}
              and (next_at, position, receiver)
                > (${bind('after_next_at')}, ${bind('after_position')}, ${bind('after_receiver')})
              and (${bind('receivers')} = '[]' or receiver in ${traits.jsonList(bind('receivers'))})
            order by next_at, position, receiver limit ${bind('limit')}
        ) p
      ) n join ${deliveries} d on d.receiver = n.receiver and d.position = n.position
        where is_next = 1 or place = ${bind('limit')} order by place`,
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
    removeReceiver: rawStatement(traits, (bind) => sql`delete from ${deliveries} where receiver = ${bind('receiver')}`),
    ofUser: rawStatement(
      traits,
      (bind) => sql`delete from ${deliveries} where tenant_id = ${bind('tenant_id')} and user_id = ${bind('user_id')}`,
    ),
    ofTenant: rawStatement(traits, (bind) => sql`delete from ${deliveries} where tenant_id = ${bind('tenant_id')}`),
  }
}

/** With receivers in order most of a page may be held up, so pages are larger. */
const FIRST_PAGE = 64
const LONGEST_PAGE = 4_096

/** Reads pages until `limit` due deliveries are found that no earlier one holds up, or until there are no more. */
export async function readDue(
  now: number,
  { limit, inOrder, receivers, leaseNow }: DueDeliveriesOptions,
  readPage: (page: DueRead) => Promise<readonly DueRow[]>,
): Promise<readonly Delivery[]> {
  if (receivers?.length === 0 || limit <= 0) return []
  const asked = {
    now,
    lease_now: leaseNow,
    in_order: JSON.stringify(inOrder),
    receivers: JSON.stringify(receivers ?? []),
  }
  const due: DueRow[] = []
  let size = inOrder.length === 0 ? limit : Math.max(limit, FIRST_PAGE)
  let after = { after_next_at: Number.MIN_SAFE_INTEGER, after_position: 0, after_receiver: '' }
  for (;;) {
    const page = await readPage({ ...asked, ...after, limit: size })
    for (const row of page) if (row.is_next === 1) due.push(row)
    const last = page.at(-1)
    if (last === undefined || last.place < size || due.length >= limit) return due.slice(0, limit).map(toDelivery)
    after = { after_next_at: last.next_at ?? now, after_position: last.position, after_receiver: last.receiver }
    size = Math.min(4 * size, LONGEST_PAGE)
  }
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
  const { receiver, position, messageId, type, at, tenant, user, data, state, tries, nextAt, log } = delivery
  return {
    ...{ receiver, position, message_id: messageId, type, at, tenant_id: tenant, user_id: user ?? '' },
    ...{ data, state, tries, next_at: nextAt, log, claim: null, claimed_until: 0 },
  }
}

/** A stored row after an attempt: what it changes, and the claim that it needs. */
export function toSettledRow(settled: SettledDelivery): SettledRow {
  const { receiver, position, claim, state, tries, nextAt, log } = settled
  return { receiver, position, claim, state, tries, next_at: nextAt, log }
}

/** Deliveries that were just claimed, in the order in which they are due. */
export function toClaimed(rows: readonly DeliveriesTable[]): readonly Delivery[] {
  return rows.map(toDelivery).sort((a, b) => (a.nextAt ?? 0) - (b.nextAt ?? 0) || a.position - b.position)
}

export function toDelivery(row: DeliveriesTable): Delivery {
  const { receiver, position, message_id, type, at, tenant_id, user_id, data, state, tries, next_at, log } = row
  return {
    ...{ receiver, position, messageId: message_id, type, at, tenant: tenant_id, user: fromUserColumn(user_id) },
    ...{ data, state, tries, nextAt: next_at, log },
  }
}
