import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { GamificationError } from '../../src/errors.ts'
import type { Decide, LoadedUser, UserRequest, UserSave } from '../../src/storage/storage.ts'
import { type ProgressRow, toLoadedState } from '../sql/read-user.ts'
import { savesOf } from '../sql/row-changes.ts'
import { type NoticeRow, newVersion, type UserRow } from '../sql/user-rows.ts'
import { isLost, isPassing, NoConnection, toStorageError } from './errors.ts'
import type { Runner } from './runner.ts'
import { quoteIdentifier } from './sql-text.ts'

/**
 * How a batch ended. `answer` is that of the function `save`. It is null when it got lost: then the log
 * alone says which users were stored, and no others ever will be.
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
   * error nothing was stored.
   */
  send(document: { readonly [name: string]: unknown }, end: number): Promise<BatchEnd>
  /** Forgets the process's number, once nothing is under way. */
  close(): Promise<void>
}

const PAUSE_MS = 20
/** What a function that saves answers to a number that does not follow the last one. */
const OUT_OF_TURN = '{"fenced":true}'
const CLOSING_MS = 1_000
const SETTLING_MS = 1_000

/** Longer than any process leaves a batch unsettled; one that comes back later is registered again. */
const UNUSED_MS = 86_400_000

/**
 * Registers a process, at batch 0, and removes those that have saved nothing for a day, by the clocks of the processes. That is safe
 * whenever it happens: a save is taken only from a process that is registered, and never registers one.
 */
function registerText(schema: string): string {
  const processes = `${quoteIdentifier(schema)}.processes`
  return `with unused as (
      delete from ${processes} where id in (select id from ${processes} where used_at < $3::bigint for update skip locked)
    ), registered as (
      insert into ${processes} (id, batch, outcome, used_at) values ($1, 0, 'registered', $2::bigint) on conflict do nothing
    )
    select 0 as value`
}

/**
 * Settles how a batch ended whose answer got lost: waits until the save is through, or makes sure that it never will be.
 * Answers `saved` or `fenced`; null where the process is not known by this number: then the save will not be taken any
 * more, but may have been. The lock answers the row as it is after the wait.
 */
function fenceText(schema: string): string {
  const processes = `${quoteIdentifier(schema)}.processes`
  return `with last as materialized (
      select id, batch, outcome from ${processes} where id = $1 for update
    ), fenced as (
      update ${processes} p set batch = $2::bigint, outcome = 'fenced'
        from last l where p.id = l.id and l.batch = $2::bigint - 1
    )
    select (
      select case batch when $2::bigint then outcome when $2::bigint - 1 then 'fenced' end from last
    ) as value`
}

/**
 * At least `SETTLING_MS` from now, once for each batch, because otherwise it would stay unknown how the batch ended.
 */
function withGrace(end: number): number {
  return Math.max(end, performance.now() + SETTLING_MS)
}

/**
 * `begunAnew` is called when the database may be another one by now, or at an earlier moment, so that nothing
 * remembered of it holds.
 */
