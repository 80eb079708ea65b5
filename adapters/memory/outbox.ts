import { firstNotBefore } from '../../src/sql/leaderboards.ts'
import type {
  ClaimOptions,
  Delivery,
  OwnedMessage,
  PlacedMessage,
  StoredDocument,
  WrittenMessage,
} from '../../src/storage/outbox.ts'
import type { UserKey } from '../../src/storage/rows.ts'
import { freeze } from './freeze.ts'

/** Messages on their way, as a database has them in tables. */
export interface Outbox {
  /** Messages without a position, by number, in the order of numbers. */
  readonly waiting: Map<number, WrittenMessage>
  /** Messages with a position, in that order. */
  placed: PlacedMessage[]
  /** By `documentOf`. A `document` that is null was removed, and had this version. */
  documents: Map<string, { readonly document: StoredDocument | null; readonly version: number }>
  readonly deliveries: Deliveries
  number: number
  head: number
}

export function newOutbox(): Outbox {
  const deliveries = { all: new Map(), claims: new WeakMap() }
  return { waiting: new Map(), placed: [], documents: new Map(), deliveries, number: 0, head: 0 }
}

export const documentOf = ({ kind, name }: Pick<StoredDocument, 'kind' | 'name'>): string =>
  JSON.stringify([kind, name])

/** The index of the first message whose position is this one or a later one. */
export function indexOfPosition({ placed }: Outbox, position: number): number {
  return firstNotBefore(placed, (message) => message.position < position)
}

export function writeMessages(outbox: Outbox, messages: readonly OwnedMessage[]): void {
  for (const { tenant, user, id, type, at, data, due } of messages) {
    const isStored = (message: OwnedMessage): boolean => message.id === id
    if (type.startsWith('emails.') && [...outbox.waiting.values(), ...outbox.placed].some(isStored)) continue
    outbox.number += 1
    outbox.waiting.set(outbox.number, freeze({ number: outbox.number, tenant, user, id, type, at, data, due }))
  }
}

/** A user, or a whole tenant. */
export type Owner = Pick<UserKey, 'tenant'> & Partial<UserKey>

/** Returns whether something belongs to the owner. */
export function isOf(key: Owner): (owned: { readonly tenant: string; readonly user: string | null } | null) => boolean {
  return (owned) => owned?.tenant === key.tenant && (key.user === undefined || owned.user === key.user)
}

/** Removes the messages and the deliveries of an owner. */
export function removeOf(outbox: Outbox, key: Owner): void {
  const isOwn = isOf(key)
  for (const message of [...outbox.waiting.values()]) if (isOwn(message)) outbox.waiting.delete(message.number)
  for (const [id, delivery] of [...outbox.deliveries.all]) if (isOwn(delivery)) outbox.deliveries.all.delete(id)
  outbox.placed = outbox.placed.filter((message) => !isOwn(message))
}

export interface Deliveries {
  /** By `keyOf`. */
  readonly all: Map<string, Delivery>
  /** Claims of waiting deliveries. A delivery that is replaced or removed loses its claim. */
  readonly claims: WeakMap<Delivery, Pick<ClaimOptions, 'claim' | 'until'>>
}

type Key = Pick<Delivery, 'receiver' | 'position'>

export const keyOf = ({ receiver, position }: Key): string => JSON.stringify([receiver, position])

export function newestFirst({ all }: Deliveries, receiver: string): readonly Delivery[] {
  return [...all.values()].filter((each) => each.receiver === receiver).sort((a, b) => b.position - a.position)
}

/** Deliveries of a receiver that are due and not claimed, in the order in which they are due. */
export function dueDeliveries(
  deliveries: Deliveries,
  receiver: string,
  { now, leaseNow, inOrder, limit }: Pick<ClaimOptions, 'now' | 'leaseNow' | 'inOrder' | 'limit'>,
): readonly Delivery[] {
  const waiting = newestFirst(deliveries, receiver).filter(({ state }) => state === 'waiting')
  const userOf = ({ tenant, user }: Delivery): string => JSON.stringify([tenant, user])
  const first = new Map(waiting.map((each) => [userOf(each), each.position]))
  return waiting
    .filter(({ nextAt }) => nextAt !== null && nextAt <= now)
    .filter((each) => (deliveries.claims.get(each)?.until ?? 0) <= leaseNow)
    .filter((each) => !inOrder || first.get(userOf(each)) === each.position)
    .sort((a, b) => (a.nextAt ?? 0) - (b.nextAt ?? 0) || a.position - b.position)
    .slice(0, limit)
}
