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
    placeMessages: async (limit, deadline) => {
      // A read first: where no message waits for a position, no turn of a writer is taken.
      const isAny = await read((connection) => connection.get(placeNext, {}) !== undefined, deadline)
      return isAny ? write((connection) => placeUnplaced(connection, limit), deadline) : 0
    },
    newestPosition: (deadline) => read((connection) => connection.get(messages.newest, {})?.position ?? 0, deadline),
    readMessages: (options, deadline) => read((connection) => readMessages(connection, options), deadline),
    countMessages: ({ after, types, most }, deadline) =>
      read((connection) => {
        return connection.get(messages.count, { after, types: JSON.stringify(types), limit: most })?.count ?? 0
      }, deadline),
    dueMessages: (now, limit, deadline) =>
      read((connection): readonly WrittenMessage[] => {
        return connection.all(messages.due, { now, limit }).map(fromMessageRow)
      }, deadline),
    replaceMessages: (remove, put, deadline) => write((connection) => replace(connection, remove, put), deadline),
    removeMessages: (upTo, before, limit, deadline) =>
      write((connection) => connection.all(messages.removeOld, { up_to: upTo, before, limit }).length, deadline),
    documents: (kind, deadline) => read((connection) => connection.all(documents.ofKind, { kind }), deadline),
    document: (kind, name, deadline) =>
      read((connection) => connection.get(documents.one, { kind, name }) ?? null, deadline),
    dueUsers: (now, limit, deadline) =>
      read((connection) => connection.all(messages.dueUsers, { now, limit }).map(toUserKey), deadline),
    dueDeliveries: (now, options, deadline) =>
      readDue(now, options, (page) => read((connection) => connection.all(deliveries.due, page), deadline)),
    claimDeliveries: (found, options, deadline) =>
      write((connection) => claimDeliveries(connection, found, options), deadline),
    settleDeliveries: (settled, deadline) =>
      write((connection) => {
        for (const each of settled) connection.run(settleDelivery, toSettledRow(each))
      }, deadline),
    replayDeliveries: (receiver, positions, now, deadline) =>
      write((connection) => {
        return positions.reduce(
          (replayed, position) => replayed + connection.run(replayDelivery, { receiver, position, now }),
          0,
        )
      }, deadline),
    deliveries: (options, deadline) => read((connection) => listDeliveries(connection, options), deadline),
    countDeliveries: (receiver, deadline) =>
      read((connection) => toCounts(connection.all(deliveries.count, { receiver })), deadline),
    removeDeliveries: (before, limit, deadline) =>
      write((connection) => connection.all(deliveries.removeOld, { before, limit }).length, deadline),
    transact: (work, deadline) => transact((begin) => work(toOutboxTransaction(begin)), deadline),
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