export function createBatches(runner: Runner, schema: string, begunAnew: () => void): Batches {
  const save = `select ${quoteIdentifier(schema)}.save($1) as value`
  const [fence, register] = [fenceText(schema), registerText(schema)]
  let process = randomUUID()
  let number = 0
  let isRegistered = false

  function beginAnew(): void {
    process = randomUUID()
    number = 0
    isRegistered = false
    begunAnew()
  }

  async function settle(deadline: number, cause: unknown): Promise<BatchEnd> {
    // Asks even where the deadline has passed: a process that stood still may have a database that answers.
    const end = withGrace(deadline)
    while (performance.now() < end) {
      try {
        const outcome = await runner.attempt<string | null>(fence, [process, number + 1], end)
        if (outcome === null) beginAnew()
        else number += 1
        return outcome === 'fenced' ? { type: 'notSaved', cause } : { type: 'saved', answer: null, until: end }
      } catch (error) {
        if (!isLost(error) && !isPassing(error)) break
        await sleep(PAUSE_MS * (0.5 + Math.random()))
      }
    }
    // Whatever becomes of this number in the database, no later batch has it.
    beginAnew()
    throw unknownOutcome(cause)
  }

  return {
    close: async () => {
      if (!isRegistered) return
      const forget = `delete from ${quoteIdentifier(schema)}.processes where id = $1 returning 0 as value`
      // Without the row, a save that is still on its way is not taken. Where this fails, the row is removed a day
      // later.
      await runner.attempt(forget, [process], performance.now() + CLOSING_MS).catch(() => undefined)
    },
    send: async (document, end) => {
      if (!isRegistered) await runner.value(register, [process, Date.now(), Date.now() - UNUSED_MS], end)
      isRegistered = true
      const text = JSON.stringify({ ...document, process, batch: number + 1, now: Date.now() })
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
        return settle(end, error)
      }
    },
  }
}

export function unknownOutcome(cause: unknown): GamificationError {
  const message = 'The connection to Postgres was lost, and it could not be settled in time what was stored.'
  return new GamificationError('outcome_unknown', message, { cause })
}

export interface LoadedRows {
  readonly epoch: number
  readonly users: readonly {
    /** The number of the user's request. */
    readonly n: number
    readonly user: (UserRow & NoticeRow) | null
    readonly progress: readonly ProgressRow[]
    readonly found: readonly (string | null)[]
  }[]
}

export interface LoadRow {
  readonly n: number
  readonly tenant_id: string
  readonly user_id: string
  readonly lookups: UserRequest['lookups']
}

export function toLoadRow({ tenant, user, lookups }: UserRequest, n: number): LoadRow {
  return { n, tenant_id: tenant, user_id: user, lookups }
}

function toLoadedUser({ tenant, user }: UserRequest, rows: LoadedRows['users'][number]): LoadedUser {
  return { tenant, user, found: rows.found, ...toLoadedState(rows.user ?? undefined, rows.progress) }
}

/** A request whose user has not been stored yet. */
export interface OpenUser {
  readonly n: number
  readonly request: UserRequest
  readonly loaded: LoadedUser
}

export interface DecidedUser extends OpenUser {
  readonly save: UserSave
  /** The version of the user once it is stored. */
  readonly version: number
}

export interface BatchView {
  readonly epoch: number
  readonly open: readonly OpenUser[]
  /** True if the users were read for this batch, and not remembered from earlier ones. */
  readonly isRead: boolean
}

export type NumberedRequest = Pick<OpenUser, 'n' | 'request'>

export async function loadBatch(
  runner: Runner,
  schema: string,
  requests: readonly NumberedRequest[],
  end: number,
): Promise<BatchView> {
  const rows: readonly LoadRow[] = requests.map(({ n, request }) => toLoadRow(request, n))
  const text = `select ${quoteIdentifier(schema)}.load($1::text::jsonb)::text as value`
  const answer = await runner.value<string>(text, [JSON.stringify(rows)], end)
  return toBatchView(JSON.parse(answer), requests)
}

export function toBatchView({ epoch, users }: LoadedRows, requests: readonly NumberedRequest[]): BatchView {
  const byNumber = new Map(users.map((rows) => [rows.n, rows]))
  const open = requests.flatMap(({ n, request }) => {
    const rows = byNumber.get(n)
    return rows === undefined ? [] : [{ n, request, loaded: toLoadedUser(request, rows) }]
  })
  return { epoch, open, isRead: true }
}

export function decideAll({ epoch, open }: BatchView, decide: Decide): readonly DecidedUser[] {
  const loaded = open.map((user) => user.loaded)
  return savesOf(open, decide(loaded, epoch)).map(({ user, save }) => ({ ...user, save, version: newVersion() }))
}
