import type { StorageOutbox } from '../../src/storage-outbox.ts'
import type { CallGate } from '../sql/call-gate.ts'
import { type SqlTransaction, sqlOutbox } from '../sql/outbox.ts'
import type { Queries } from '../sql/queries.ts'
import { toStorageError } from './errors.ts'
import { inOpenTransaction, toHandlerError } from './open-transaction.ts'
import { type Runner, toJsonText } from './runner.ts'
import type { Session, Sessions } from './session.ts'

export interface OutboxOptions {
  readonly runner: Runner
  readonly sessions: Sessions
  readonly enter: CallGate['enter']
  readonly queries: Queries
}

export function outboxes({ runner, sessions, enter, queries }: OutboxOptions): StorageOutbox {
  return sqlOutbox(queries, {
    read: (statement, params) => enter(() => runner.all(statement, params)),
    write: (statement, params) => enter(() => runner.change(statement, params)),
    transaction: (work) =>
      enter(() =>
        runner.transaction(async (session) => {
          await session.query(`set local lock_timeout = '5s'`, [])
          return work(toTransaction(async () => session))
        }),
      ),
    transact: (work) =>
      enter(() =>
        inOpenTransaction(sessions, (begin) => work(toTransaction(begin, toStorageError)), runner.deadline()),
      ),
  })
}

/** `begin` begins the transaction where it has not begun. */
function toTransaction(
  begin: () => Promise<Session>,
  toError: (error: unknown) => unknown = (error) => error,
): SqlTransaction {
  return {
    all: async ({ text, toValues }, params) => {
      const session = await begin()
      try {
        const [row] = await session.query(toJsonText(text), toValues(params))
        return JSON.parse((row as { readonly json: string | null } | undefined)?.json ?? '[]')
      } catch (error) {
        throw toError(error)
      }
    },
    ask: async (text, values) => {
      const session = await begin()
      try {
        return await session.query(text, values)
      } catch (error) {
        throw toHandlerError(error)
      }
    },
  }
}
