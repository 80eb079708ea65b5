import type { StorageOutbox } from '../../src/storage-outbox.ts'
import { readDue, toClaimed, toCounts, toDelivery, toReceiverRead } from '../sql/deliveries.ts'
import { fromMessageRow, toMessageRow, toPlaced } from '../sql/messages.ts'
import type { Queries } from '../sql/queries.ts'
import { toUserKey } from '../sql/user-rows.ts'
import { claimStatements } from './delivery-claims.ts'
import type { Entrance } from './entrance.ts'
import { inOpenTransaction } from './open-transaction.ts'
import { toOutboxTransaction } from './outbox-transaction.ts'
import { quote } from './quote.ts'
import type { Runner } from './runner.ts'
import type { Sessions } from './session.ts'

export interface OutboxOptions {
  readonly runner: Runner
  readonly sessions: Sessions
  readonly entrance: Pick<Entrance, 'enter' | 'until'>
  readonly queries: Queries
  readonly schema: string
}

export function outboxes({ runner, sessions, entrance, queries, schema }: OutboxOptions): StorageOutbox {
  const { enter, until } = entrance
  const { messages, deliveries, documents } = queries
  const by = (deadline: number | undefined): Runner => (deadline === undefined ? runner : runner.until(until(deadline)))
  const claims = claimStatements(schema)
  const place = `select ${quote(schema)}.place_messages($1::bigint)::int as value`
  const replace = `select ${quote(schema)}.replace_messages($1::text) as value`

  return {
    placeMessages: (limit, deadline) => enter(() => by(deadline).value<number>(place, [limit])),
    newestPosition: (deadline) =>
      enter(async () => {
        const [head] = await by(deadline).all(messages.newest, {})
        return head?.position ?? 0
      }),
    readMessages: ({ after, types, limit }, deadline) =>
      enter(async () => {
        const rows =
          types === undefined
            ? await by(deadline).all(messages.read, { after, limit })
            : await by(deadline).all(messages.ofTypes, { after, limit, types: JSON.stringify(types) })
        return rows.map(toPlaced)
      }),
    countMessages: ({ after, types, most }, deadline) =>
      enter(async () => {
        const asked = { after, types: JSON.stringify(types), limit: most }
        const [found] = await by(deadline).all(messages.count, asked)
        return found?.count ?? 0
      }),
    dueMessages: (now, limit, deadline) =>
      enter(async () => (await by(deadline).all(messages.due, { now, limit })).map(fromMessageRow)),
    replaceMessages: (remove, write, deadline) =>
      enter(async () => {
        const rows = write.map((message, index) => ({ n: 0, place: index, ...toMessageRow(message) }))
        const toValues = (text: string): unknown[] => [text]
        const asked = JSON.stringify({ remove, messages: rows })
        const [row] = await by(deadline).once<string, { readonly value: boolean }>({ text: replace, toValues }, asked)
        return row?.value === true
      }),
    removeMessages: (upTo, before, limit, deadline) =>
      enter(async () => (await by(deadline).change(messages.removeOld, { up_to: upTo, before, limit })).length),
    documents: (kind, deadline) => enter(() => by(deadline).all(documents.ofKind, { kind })),
    document: (kind, name, deadline) =>
      enter(async () => {
        const [found] = await by(deadline).all(documents.one, { kind, name })
        return found ?? null
      }),
    dueUsers: (now, limit, deadline) =>
      enter(async () => (await by(deadline).all(messages.dueUsers, { now, limit })).map(toUserKey)),
    dueDeliveries: (now, options, deadline) =>
      enter(() => readDue(now, options, (page) => by(deadline).all(deliveries.due, page))),
    claimDeliveries: (found, options, deadline) =>
      enter(async () => toClaimed(await by(deadline).once(claims.claim, { ...options, found }))),
    settleDeliveries: (settled, deadline) =>
      enter(async () => {
        if (settled.length > 0) await by(deadline).change(claims.settle, settled)
      }),
    replayDeliveries: (receiver, positions, now, deadline) =>
      enter(async () => (await by(deadline).once(claims.replay, { receiver, positions, now })).length),
    deliveries: (options, deadline) =>
      enter(async () => {
        const { state } = options
        const asked = toReceiverRead(options)
        const rows =
          state === undefined
            ? await by(deadline).all(deliveries.ofReceiver, asked)
            : await by(deadline).all(deliveries.ofState, { ...asked, state })
        return rows.map(toDelivery)
      }),
    countDeliveries: (receiver, deadline) =>
      enter(async () => toCounts(await by(deadline).all(deliveries.count, { receiver }))),
    removeDeliveries: (before, limit, deadline) =>
      enter(async () => (await by(deadline).change(deliveries.removeOld, { before, limit })).length),
    transact: (work, deadline) =>
      enter(() => {
        const end = deadline === undefined ? runner.deadline() : until(deadline)
        return inOpenTransaction(sessions, (begin) => work(toOutboxTransaction(begin, queries, schema)), end)
      }),
  }
}
