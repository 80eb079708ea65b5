import type { HostTransaction } from '../../../src/storage/storage.ts'
import { endedTransaction, unwrapped } from '../errors.ts'
import { transactionOf } from '../transaction.ts'
import { expectMethods, rowsIn } from './library-values.ts'

/** The transaction of Knex on Postgres, as `knex.transaction()` hands it to its callback. */
export interface KnexTransaction {
  raw(text: string, values: unknown[]): PromiseLike<unknown>
  isCompleted(): boolean
}

/**
 * The host's own transaction of Knex: `{ tx: fromKnex(trx) }`, made again for each transaction. Throws
 * `storage_unusable` for anything but a transaction.
 */
export function fromKnex(transaction: KnexTransaction): HostTransaction {
  const wanted = 'the trx that knex.transaction() hands to its callback, or resolves to'
  expectMethods('fromKnex', transaction, ['raw', 'isCompleted'], wanted)
  return transactionOf(transaction, {
    query: async (text, values) => {
      if (transaction.isCompleted()) throw endedTransaction()
      const { marked, bindings } = withQuestionMarks(text, values)
      try {
        return rowsIn(await transaction.raw(marked, bindings))
      } catch (error) {
        throw error instanceof Error ? unwrapped(error, withoutStatement(error)) : error
      }
    },
  })
}

/** Takes the statement away that Knex puts before the message, and that tells a host's log nothing. */
function withoutStatement(error: Error): Error {
  const start = error.message.lastIndexOf(' - ')
  const message = start === -1 ? error.message : error.message.slice(start + 3)
  return Object.assign(new Error(message), { ...error })
}

const PLACEHOLDERS = /"(?:[^"]|"")*"|'(?:[^']|'')*'|\$(?<place>\d+)|\?/g

/** Knex numbers parameters itself, for each question mark that has no backslash before it. */
function withQuestionMarks(
  text: string,
  values: readonly unknown[],
): { readonly marked: string; readonly bindings: unknown[] } {
  const bindings: unknown[] = []
  const marked = text.replace(PLACEHOLDERS, (found, place: string | undefined) => {
    if (place === undefined) return found.replaceAll('?', '\\?')
    bindings.push(values[Number(place) - 1])
    return '?'
  })
  return { marked, bindings }
}
