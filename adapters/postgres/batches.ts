import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { GamificationError } from '../../src/errors.ts'
import { growingPauses } from '../../src/storage/growing-pauses.ts'
import { isLost, isPassing, NoConnection, toStorageError } from './errors.ts'
import type { Runner } from './runner.ts'
import { quoteIdentifier } from './sql-text.ts'

/**
 * How a batch ended. `answer` is the answer of the function `save`. It is null if the answer was lost: then only the
 * log says which users were stored, and no other user will be stored later.
 */
export type BatchEnd =
  | { readonly type: 'saved'; readonly answer: string }
  /** `until`: the deadline for finding out which users were stored. */
  | { readonly type: 'saved'; readonly answer: null; readonly until: number }
  /** Nothing of it was stored, or ever will be. */
  | { readonly type: 'notSaved'; readonly cause: unknown }

/**
 * Sends batches of one process, one after the other, so that each is stored at most once whatever happens to the
 * connection. Every batch has a number; the database keeps the last one of each process, and takes only the next, from
 * a process that is registered. When an answer gets lost, or does not prove that the save was undone, the number is used
 * up by a fence: then the batch was stored before, or never will be.
 */
export interface Batches {
  /**
   * Rejects with `outcome_unknown` when it could not be found out in time whether the batch was stored; with any other
   * error nothing was saved.
   */
  send(document: { readonly [name: string]: unknown }, end: number): Promise<BatchEnd>
  /** Forgets the process's number, once nothing is under way. */
  close(): Promise<void>
}

/** The answer of `save` to a number that does not follow the last one. */
const OUT_OF_TURN = '{"fenced":true}'
const CLOSING_MS = 1_000
const FENCE_MS = 1_000

/** Longer than any process leaves a batch unsettled; one that comes back later is registered again. */
const UNUSED_MS = 86_400_000

function textsFor(schema: string) {
  const processes = `${quoteIdentifier(schema)}.processes`
  return {
    save: `select ${quoteIdentifier(schema)}.save($1) as value`,
    forget: `delete from ${processes} where id = $1 returning 0 as value`,
    /**
     * Registers a process, at batch 0, and removes processes that have saved nothing for a day, by their own clocks.
     * That is safe whenever it happens: a save is taken only from a process that is registered, and never registers
     * one.
     */
    register: `with unused as (
      delete from ${processes} where id in (select id from ${processes} where used_at < $3::bigint for update skip locked)
    ), registered as (
      insert into ${processes} (id, batch, outcome, used_at) values ($1, 0, 'registered', $2::bigint) on conflict do nothing
    )
    select 0 as value`,
    /**
     * Finds out if a batch with a lost reply was saved, and fences it if not. Returns `saved` or `fenced`, or `null` if
     * the process row is gone: then the batch will no longer be saved, but may have been. The row lock makes the
     * statement read the row after the wait.
     */
    fence: `with last as materialized (
      select id, batch, outcome from ${processes} where id = $1 for update
    ), fenced as (
      update ${processes} p set batch = $2::bigint, outcome = 'fenced'
        from last l where p.id = l.id and l.batch = $2::bigint - 1
    )
    select (
      select case batch when $2::bigint then outcome when $2::bigint - 1 then 'fenced' end from last
    ) as value`,
  }
}

/**
 * `begunAnew` is called when the database may be another one by now, or at an earlier moment, so that nothing
 * remembered of it holds.
 */
export function createBatches(runner: Runner, schema: string, begunAnew: () => void): Batches {
  const { save, fence, register, forget } = textsFor(schema)
  let last = newProcess()

  function beginAnew(): void {
    last = newProcess()
    begunAnew()
  }

  async function send(text: string, end: number): Promise<BatchEnd> {
    try {
      const answer = await runner.attempt<string>(save, [text], end)
      last.batch += 1
      if (answer !== OUT_OF_TURN) return { type: 'saved', answer }
      // The database was restored to an earlier moment, or lost its last commits.
      beginAnew()
      return { type: 'notSaved', cause: null }
    } catch (error) {
      if (error instanceof NoConnection || isPassing(error)) return { type: 'notSaved', cause: error }
      if (!isLost(error)) throw toStorageError(error)
      const { outcome, until } = await runFence(runner, fence, [last.process, last.batch + 1], end)
      if (outcome === 'saved' || outcome === 'fenced') last.batch += 1
      // No later batch has this number, whatever its outcome in the database is.
      else beginAnew()
      if (outcome === 'unsettled') throw unknownOutcome(error)
      return outcome === 'fenced' ? { type: 'notSaved', cause: error } : { type: 'saved', answer: null, until }
    }
  }

  return {
    send: async (document, end) => {
      if (!last.isRegistered) await runner.value(register, [last.process, Date.now(), Date.now() - UNUSED_MS], end)
      last.isRegistered = true
      return send(JSON.stringify({ ...document, process: last.process, batch: last.batch + 1, now: Date.now() }), end)
    },
    close: async () => {
      if (!last.isRegistered) return
      // Without the row, a save that is still on its way is not taken. If this fails, the row is removed a day later.
      await runner.attempt(forget, [last.process], performance.now() + CLOSING_MS).catch(() => undefined)
    },
  }
}

function newProcess(): { readonly process: string; batch: number; isRegistered: boolean } {
  return { process: randomUUID(), batch: 0, isRegistered: false }
}

/**
 * Runs the fence of a batch until it answers, for at least `FENCE_MS`: a process that was suspended may have a
 * database that answers. `until` is the deadline for the rest of the batch.
 */
async function runFence(
  runner: Runner,
  fence: string,
  batch: readonly [process: string, number: number],
  end: number,
): Promise<{ readonly outcome: 'saved' | 'fenced' | 'unsettled' | null; readonly until: number }> {
  const until = Math.max(end, performance.now() + FENCE_MS)
  const nextPause = growingPauses()
  while (performance.now() < until) {
    try {
      return { outcome: await runner.attempt(fence, batch, until), until }
    } catch (error) {
      if (!isLost(error) && !isPassing(error)) break
      await sleep(nextPause())
    }
  }
  return { outcome: 'unsettled', until }
}

export function unknownOutcome(cause: unknown): GamificationError {
  const message = 'The connection to Postgres was lost, and it could not be settled in time what was stored.'
  return new GamificationError('outcome_unknown', message, { cause })
}
