import type { ClaimOptions, Delivery, OwnedMessage } from '../../src/storage-outbox.ts'
import { DELIVERY, type SettledRow, toClaimed, toDeliveryRow } from '../sql/deliveries.ts'
import { type NewMessageRow, toMessageRow } from '../sql/messages.ts'
import type { Statement } from '../sql/statement.ts'
import type { DeliveriesTable } from '../sql/tables.ts'
import type { Connection } from './connection.ts'

type Nothing = Readonly<Record<string, never>>

/** Answers a row where any message is to get a position. */
export const placeNext: Statement<Nothing, unknown> = {
  text: 'select 1 from laurels_messages where position is null and due is null limit 1',
  toValues: () => [],
}

const beginHead: Statement<Nothing, unknown> = {
  text: `insert into laurels_outbox_head (id, position)
    select 1, coalesce(max(position), 0) from laurels_messages where position is not null on conflict do nothing`,
  toValues: () => [],
}

const place: Statement<{ readonly limit: number }, unknown> = {
  text: `update laurels_messages set position = (select position from laurels_outbox_head) + n.place
    from (
      select number, row_number() over (order by number) as place from (
        select number from laurels_messages where position is null and due is null order by number limit ?
      )
    ) n
    where laurels_messages.number = n.number`,
  toValues: ({ limit }) => [limit],
}

const advanceHead: Statement<{ readonly by: number }, unknown> = {
  text: 'update laurels_outbox_head set position = position + ?',
  toValues: ({ by }) => [by],
}

const WAITING = 'from laurels_messages where number = ? and position is null'

const find: Statement<{ readonly number: number }, unknown> = {
  text: `select 1 ${WAITING}`,
  toValues: ({ number }) => [number],
}

const remove: Statement<{ readonly number: number }, unknown> = {
  text: `delete ${WAITING}`,
  toValues: ({ number }) => [number],
}

const NEW = [
  'message_id',
  'type',
  'at',
  'tenant_id',
  'user_id',
  'data',
  'due',
] as const satisfies readonly (keyof NewMessageRow)[]

const insert: Statement<NewMessageRow, unknown> = {
  text: `insert into laurels_messages (${NEW.join(', ')}) values (${NEW.map(() => '?').join(', ')})`,
  toValues: (row) => NEW.map((column) => row[column]),
}

const VALUES = DELIVERY.filter((column) => column !== 'receiver' && column !== 'position')

const replaceDelivery: Statement<DeliveriesTable, unknown> = {
  text: `update laurels_deliveries set ${VALUES.map((column) => `${column} = ?`).join(', ')} where receiver = ? and position = ?`,
  toValues: (row) => [...VALUES.map((column) => row[column]), row.receiver, row.position],
}

/** Inserts a delivery whose message is still there. */
const insertDelivery: Statement<DeliveriesTable, unknown> = {
  text: `insert into laurels_deliveries (${DELIVERY.join(', ')}) select ${DELIVERY.map(() => '?').join(', ')}
    where exists (select 1 from laurels_messages where position = ?)`,
  toValues: (row) => [...DELIVERY.map((column) => row[column]), row.position],
}

interface ClaimRow extends Pick<DeliveriesTable, 'receiver' | 'position' | 'claim' | 'claimed_until'> {
  readonly now: number
  readonly lease_now: number
}

const claimDelivery: Statement<ClaimRow, DeliveriesTable> = {
  text: `update laurels_deliveries set claim = ?, claimed_until = ? where receiver = ? and position = ?
    and state = 'waiting' and next_at <= ? and claimed_until <= ? returning ${DELIVERY.join(', ')}`,
  toValues: ({ claim, claimed_until, receiver, position, now, lease_now }) => {
    return [claim, claimed_until, receiver, position, now, lease_now]
  },
}

export const settleDelivery: Statement<SettledRow, unknown> = {
  text: `update laurels_deliveries set state = ?, tries = ?, next_at = ?, log = ?, claim = null, claimed_until = 0
    where receiver = ? and position = ? and claim = ?`,
  toValues: ({ state, tries, next_at, log, receiver, position, claim }) => {
    return [state, tries, next_at, log, receiver, position, claim]
  },
}

interface ReplayRow extends Pick<DeliveriesTable, 'receiver' | 'position'> {
  readonly now: number
}

export const replayDelivery: Statement<ReplayRow, unknown> = {
  text: `update laurels_deliveries set state = 'waiting', tries = 0, next_at = ?, claim = null, claimed_until = 0
    where receiver = ? and position = ? and state <> 'waiting'`,
  toValues: ({ now, receiver, position }) => [now, receiver, position],
}

/** Gives positions to messages, and returns how many. To be called within a transaction, as all functions below. */
export function placeUnplaced(connection: Connection, limit: number): number {
  connection.run(beginHead, {})
  const by = connection.run(place, { limit })
  connection.run(advanceHead, { by })
  return by
}

export function writeMessages(connection: Connection, messages: readonly OwnedMessage[]): void {
  for (const message of messages) connection.run(insert, toMessageRow(message))
}

/** Removes messages without a position; false, and none is removed, where one of them is not there. */
export function removeByNumber(connection: Connection, numbers: readonly number[]): boolean {
  if (!numbers.every((number) => connection.get(find, { number }) !== undefined)) return false
  for (const number of numbers) connection.run(remove, { number })
  return true
}

export function putDelivery(connection: Connection, delivery: Delivery): void {
  const row = toDeliveryRow(delivery)
  if (connection.run(replaceDelivery, row) === 0) connection.run(insertDelivery, row)
}

/** Deliveries are found in the order in which they are due. */
export function claimDeliveries(
  connection: Connection,
  found: readonly Pick<Delivery, 'receiver' | 'position'>[],
  { claim, until, now, leaseNow, limit }: ClaimOptions,
): readonly Delivery[] {
  const claimed: DeliveriesTable[] = []
  for (const { receiver, position } of found) {
    if (claimed.length >= limit) break
    const row = { receiver, position, claim, claimed_until: until, now, lease_now: leaseNow }
    claimed.push(...connection.all(claimDelivery, row))
  }
  return toClaimed(claimed)
}
