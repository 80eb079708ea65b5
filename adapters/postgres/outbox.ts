import type { StorageOutbox } from '../../src/storage-outbox.ts'
import type { CallGate } from '../sql/call-gate.ts'
import { readDue, toClaimed, toCounts, toDelivery, toReceiverRead } from '../sql/deliveries.ts'
import { fromMessageRow, toMessageRow, toPlaced } from '../sql/messages.ts'
import type { Queries } from '../sql/queries.ts'
import { toUserKey } from '../sql/user-rows.ts'
import type { claimStatements } from './delivery-claims.ts'
import { inOpenTransaction } from './open-transaction.ts'
import { toOutboxTransaction } from './outbox-transaction.ts'
import { quote } from './quote.ts'
import type { Runner } from './runner.ts'
import type { Sessions } from './session.ts'

export interface OutboxOptions {
  readonly runner: Runner
  readonly sessions: Sessions
  readonly enter: CallGate['enter']
  readonly queries: Queries
  readonly schema: string
  readonly claims: ReturnType<typeof claimStatements>
}

export function outboxes({ runner, sessions, enter, queries, schema, claims }: OutboxOptions): StorageOutbox {
  const { messages, deliveries, documents } = queries
  const place = `select ${quote(schema)}.place_messages($1::bigint)::int as value`
  const replace = `select ${quote(schema)}.replace_messages($1::text) as value`

  return {
    placeMessages: (limit) => enter(() => runner.value<number>(place, [limit])),
    newestPosition: () =>
      enter(async () => {
        const [head] = await runner.all(messages.newest, {})
        return head?.position ?? 0
      }),
    readMessages: ({ after, types, limit }) =>
      enter(async () => {
        const rows =
          types === undefined
            ? await runner.all(messages.read, { after, limit })
            : await runner.all(messages.ofTypes, { after, limit, types: JSON.stringify(types) })
        return rows.map(toPlaced)
      }),
    countMessages: ({ after, types, most }) =>
      enter(async () => {
        const asked = { after, types: JSON.stringify(types), limit: most }
        const [found] = await runner.all(messages.count, asked)
        return found?.count ?? 0
      }),
    dueMessages: (now, limit) =>
      enter(async () => (await runner.all(messages.due, { now, limit })).map(fromMessageRow)),
    replaceMessages: (remove, write) =>
      enter(async () => {
        const rows = write.map((message, index) => ({ n: 0, place: index, ...toMessageRow(message) }))
        const toValues = (text: string): unknown[] => [text]
        const asked = JSON.stringify({ remove, messages: rows })
        const [row] = await runner.once<string, { readonly value: boolean }>({ text: replace, toValues }, asked)
        return row?.value === true
      }),
    removeMessages: (upTo, before, limit) =>
      enter(async () => (await runner.change(messages.removeOld, { up_to: upTo, before, limit })).length),
    documents: (kind) => enter(() => runner.all(documents.ofKind, { kind })),
    document: (kind, name) =>
      enter(async () => {
        const [found] = await runner.all(documents.one, { kind, name })
        return found ?? null
      }),
    dueUsers: (now, limit) => enter(async () => (await runner.all(messages.dueUsers, { now, limit })).map(toUserKey)),
    dueDeliveries: (now, options) => enter(() => readDue(now, options, (page) => runner.all(deliveries.due, page))),
    claimDeliveries: (found, options) =>
      enter(async () => toClaimed(await runner.once(claims.claim, { ...options, found }))),
    settleDeliveries: (settled) =>
      enter(async () => {
        if (settled.length > 0) await runner.change(claims.settle, settled)
      }),
    replayDeliveries: (receiver, positions, now) =>
      enter(async () => (await runner.once(claims.replay, { receiver, positions, now })).length),
    deliveries: (options) =>
      enter(async () => {
        const { state } = options
        const asked = toReceiverRead(options)
        const rows =
          state === undefined
            ? await runner.all(deliveries.ofReceiver, asked)
            : await runner.all(deliveries.ofState, { ...asked, state })
        return rows.map(toDelivery)
      }),
    countDeliveries: (receiver) => enter(async () => toCounts(await runner.all(deliveries.count, { receiver }))),
    removeDeliveries: (before, limit) =>
      enter(async () => (await runner.change(deliveries.removeOld, { before, limit })).length),
    transact: (work) =>
      enter(() =>
        inOpenTransaction(sessions, (begin) => work(toOutboxTransaction(begin, queries, schema)), runner.deadline()),
      ),
  }
}
