import type { HandlerTransaction, OutboxTransaction } from '../../src/storage-outbox.ts'
import { checkStatement } from '../sql/check-statement.ts'
import { toUserColumns } from '../sql/user-rows.ts'
import type { Connection } from './connection.ts'
import { putDelivery, writeMessages } from './outbox-rows.ts'
import { queries } from './queries.ts'

const { deliveries, documents, users } = queries

/** `begin` begins the transaction where it has not begun. */
export function toOutboxTransaction(begin: () => Promise<Connection>): OutboxTransaction {
  return {
    host: toHandlerTransaction(begin),
    putDocument: async (document) => {
      const statement = document.version === 0 ? documents.create : documents.replace
      return (await begin()).all(statement, document).length === 1
    },
    removeDocument: async (document) => (await begin()).all(documents.remove, document).length === 1,
    putMessages: async (messages) => {
      const connection = await begin()
      const isThere = (tenant: string, user: string): boolean =>
        connection.get(users.load, toUserColumns({ tenant, user })) !== undefined
      writeMessages(
        connection,
        messages.filter(({ tenant, user }) => user === null || isThere(tenant, user)),
      )
    },
    putDeliveries: async (all) => {
      const connection = await begin()
      for (const delivery of all) putDelivery(connection, delivery)
    },
    removeReceiver: async (receiver) => {
      const connection = await begin()
      connection.run(deliveries.removeReceiver, { receiver })
    },
  }
}

function toHandlerTransaction(begin: () => Promise<Connection>): HandlerTransaction {
  return {
    query: async <Row>(text: string, values: readonly unknown[] = []) => {
      checkStatement(text)
      // Only the host knows the type of the rows.
      return { rows: (await begin()).ask(text, values) as readonly Row[] }
    },
  }
}
