import type { Context } from '../engine/types.ts'
import { GamificationError } from '../errors.ts'
import { placeAll } from './positions.ts'
import {
  NO_HISTORY,
  readSubscription,
  type StoredSubscription,
  SUBSCRIPTION,
  toDocument,
} from './stored-subscription.ts'

const MOST_TRIES = 50

/** What a subscription asks for. */
export interface WantedSubscription {
  readonly types: readonly string[]
  readonly from: 'now' | 'start'
  readonly deadLetterAfter: number | null
}

/** Stores a subscription, or what has changed of one that is there, which goes on from where it is. */
export async function storeSubscription(context: Context, name: string, wanted: WantedSubscription): Promise<void> {
  const types = [...new Set(wanted.types)].sort()
  const { deadLetterAfter } = wanted
  await changeSubscription(context, name, async (stored) => {
    if (stored === null) return begin(context, name, { ...wanted, types })
    const isSame = stored.types.join() === types.join() && stored.deadLetterAfter === deadLetterAfter
    return isSame ? stored : { ...stored, types, deadLetterAfter }
  })
}

async function begin(
  { storage }: Context,
  name: string,
  { types, from, deadLetterAfter }: WantedSubscription,
): Promise<StoredSubscription> {
  return {
    name,
    version: 0,
    types,
    position: await placeAll(storage),
    owner: null,
    until: null,
    tries: 0,
    nextAt: null,
    lastError: null,
    alone: 0,
    deadLetterAfter,
    history: from === 'start' ? NO_HISTORY : null,
  }
}

/**
 * Writes what `change` makes of a subscription, again where somebody else was faster; the same object, or null, writes
 * nothing.
 */
export async function changeSubscription(
  { storage }: Context,
  name: string,
  change: (stored: StoredSubscription | null) => Promise<StoredSubscription | null>,
): Promise<void> {
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    const document = await storage.document(SUBSCRIPTION, name)
    const stored = document === null ? null : readSubscription(document)
    const next = await change(stored)
    if (next === null || next === stored) return
    if (await storage.transact((tx) => tx.putDocument(toDocument(next)))) return
  }
  const message = `The subscription ${JSON.stringify(name)} is changed by others all the time. Nothing was stored; try again.`
  throw new GamificationError('unavailable', message)
}
