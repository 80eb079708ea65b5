import { type Delivery, putDeliveries } from '../../sql/deliveries.ts'
import { assignPositions, loadMessages, loadNewestPosition, putMessages } from '../../sql/messages.ts'
import type { StoredDocument } from '../../sql/outbox.ts'
import * as outbox from '../../sql/outbox.ts'
import type { Message, PlacedMessage } from '../../storage/outbox.ts'
import type { UserKey } from '../../storage/rows.ts'
import type { Storage } from '../../storage/storage.ts'
import { column, type SaveSample, store } from './case.ts'
import { NOON } from './samples.ts'

/** A message id, which is a UUID, with this end. */
export function sampleId(end: number): string {
  return `00000000-0000-4000-8000-${String(end).padStart(12, '0')}`
}

export function message(end: number, changes: Partial<Message> = {}): Message {
  return { id: sampleId(end), type: 'achievement.completed', at: NOON, data: `{"n":${end}}`, due: null, ...changes }
}

/** Stores a save with messages alone, or with what else is named. */
export async function saveMessages(
  storage: Storage,
  key: UserKey,
  messages: readonly Message[],
  sample: SaveSample = {},
): Promise<void> {
  await store(storage, key, { ...sample, messages })
}

/** Gives positions to all that wait for nothing, and reads everything that has one. */
export async function readMessages(storage: Storage): Promise<readonly PlacedMessage[]> {
  while ((await assignPositions(storage, 1_000)) > 0);
  return loadMessages(storage, { after: 0, limit: 1_000 })
}

/** By the ends of their ids. */
export function ends(messages: readonly { readonly id: string }[]): readonly number[] {
  return messages.map(({ id }) => Number(id.slice(-12)))
}

export function document(name: string, changes: Partial<StoredDocument> = {}): StoredDocument {
  return { kind: 'subscription', name, text: `{"of":"${name}"}`, version: 0, ...changes }
}

export function putDocument(storage: Storage, put: StoredDocument): Promise<boolean> {
  return storage.transaction((tx) => outbox.putDocument(tx, put))
}

/** A delivery of the message at a position, waiting since noon. */
export function delivery(receiver: string, position: number, changes: Partial<Delivery> = {}): Delivery {
  return {
    ...{ receiver, position, messageId: sampleId(position), type: 'achievement.completed', at: NOON },
    ...{ tenant: '', user: 'ann', data: '{}', state: 'waiting', attempts: 0, nextAt: NOON, log: '[]' },
    ...changes,
  }
}

/** Deliveries of messages that get the positions from 1 on. */
export async function storeDeliveries(storage: Storage, deliveries: readonly Delivery[]): Promise<void> {
  const most = Math.max(...column(deliveries, 'position'))
  const missing = most - (await loadNewestPosition(storage))
  const messages = Array.from({ length: Math.max(0, missing) }, (_, index) => {
    return { ...message(index), tenant: 'others', user: null }
  })
  await storage.transaction((tx) => putMessages(tx, messages))
  while ((await assignPositions(storage, 1_000)) > 0);
  await storage.transaction((tx) => putDeliveries(tx, deliveries))
}
