import type { Instant } from '../../src/rules/calendar.ts'
import type {
  DeliveriesOptions,
  Delivery,
  DueDeliveriesOptions,
  OwnedMessage,
  PlacedMessage,
  ReadMessagesOptions,
  StorageOutbox,
  WrittenMessage,
} from '../../src/storage-outbox.ts'
import type { UserKey } from '../../src/storage-rows.ts'
import { freeze } from './freeze.ts'
import { deliveryOf, documentOf, type Outbox, writeMessages } from './outbox.ts'
import { createTransactions } from './outbox-transaction.ts'
import { compareText } from './read.ts'
import { idOf, type Memory } from './write.ts'

export function outboxes(open: () => Memory): StorageOutbox {
  const outbox = (): Outbox => open().outbox
  return {
    placeMessages: async (limit) => place(outbox(), limit),
    newestPosition: async () => outbox().head,
    readMessages: async (options) => read(outbox(), options),
    countMessages: async ({ after, types, most }) => read(outbox(), { after, types, limit: most }).length,
    dueMessages: async (now, limit) => dueMessages(outbox(), now, limit),
    replaceMessages: async (remove, write) => replace(open(), remove, write),
    removeMessages: async (upTo, before, limit) => {
      const { placed } = outbox()
      const old = [...placed.values()].filter(({ position, at }) => position <= upTo && at < before).slice(0, limit)
      for (const { position } of old) placed.delete(position)
      return old.length
    },
    documents: async (kind) =>
      [...outbox().documents.values()]
        .flatMap(({ document }) => (document?.kind === kind ? [document] : []))
        .sort((a, b) => compareText(a.name, b.name)),
    document: async (kind, name) => outbox().documents.get(documentOf({ kind, name }))?.document ?? null,
    dueUsers: async (now, limit) => dueUsers(open(), now, limit),
    dueDeliveries: async (now, options) => dueDeliveries(outbox(), now, options),
    deliveries: async (options) => listDeliveries(outbox(), options),
    countDeliveries: async (receiver) => {
      const counts = { waiting: 0, done: 0, dead: 0 }
      for (const each of outbox().deliveries.values()) if (each.receiver === receiver) counts[each.state] += 1
      return counts
    },
    removeDeliveries: async (before, limit) => {
      const { deliveries } = outbox()
      const isOld = ({ state, at, nextAt }: Delivery): boolean =>
        state !== 'waiting' && at < before && (nextAt ?? at) < before
      const old = [...deliveries.values()].filter(isOld).slice(0, limit)
      for (const each of old) deliveries.delete(deliveryOf(each))
      return old.length
    },
    transact: createTransactions(open),
  }
}

function place(outbox: Outbox, limit: number): number {
  const next = [...outbox.waiting.values()].filter(({ due }) => due === null).slice(0, limit)
  for (const message of next) {
    outbox.head += 1
    outbox.waiting.delete(message.number)
    outbox.placed.set(outbox.head, freeze({ ...message, position: outbox.head }))
  }
  return next.length
}

function read({ placed }: Outbox, { after, types, limit }: ReadMessagesOptions): PlacedMessage[] {
  return [...placed.values()]
    .filter(({ position, type }) => position > after && (types === undefined || types.includes(type)))
    .slice(0, limit)
}

function dueMessages({ waiting }: Outbox, now: Instant, limit: number): WrittenMessage[] {
  return [...waiting.values()]
    .filter(({ due }) => due !== null && due <= now)
    .sort((a, b) => (a.due ?? 0) - (b.due ?? 0) || compareText(a.id, b.id) || a.number - b.number)
    .slice(0, limit)
}

function replace({ outbox, users }: Memory, remove: readonly number[], write: readonly OwnedMessage[]): boolean {
  if (!remove.every((number) => outbox.waiting.has(number))) return false
  if (!write.every(({ tenant, user }) => user === null || users.has(idOf({ tenant, user })))) return false
  for (const number of remove) outbox.waiting.delete(number)
  writeMessages(outbox, write)
  return true
}

function dueUsers({ users }: Memory, now: Instant, limit: number): UserKey[] {
  return [...users.values()]
    .flatMap(({ key, told }) => (told?.due != null && told.due <= now ? [{ ...key, due: told.due }] : []))
    .sort((a, b) => a.due - b.due || compareText(a.tenant, b.tenant) || compareText(a.user, b.user))
    .slice(0, limit)
    .map(({ tenant, user }) => ({ tenant, user }))
}

function dueDeliveries(
  { deliveries }: Outbox,
  now: Instant,
  { limit, inOrder, receivers }: DueDeliveriesOptions,
): Delivery[] {
  const all = [...deliveries.values()].filter(
    ({ state, receiver }) => state === 'waiting' && (receivers === undefined || receivers.includes(receiver)),
  )
  const first = new Map<string, number>()
  const orderOf = ({ receiver, tenant, user }: Delivery): string => JSON.stringify([receiver, tenant, user])
  for (const each of all) {
    first.set(orderOf(each), Math.min(first.get(orderOf(each)) ?? each.position, each.position))
  }
  const isNext = (each: Delivery): boolean =>
    !inOrder.includes(each.receiver) || first.get(orderOf(each)) === each.position
  return all
    .flatMap((each) => (each.nextAt !== null && each.nextAt <= now && isNext(each) ? [{ each, at: each.nextAt }] : []))
    .sort((a, b) => a.at - b.at || a.each.position - b.each.position || compareText(a.each.receiver, b.each.receiver))
    .slice(0, limit)
    .map(({ each }) => each)
}

function listDeliveries({ deliveries }: Outbox, { receiver, state, before, limit }: DeliveriesOptions): Delivery[] {
  return [...deliveries.values()]
    .filter((each) => each.receiver === receiver && (state === undefined || each.state === state))
    .filter(({ position }) => before === undefined || position < before)
    .sort((a, b) => b.position - a.position)
    .slice(0, limit)
}
