import type { OwnedMessage, PlacedMessage, StoredDocument, WrittenMessage } from '../../src/storage/outbox.ts'
import { type Deliveries, keyOf, newDeliveries } from './deliveries.ts'
import { freeze } from './freeze.ts'

/** Messages on their way, as a database has them in tables. */
export interface Outbox {
  /** Messages without a position, by number, in the order of numbers. */
  readonly waiting: Map<number, WrittenMessage>
  /** Messages with a position, in that order. */
  placed: PlacedMessage[]
  /** By `documentOf`. A `document` that is null was removed, and had this version. */
  readonly documents: Map<string, { readonly document: StoredDocument | null; readonly version: number }>
  readonly deliveries: Deliveries
  /** The newest number and the newest position. */
  number: number
  head: number
}

export function newOutbox(): Outbox {
  return { waiting: new Map(), placed: [], documents: new Map(), deliveries: newDeliveries(), number: 0, head: 0 }
}

export const documentOf = ({ kind, name }: Pick<StoredDocument, 'kind' | 'name'>): string =>
  JSON.stringify([kind, name])

/** The index of the first message whose position is this one or a later one. */
export function placeOfPosition({ placed }: Outbox, position: number): number {
  let [from, until] = [0, placed.length]
  while (from < until) {
    const middle = (from + until) >>> 1
    if ((placed[middle]?.position ?? 0) < position) from = middle + 1
    else until = middle
  }
  return from
}

export function writeMessages(outbox: Outbox, messages: readonly OwnedMessage[]): void {
  for (const { tenant, user, id, type, at, data, due } of messages) {
    const isStored = (message: OwnedMessage): boolean => message.id === id
    if (type.startsWith('emails.') && [...outbox.waiting.values(), ...outbox.placed].some(isStored)) continue
    outbox.number += 1
    outbox.waiting.set(outbox.number, freeze({ number: outbox.number, tenant, user, id, type, at, data, due }))
  }
}

/** Removes the messages and the deliveries of a user, or of a whole tenant; returns whether there were any. */
export function removeOf(outbox: Outbox, key: { readonly tenant: string; readonly user?: string }): boolean {
  const isOf = ({ tenant, user }: { readonly tenant: string; readonly user: string | null }): boolean =>
    tenant === key.tenant && (key.user === undefined || user === key.user)
  const waiting = [...outbox.waiting.values()].filter(isOf)
  for (const { number } of waiting) outbox.waiting.delete(number)
  const deliveries = [...outbox.deliveries.all.values()].filter(isOf)
  for (const each of deliveries) outbox.deliveries.all.delete(keyOf(each))
  const rest = outbox.placed.filter((message) => !isOf(message))
  const isAny = waiting.length + deliveries.length > 0 || rest.length < outbox.placed.length
  outbox.placed = rest
  return isAny
}
