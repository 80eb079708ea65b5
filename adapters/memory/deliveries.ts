import type { ClaimOptions, Delivery, SettledDelivery } from '../../src/storage/outbox.ts'
import { freeze } from './freeze.ts'
import { firstIndex } from './lists.ts'

/** Deliveries in the orders that reads ask for, so that no read has to look through all of them. */
export interface Deliveries {
  /** By receiver, in the order of positions. */
  readonly ofReceivers: Map<string, Delivery[]>
  /** Waiting deliveries with a `nextAt`, in order of (`nextAt`, position, receiver). */
  readonly waiting: WaitingDelivery[]
  /** Claims of waiting deliveries. A delivery that is replaced or removed has none any more. */
  readonly claims: WeakMap<Delivery, Pick<ClaimOptions, 'claim' | 'until'>>
  /** Positions of waiting deliveries, by receiver, tenant and user. */
  readonly queues: Map<string, Queue>
}

export interface WaitingDelivery {
  readonly delivery: Delivery
  readonly nextAt: number
  readonly queue: Queue
}

/** The positions of the waiting deliveries of one receiver, tenant and user, in order. */
type Queue = number[]

export function newDeliveries(): Deliveries {
  return { ofReceivers: new Map(), waiting: [], claims: new WeakMap(), queues: new Map() }
}

export function allDeliveries({ ofReceivers }: Deliveries): Delivery[] {
  return [...ofReceivers.values()].flat()
}

/** The deliveries of a receiver below a position, the newest first. */
export function* newestFirst({ ofReceivers }: Deliveries, receiver: string, before: number): Generator<Delivery, void> {
  const own = ofReceivers.get(receiver) ?? []
  for (let place = placeOf(own, before) - 1; place >= 0; place -= 1) {
    const delivery = own[place]
    if (delivery !== undefined) yield delivery
  }
}

type Key = Pick<Delivery, 'receiver' | 'position'>

export function findDelivery({ ofReceivers }: Deliveries, { receiver, position }: Key): Delivery | null {
  const own = ofReceivers.get(receiver) ?? []
  const found = own[placeOf(own, position)]
  return found?.position === position ? found : null
}

/** Deliveries of a receiver that are due and not claimed, in the order in which they are due. */
export function dueDeliveries(
  deliveries: Deliveries,
  receiver: string,
  { now, leaseNow, inOrder, limit }: Pick<ClaimOptions, 'now' | 'leaseNow' | 'inOrder' | 'limit'>,
): readonly Delivery[] {
  const due: Delivery[] = []
  for (const { delivery, nextAt, queue } of deliveries.waiting) {
    if (nextAt > now || due.length === limit) break
    if (delivery.receiver !== receiver || (deliveries.claims.get(delivery)?.until ?? 0) > leaseNow) continue
    if (!inOrder || queue[0] === delivery.position) due.push(delivery)
  }
  return due
}

export function claimDeliveries(deliveries: Deliveries, receiver: string, options: ClaimOptions): readonly Delivery[] {
  const { claim, until } = options
  const claimed = dueDeliveries(deliveries, receiver, options)
  for (const each of claimed) deliveries.claims.set(each, { claim, until })
  return claimed
}

export function settleDelivery(deliveries: Deliveries, settled: SettledDelivery): void {
  const stored = findDelivery(deliveries, settled)
  if (stored === null || deliveries.claims.get(stored)?.claim !== settled.claim) return
  const { state, attempts, nextAt, log } = settled
  putDelivery(deliveries, freeze({ ...stored, state, attempts, nextAt, log }))
}

/** Returns the number of deliveries that it changed. */
export function replayDeliveries(
  deliveries: Deliveries,
  receiver: string,
  positions: readonly number[],
  now: number,
): number {
  const again = positions
    .flatMap((position) => findDelivery(deliveries, { receiver, position }) ?? [])
    .filter(({ state }) => state !== 'waiting')
  for (const each of again) putDelivery(deliveries, freeze({ ...each, state: 'waiting', attempts: 0, nextAt: now }))
  return again.length
}

/** Inserts a delivery, or replaces the one with the same receiver and position. */
export function putDelivery(deliveries: Deliveries, delivery: Delivery): void {
  const { receiver, position } = delivery
  const own = deliveries.ofReceivers.get(receiver) ?? []
  deliveries.ofReceivers.set(receiver, own)
  const place = placeOf(own, position)
  const known = own[place]
  const isKnown = known?.position === position
  if (isKnown) endWaiting(deliveries, known)
  own.splice(place, isKnown ? 1 : 0, delivery)
  beginWaiting(deliveries, delivery)
}

export function removeDelivery(deliveries: Deliveries, delivery: Delivery): void {
  const own = deliveries.ofReceivers.get(delivery.receiver) ?? []
  endWaiting(deliveries, delivery)
  own.splice(placeOf(own, delivery.position), 1)
  if (own.length === 0) deliveries.ofReceivers.delete(delivery.receiver)
}

function beginWaiting({ waiting, queues }: Deliveries, delivery: Delivery): void {
  const { state, nextAt, position } = delivery
  if (state !== 'waiting') return
  const queue = queues.get(queueOf(delivery)) ?? []
  queues.set(queueOf(delivery), queue)
  queue.splice(placeInQueue(queue, position), 0, position)
  if (nextAt !== null) waiting.splice(placeOfWaiting(waiting, delivery, nextAt), 0, { delivery, nextAt, queue })
}

function endWaiting({ waiting, queues }: Deliveries, delivery: Delivery): void {
  const { state, nextAt, position } = delivery
  if (state !== 'waiting') return
  const queue = queues.get(queueOf(delivery)) ?? []
  queue.splice(placeInQueue(queue, position), 1)
  if (queue.length === 0) queues.delete(queueOf(delivery))
  if (nextAt !== null) waiting.splice(placeOfWaiting(waiting, delivery, nextAt), 1)
}

function queueOf({ receiver, tenant, user }: Delivery): string {
  return JSON.stringify([receiver, tenant, user])
}

function placeOf(own: readonly Delivery[], position: number): number {
  return firstIndex(own, (each) => each.position < position)
}

function placeInQueue(queue: Queue, position: number): number {
  return firstIndex(queue, (each) => each < position)
}

function placeOfWaiting(waiting: readonly WaitingDelivery[], { position, receiver }: Delivery, nextAt: number): number {
  return firstIndex(waiting, (each) => {
    const order = each.nextAt - nextAt || each.delivery.position - position
    return order === 0 ? each.delivery.receiver < receiver : order < 0
  })
}
