import type { ClaimOptions, Delivery, SettledDelivery } from '../../src/storage/outbox.ts'
import { freeze } from './freeze.ts'

export interface Deliveries {
  /** By `keyOf`. */
  readonly all: Map<string, Delivery>
  /** Claims of waiting deliveries. A delivery that is replaced or removed has none any more. */
  readonly claims: WeakMap<Delivery, Pick<ClaimOptions, 'claim' | 'until'>>
}

type Key = Pick<Delivery, 'receiver' | 'position'>

export const keyOf = ({ receiver, position }: Key): string => JSON.stringify([receiver, position])

export function newDeliveries(): Deliveries {
  return { all: new Map(), claims: new WeakMap() }
}

/** The deliveries of a receiver, the newest first. */
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

export function claimDeliveries(deliveries: Deliveries, receiver: string, options: ClaimOptions): readonly Delivery[] {
  const { claim, until } = options
  const claimed = dueDeliveries(deliveries, receiver, options)
  for (const each of claimed) deliveries.claims.set(each, { claim, until })
  return claimed
}

export function settleDelivery({ all, claims }: Deliveries, settled: SettledDelivery): void {
  const stored = all.get(keyOf(settled))
  if (stored === undefined || claims.get(stored)?.claim !== settled.claim) return
  const { state, attempts, nextAt, log } = settled
  all.set(keyOf(stored), freeze({ ...stored, state, attempts, nextAt, log }))
}

/** Returns the number of deliveries that it changed. */
export function replayDeliveries(
  { all }: Deliveries,
  receiver: string,
  positions: readonly number[],
  now: number,
): number {
  const again = positions
    .flatMap((position) => all.get(keyOf({ receiver, position })) ?? [])
    .filter(({ state }) => state !== 'waiting')
  for (const each of again) all.set(keyOf(each), freeze({ ...each, state: 'waiting', attempts: 0, nextAt: now }))
  return again.length
}
