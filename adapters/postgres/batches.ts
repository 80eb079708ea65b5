import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { GamificationError } from '../../src/errors.ts'
import { isLost, isPassing, NoConnection, toStorageError } from './errors.ts'
import { quote } from './quote.ts'
import type { Runner } from './runner.ts'

/** How a batch ended: `answer` is what `save_v3` said, null when it was stored but its answer got lost. */
export type BatchEnd =
  | { readonly type: 'saved'; readonly answer: string }
  /** `until`: when what else is to be found out about it has to be known. */
  | { readonly type: 'saved'; readonly answer: null; readonly until: number }
  /** Nothing of it was stored, or ever will be. */
  | { readonly type: 'notSaved'; readonly cause: unknown }

/**
 * Sends batches of one process, one after the other, so that each is stored at most once whatever happens to the
 * connection. Every batch has a number; the database keeps the last one of each process, and takes only the next. When
 * an answer gets lost, the number is used up by a fence: then the batch was stored before, or never will be.
 */
export interface Batches {
  /** Rejects with `outcome_unknown` when it cannot be settled in time, else nothing was stored. */
  send(document: { readonly [name: string]: unknown }, end: number): Promise<BatchEnd>
  /** Forgets the process's number, once nothing is under way. */
  close(): Promise<void>
}

const PAUSE_MS = 20
/** What `save_v3` answers to a number that does not follow the last one. */
const OUT_OF_TURN = '{"fenced":true}'
const CLOSING_MS = 1_000
const SETTLING_MS = 1_000

/** At least a moment, for what would else be left unknown: the whole of settling a batch has it once. */
function withGrace(end: number): number {
  return Math.max(end, performance.now() + SETTLING_MS)
}

export function createBatches(runner: Runner, schema: string): Batches {
  const save = `select ${quote(schema)}.save_v3($1) as value`
  const fence = `select ${quote(schema)}.fence_v1($1, $2) as value`
  let process = randomUUID()
  let number = 0
  // Then a save may still be on its way, which the number has to stop.
  let wasLost = false

  function beginAnew(): void {
    process = randomUUID()
    number = 0
  }

  async function settle(deadline: number, cause: unknown): Promise<BatchEnd> {
    // Also when nothing is left of the time: a process that stood still has a database that answers.
    const end = withGrace(deadline)
    while (performance.now() < end) {
      try {
        const outcome = await runner.attempt<string | null>(fence, [process, number + 1], end)
        number += 1
        return outcome === 'saved' ? { type: 'saved', answer: null, until: end } : { type: 'notSaved', cause }
      } catch (error) {
        if (!isLost(error) && !isPassing(error)) break
        await sleep(PAUSE_MS * (0.5 + Math.random()))
      }
    }
    // Whatever becomes of this number, it is nobody's any more.
    beginAnew()
    const message = 'The connection to Postgres was lost, and it could not be settled in time what was stored.'
    throw new GamificationError('outcome_unknown', message, { cause })
  }

  return {
    close: async () => {
      if (number === 0 || wasLost) return
      const forget = `delete from ${quote(schema)}.processes where id = $1 returning 0 as value`
      // Only a row that nobody needs would be left.
      await runner.attempt(forget, [process], performance.now() + CLOSING_MS).catch(() => undefined)
    },
    send: async (document, end) => {
      const text = JSON.stringify({ ...document, process, batch: number + 1 })
      try {
        const answer = await runner.attempt<string>(save, [text], end)
        number += 1
        if (answer !== OUT_OF_TURN) return { type: 'saved', answer }
        // The database was brought back to an earlier moment, or lost the last ones.
        beginAnew()
        return { type: 'notSaved', cause: null }
      } catch (error) {
        if (error instanceof NoConnection || isPassing(error)) return { type: 'notSaved', cause: error }
        if (!isLost(error)) throw toStorageError(error)
        wasLost = true
        return settle(end, error)
      }
    },
  }
}
