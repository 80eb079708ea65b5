import type { Delivery, OwnedMessage, PlacedMessage, StoredDocument, WrittenMessage } from '../../src/storage-outbox.ts'
import { freeze } from './freeze.ts'

/** Messages on their way, as a database has them in tables. */
export interface Outbox {
  /** By number, in the order of numbers; without what was given a position. */
  readonly waiting: Map<number, WrittenMessage>
  /** By position, in the order of positions. */
  readonly placed: Map<number, PlacedMessage>
  /** By `documentOf`; null: it was removed, and had this version. */
  readonly documents: Map<string, { readonly document: StoredDocument | null; readonly version: number }>
  /** By `deliveryOf`. */
  readonly deliveries: Map<string, Delivery>
  /** The newest number and the newest position. */
  number: number
  head: number
}

export function newOutbox(): Outbox {
  return { waiting: new Map(), placed: new Map(), documents: new Map(), deliveries: new Map(), number: 0, head: 0 }
}

export const documentOf = ({ kind, name }: Pick<StoredDocument, 'kind' | 'name'>): string =>
  JSON.stringify([kind, name])
export const deliveryOf = ({ receiver, position }: Pick<Delivery, 'receiver' | 'position'>): string =>
  JSON.stringify([receiver, position])

export function writeMessages(outbox: Outbox, messages: readonly OwnedMessage[]): void {
  for (const { tenant, user, id, type, at, data, due } of messages) {
    outbox.number += 1
    outbox.waiting.set(outbox.number, freeze({ number: outbox.number, tenant, user, id, type, at, data, due }))
  }
}

/** Removes the messages and the deliveries of a user, or of a whole tenant; returns whether there were any. */
export function removeOf(
  { waiting, placed, deliveries }: Outbox,
  key: { readonly tenant: string; readonly user?: string },
): boolean {
  const isOf = ({ tenant, user }: { readonly tenant: string; readonly user: string | null }): boolean =>
    tenant === key.tenant && (key.user === undefined || user === key.user)
  return [removeWhere(waiting, isOf), removeWhere(placed, isOf), removeWhere(deliveries, isOf)].some((any) => any)
}

function removeWhere<Id, Value>(map: Map<Id, Value>, isGone: (value: Value) => boolean): boolean {
  const gone = [...map].filter(([, value]) => isGone(value))
  for (const [id] of gone) map.delete(id)
  return gone.length > 0
}
