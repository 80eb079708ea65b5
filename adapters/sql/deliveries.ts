import { sql } from 'kysely'
import type { DeliveriesOptions, Delivery } from '../../src/storage-outbox.ts'
import { toUser } from './messages.ts'
import { rawStatement, tableOf } from './row-queries.ts'
import type { Statement } from './statement.ts'
import type { DeliveriesTable, UserColumns } from './tables.ts'
import type { SqlTraits } from './traits.ts'

interface DueRead {
  readonly now: number
  readonly limit: number
  /** A JSON list of receivers. */
  readonly in_order: string
  /** The same; empty: all of them. */
  readonly receivers: string
}

interface ReceiverRead {
  readonly receiver: string
  readonly before: number
  readonly limit: number
}

export interface DeliveryQueries {
  readonly due: Statement<DueRead, DeliveriesTable>
  readonly ofReceiver: Statement<ReceiverRead, DeliveriesTable>
  readonly ofState: Statement<ReceiverRead & Pick<DeliveriesTable, 'state'>, DeliveriesTable>
  readonly count: Statement<
    Pick<DeliveriesTable, 'receiver'>,
    Pick<DeliveriesTable, 'state'> & { readonly count: number }
  >
  /** Answers a row for each that it removed. */
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
]

export function deliveryQueries(traits: SqlTraits): DeliveryQueries {
  const deliveries = tableOf('deliveries')
  const columns = sql.join(DELIVERY.map((column) => sql.ref(`d.${column}`)))
  return {
    due: rawStatement(
      traits,
      (bind) => sql`select ${columns} from ${deliveries} d
        where d.state = 'waiting' and d.next_at <= ${bind('now')}
          and (${bind('receivers')} = '[]' or d.receiver in ${traits.jsonList(bind('receivers'))})
          and (d.receiver not in ${traits.jsonList(bind('in_order'))} or not exists (
            select 1 from ${deliveries} e where e.state = 'waiting' and e.receiver = d.receiver
              and e.tenant_id = d.tenant_id and e.user_id = d.user_id and e.position < d.position
          ))
        order by d.next_at, d.position, d.receiver limit ${bind('limit')}`,
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
    ...{ data, state, tries, next_at: nextAt, log },
  }
}

export function toDelivery(row: DeliveriesTable): Delivery {
  const { receiver, position, message_id, type, at, tenant_id, user_id, data, state, tries, next_at, log } = row
  return {
    ...{ receiver, position, messageId: message_id, type, at, tenant: tenant_id, user: toUser(user_id) },
    ...{ data, state, tries, nextAt: next_at, log },
  }
}
