import type {
  DeliveriesOptions,
  Delivery,
  OwnedMessage,
  PlacedMessage,
  ReadMessagesOptions,
  StorageOutbox,
  WrittenMessage,
} from '../../src/storage-outbox.ts'
import { readDue, toCounts, toDelivery, toReceiverRead, toSettledRow } from '../sql/deliveries.ts'
import { fromMessageRow, toPlaced } from '../sql/messages.ts'
import { toUserColumns, toUserKey } from '../sql/user-rows.ts'
import type { Connection } from './connection.ts'
import type { Transact, Use } from './database.ts'
import {
  claimDeliveries,
  placeNext,
  placeUnplaced,
  removeByNumber,
  replayDelivery,
  settleDelivery,
  writeMessages,
} from './outbox-rows.ts'
import { toOutboxTransaction } from './outbox-transaction.ts'
import { queries } from './queries.ts'

const { messages, deliveries, documents, users } = queries

export function outboxes(read: Use, write: Use, transact: Transact): StorageOutbox {
  return {
    placeMessages: async (limit) => {
      // A read first: where no message waits for a position, no turn of a writer is taken.
      const isAny = await read((connection) => connection.get(placeNext, {}) !== undefined)
      return isAny ? write((connection) => placeUnplaced(connection, limit)) : 0
    },
    newestPosition: () => read((connection) => connection.get(messages.newest, {})?.position ?? 0),
    readMessages: (options) => read((connection) => readMessages(connection, options)),
    countMessages: ({ after, types, most }) =>
      read((connection) => {
        return connection.get(messages.count, { after, types: JSON.stringify(types), limit: most })?.count ?? 0
      }),
    dueMessages: (now, limit) =>
      read((connection): readonly WrittenMessage[] => {
        return connection.all(messages.due, { now, limit }).map(fromMessageRow)
      }),
    replaceMessages: (remove, put) => write((connection) => replace(connection, remove, put)),
    removeMessages: (upTo, before, limit) =>
      write((connection) => connection.all(messages.removeOld, { up_to: upTo, before, limit }).length),
    documents: (kind) => read((connection) => connection.all(documents.ofKind, { kind })),
    document: (kind, name) => read((connection) => connection.get(documents.one, { kind, name }) ?? null),
    dueUsers: (now, limit) => read((connection) => connection.all(messages.dueUsers, { now, limit }).map(toUserKey)),
    dueDeliveries: (now, options) =>
      readDue(now, options, (page) => read((connection) => connection.all(deliveries.due, page))),
    claimDeliveries: (found, options) => write((connection) => claimDeliveries(connection, found, options)),
    settleDeliveries: (settled) =>
      write((connection) => {
        for (const each of settled) connection.run(settleDelivery, toSettledRow(each))
      }),
    replayDeliveries: (receiver, positions, now) =>
      write((connection) => {
        return positions.reduce(
          (replayed, position) => replayed + connection.run(replayDelivery, { receiver, position, now }),
          0,
        )
      }),
    deliveries: (options) => read((connection) => listDeliveries(connection, options)),
    countDeliveries: (receiver) => read((connection) => toCounts(connection.all(deliveries.count, { receiver }))),
    removeDeliveries: (before, limit) =>
      write((connection) => connection.all(deliveries.removeOld, { before, limit }).length),
    transact: (work) => transact((begin) => work(toOutboxTransaction(begin))),
  }
}

function readMessages(connection: Connection, { after, types, limit }: ReadMessagesOptions): readonly PlacedMessage[] {
  const rows =
    types === undefined
      ? connection.all(messages.read, { after, limit })
      : connection.all(messages.ofTypes, { after, limit, types: JSON.stringify(types) })
  return rows.map(toPlaced)
}

function replace(connection: Connection, remove: readonly number[], write: readonly OwnedMessage[]): boolean {
  const isThere = (tenant: string, user: string): boolean =>
    connection.get(users.load, toUserColumns({ tenant, user })) !== undefined
  if (!write.every(({ tenant, user }) => user === null || isThere(tenant, user))) return false
  if (!removeByNumber(connection, remove)) return false
  writeMessages(connection, write)
  return true
}

function listDeliveries(connection: Connection, options: DeliveriesOptions): readonly Delivery[] {
  const { state } = options
  const asked = toReceiverRead(options)
  const rows =
    state === undefined
      ? connection.all(deliveries.ofReceiver, asked)
      : connection.all(deliveries.ofState, { ...asked, state })
  return rows.map(toDelivery)
}
