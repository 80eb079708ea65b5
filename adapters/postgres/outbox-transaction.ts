import type { Delivery, HandlerTransaction, OutboxTransaction, OwnedMessage } from '../../src/storage-outbox.ts'
import { checkStatement } from '../sql/check-statement.ts'
import { DELIVERY, toDeliveryRow } from '../sql/deliveries.ts'
import { toMessageRow } from '../sql/messages.ts'
import type { Queries } from '../sql/queries.ts'
import type { Statement } from '../sql/statement.ts'
import { DELIVERIES, MESSAGES } from './columns.ts'
import { toStorageError } from './errors.ts'
import { toHandlerError } from './open-transaction.ts'
import { quote } from './quote.ts'
import type { Session } from './session.ts'

/** `begin` begins the transaction where it has not begun. */
export function toOutboxTransaction(
  begin: () => Promise<Session>,
  { documents, deliveries }: Queries,
  schema: string,
): OutboxTransaction {
  const ask = async (text: string, values: readonly unknown[]): Promise<readonly unknown[]> => {
    const session = await begin()
    try {
      return await session.query(text, values)
    } catch (error) {
      throw toStorageError(error)
    }
  }
  const run = async <Params>({ text, toValues }: Statement<Params, unknown>, params: Params): Promise<number> =>
    (await ask(text, toValues(params))).length

  return {
    host: toHandlerTransaction(begin),
    putDocument: async (document) => {
      const statement = document.version === 0 ? documents.create : documents.replace
      return (await run(statement, document)) === 1
    },
    removeDocument: async (document) => (await run(documents.remove, document)) === 1,
    putMessages: async (messages) => {
      if (messages.length === 0) return
      const rows = [toMessagesJson(messages)]
      const { lock, insert } = messageTexts(schema)
      await ask(lock, rows)
      await ask(insert, rows)
    },
    putDeliveries: async (all) => {
      if (all.length === 0) return
      const rows = [toDeliveriesJson(all)]
      const { lock, replace, insert } = deliveryTexts(schema)
      await ask(lock, rows)
      const replaced = await ask(replace, rows)
      await ask(insert, [...rows, JSON.stringify(replaced)])
    },
    removeReceiver: async (receiver) => {
      await run(deliveries.removeReceiver, { receiver })
    },
  }
}

function toHandlerTransaction(begin: () => Promise<Session>): HandlerTransaction {
  return {
    query: async <Row>(text: string, values: readonly unknown[] = []) => {
      checkStatement(text)
      const session = await begin()
      try {
        // Only the host knows the type of the rows.
        return { rows: (await session.query(text, values)) as readonly Row[] }
      } catch (error) {
        throw toHandlerError(error)
      }
    },
  }
}

function toMessagesJson(messages: readonly OwnedMessage[]): string {
  return JSON.stringify(messages.map((message, place) => ({ place, ...toMessageRow(message) })))
}

function toDeliveriesJson(deliveries: readonly Delivery[]): string {
  return JSON.stringify(deliveries.map(toDeliveryRow))
}

/** The first parameter as rows `r`. */
function rowsOf(columns: { readonly [name: string]: string }): string {
  const typed = Object.entries(columns).map(([name, type]) => `${name} ${type}`)
  return `jsonb_to_recordset($1::text::jsonb) as r(${typed.join(', ')})`
}

/** Locks the users first: whoever removes one of them waits, and then removes the inserted messages too. */
function messageTexts(schema: string): { readonly lock: string; readonly insert: string } {
  const users = `${quote(schema)}.users`
  const { position: _, ...columns } = MESSAGES.values
  const names = Object.keys(columns)
  const from = rowsOf({ place: 'bigint', ...columns })
  const isUser = 'u.tenant_id = r.tenant_id and u.user_id = r.user_id'
  return {
    lock: `select 1 from ${users} u where exists (select from ${from} where ${isUser})
      order by u.tenant_id, u.user_id for key share of u`,
    insert: `insert into ${quote(schema)}.messages (${names.join(', ')})
      select ${names.map((name) => `r.${name}`).join(', ')} from ${from}
        where r.user_id = '' or exists (select from ${users} u where ${isUser}) order by r.place`,
  }
}

/**
 * Locks the messages first: a removal of their user or tenant waits, and then removes these deliveries too. A stored
 * delivery may be without its message: it is replaced, but not inserted again where it is removed meanwhile.
 */
function deliveryTexts(schema: string): { readonly lock: string; readonly replace: string; readonly insert: string } {
  const [messages, deliveries] = [`${quote(schema)}.messages`, `${quote(schema)}.deliveries`]
  const { key, values } = DELIVERIES
  const from = rowsOf({ ...key, ...values })
  const set = Object.keys(values).map((name) => `${name} = r.${name}`)
  const isSame = 'd.receiver = r.receiver and d.position = r.position'
  return {
    lock: `select 1 from ${messages} m where m.position in (select r.position from ${from})
      order by m.position for key share of m`,
    replace: `update ${deliveries} d set ${set.join(', ')} from ${from} where ${isSame} returning d.receiver, d.position::text`,
    insert: `insert into ${deliveries} (${DELIVERY.join(', ')})
      select ${DELIVERY.map((name) => `r.${name}`).join(', ')} from ${from}
        where exists (select from ${messages} m where m.position = r.position)
          and not exists (
            select from jsonb_to_recordset($2::text::jsonb) as d(receiver text, position bigint) where ${isSame}
          )
      on conflict (receiver, position) do update set ${Object.keys(values)
        .map((name) => `${name} = excluded.${name}`)
        .join(', ')}`,
  }
}
