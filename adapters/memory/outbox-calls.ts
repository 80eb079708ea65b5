import type { Instant } from '../../src/rules/calendar.ts'
import type {
  DeliveriesOptions,
  Delivery,
  OwnedMessage,
  PlacedMessage,
  ReadMessagesOptions,
  StorageOutbox,
  WrittenMessage,
} from '../../src/storage-outbox.ts'
import type { UserKey } from '../../src/storage-rows.ts'
import {
  allDeliveries,
  claimDeliveries,
  dueDeliveries,
  newestFirst,
  removeDelivery,
  replayDeliveries,
  settleDelivery,
} from './deliveries.ts'
import { freeze } from './freeze.ts'
import { firstOf } from './lists.ts'
import { documentOf, type Outbox, placeOfPosition, writeMessages } from './outbox.ts'
import { compareText } from './read.ts'
import { idOf, type Memory } from './write.ts'

export function outboxes(open: () => Memory): Omit<StorageOutbox, 'transact'> {
  const outbox = (): Outbox => open().outbox
  return {
    placeMessages: async (limit) => place(outbox(), limit),
    newestPosition: async () => outbox().head,
    readMessages: async (options) => read(outbox(), options),
    countMessages: async ({ after, types, most }) => read(outbox(), { after, types, limit: most }).length,
    dueMessages: async (now, limit) => dueMessages(outbox(), now, limit),
    replaceMessages: async (remove, write) => replace(open(), remove, write),
    removeMessages: async (upTo, before, limit) => {
      const known = outbox()
      const isOld = ({ position, at }: PlacedMessage): boolean => position <= upTo && at < before
      const old = new Set(known.placed.filter(isOld).slice(0, limit))
      known.placed = known.placed.filter((message) => !old.has(message))
      return old.size
    },
    documents: async (kind) =>
      [...outbox().documents.values()]
        .flatMap(({ document }) => (document?.kind === kind ? [document] : []))
        .sort((a, b) => compareText(a.name, b.name)),
    document: async (kind, name) => outbox().documents.get(documentOf({ kind, name }))?.document ?? null,
    dueUsers: async (now, limit) => dueUsers(open(), now, limit),
    dueReceivers: async (receivers, { now, leaseNow }) => {
      const due = { now, leaseNow, inOrder: false, limit: 1 }
      return receivers.filter((receiver) => dueDeliveries(outbox().deliveries, receiver, due).length > 0)
    },
    claimDeliveries: async (receiver, options) => claimDeliveries(outbox().deliveries, receiver, options),
    settleDeliveries: async (settled) => {
      for (const each of settled) settleDelivery(outbox().deliveries, each)
    },
    replayDeliveries: async (receiver, positions, now) =>
      replayDeliveries(outbox().deliveries, receiver, positions, now),
    deliveries: async (options) => listDeliveries(outbox(), options),
    countDeliveries: async (receiver) => {
      const counts = { waiting: 0, done: 0, dead: 0 }
      for (const each of newestFirst(outbox().deliveries, receiver, Number.POSITIVE_INFINITY)) counts[each.state] += 1
      return counts
    },
    removeDeliveries: async (before, limit) => {
      const { deliveries } = outbox()
      const isOld = ({ state, at, nextAt }: Delivery): boolean =>
        state !== 'waiting' && at < before && (nextAt ?? at) < before
      const old = allDeliveries(deliveries).filter(isOld).slice(0, limit)
      for (const each of old) removeDelivery(deliveries, each)
      return old.length
    },
  }
}

function place(outbox: Outbox, limit: number): number {
  const next = firstOf(outbox.waiting.values(), ({ due }) => due === null, limit)
  for (const message of next) {
    outbox.head += 1
    outbox.waiting.delete(message.number)
    outbox.placed.push(freeze({ ...message, position: outbox.head }))
  }
  return next.length
}

function read(outbox: Outbox, { after, types, limit }: ReadMessagesOptions): PlacedMessage[] {
  const { placed } = outbox
  const found: PlacedMessage[] = []
  for (let place = placeOfPosition(outbox, after + 1); place < placed.length && found.length < limit; place += 1) {
    const message = placed[place]
    if (message !== undefined && (types === undefined || types.includes(message.type))) found.push(message)
  }
  return found
}

function dueMessages({ waiting }: Outbox, now: Instant, limit: number): WrittenMessage[] {
  return [...waiting.values()]
    .filter(({ due }) => due !== null && due <= now)
    .sort((a, b) => (a.due ?? 0) - (b.due ?? 0) || compareText(a.id, b.id) || a.number - b.number)
    .slice(0, limit)
}

function replace(
  { outbox, users }: Memory,
  remove: readonly Pick<WrittenMessage, 'number'>[],
  write: readonly OwnedMessage[],
): boolean {
  if (!remove.every(({ number }) => outbox.waiting.has(number))) return false
  if (!write.every(({ tenant, user }) => user === null || users.has(idOf({ tenant, user })))) return false
  for (const { number } of remove) outbox.waiting.delete(number)
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

function listDeliveries({ deliveries }: Outbox, { receiver, state, before, limit }: DeliveriesOptions): Delivery[] {
  const newest = newestFirst(deliveries, receiver, before ?? Number.POSITIVE_INFINITY)
  return firstOf(newest, (each) => state === undefined || each.state === state, limit)
}
