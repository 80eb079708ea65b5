import { setTimeout as sleep } from 'node:timers/promises'
import { GamificationError } from '../../src/errors.ts'
import type {
  CommitFailure,
  CommitReport,
  CommitRound,
  Decide,
  LoadedUser,
  UserRequest,
  UserSave,
} from '../../src/storage.ts'
import type { UserKey } from '../../src/storage-rows.ts'
import { createCachedUsers } from '../sql/cached-users.ts'
import { checkSave } from '../sql/check-save.ts'
import type { SqlTraits } from '../sql/traits.ts'
import { createBatchTurns } from './batch-turns.ts'
import {
  type BatchView,
  type DecidedUser,
  decideAll,
  loadBatch,
  type NumberedRequest,
  type OpenUser,
} from './batch-view.ts'
import { createBatches } from './batches.ts'
import { SLOTS } from './counters.ts'
import { tellingOf, toStorageError } from './errors.ts'
import type { Runner } from './runner.ts'
import { storeBatch } from './store-batch.ts'

export interface Committer {
  /** Without `end` the commit has its time from when its turn comes. */
  commit(requests: readonly UserRequest[], decide: Decide, end?: number): Promise<CommitReport>
  /** To be called when a user was written other than by `commit`: the next commit reads the user. */
  forget(key: UserKey): void
  /** To be called once no commit is under way. */
  close(): Promise<void>
}

/**
 * How many users are remembered. Others may write them: a save leaves such users out, and answers them as they now are.
 */
const MOST_USERS = 10_000
/**
 * How often a user is tried while somebody else holds its row, which is about as long as a batch of another process
 * takes. Then the commit gives the user back as a failure.
 */
const MOST_TRIES_OF_HELD = 4
const PAUSE_MS = 4
const LONGEST_PAUSE_MS = 200

/**
 * At most two round trips: the first reads the users, unless all of them are remembered from earlier batches; the second
 * stores the saves of users whom nobody has changed meanwhile, and reads the other users anew. Batches of one process go
 * one after the other.
 */
export function createCommitter(runner: Runner, traits: SqlTraits, schema: string, forMs: number): Committer {
  const cache = createCachedUsers(MOST_USERS)
  const batches = createBatches(runner, schema, forgetAll)
  const slot = Math.floor(Math.random() * SLOTS)
  const turns = createBatchTurns()
  let newestEpoch = 0

  function forgetAll(): void {
    cache.clear()
    newestEpoch = 0
  }

  const recall = (open: readonly NumberedRequest[]): BatchView | null => {
    if (newestEpoch === 0) return null
    const known: OpenUser[] = []
    for (const { n, request } of open) {
      const user = cache.get(request)
      if (user === undefined) return null
      const { tenant, user: id, lookups } = request
      const found = lookups.map(() => null)
      known.push({
        n,
        request,
        loaded: { tenant, user: id, state: user.state, version: user.version, found, told: user.told },
      })
    }
    return { epoch: newestEpoch, open: known, isRead: false }
  }

  /**
   * Decides on remembered users where it can. They may be out of date, which only a save finds out: so all users are
   * read where one gets no save, or a save that does not follow from the remembered state.
   */
  const decideFirst = async (
    open: readonly NumberedRequest[],
    decide: Decide,
    end: number,
  ): Promise<{ readonly view: BatchView; readonly decided: readonly DecidedUser[] }> => {
    const known = recall(open)
    if (known !== null) {
      const decided = decideAll(known, decide)
      const fits = decided.every(({ loaded, save }) => fitsTogether(loaded, save))
      if (fits && decided.length === known.open.length) return { view: known, decided }
    }
    const view = await loadBatch(runner, schema, open, end)
    return { view, decided: decideAll(view, decide) }
  }

  const remember = (decided: readonly DecidedUser[], view: BatchView | null): void => {
    for (const { request, loaded, save, version } of decided) {
      cache.put(request, { state: save.after, version, told: save.told ?? loaded.told })
    }
    for (const { request, loaded } of view?.open ?? []) {
      if (loaded.state === null) cache.remove(request)
      else cache.put(request, { state: loaded.state, version: loaded.version, told: loaded.told })
    }
    newestEpoch = view?.epoch ?? newestEpoch
  }

  const commit: Committer['commit'] = async (requests, decide, end = runner.deadline()) => {
    const failures: CommitFailure[] = []
    const rounds: CommitRound[] = []
    const held = new Map<number, number>()
    let view: BatchView | null = null
    let cause: unknown = null
    let open: readonly NumberedRequest[] = requests.map((request, n) => ({ n, request }))
    for (let pause = PAUSE_MS; ; ) {
      let decided: readonly DecidedUser[] = []
      try {
        if (view === null) ({ view, decided } = await decideFirst(open, decide, end))
        else decided = decideAll(view, decide)
        open = view.open
        newestEpoch = view.epoch
        if (decided.length === 0) return { failures, rounds }
        if (performance.now() >= end) throw cause === null ? tooLate() : toStorageError(cause)
        const sent = await storeBatch(runner, batches, schema, slot, traits, view, decided, end)
        const { left, fresh } = sent
        const isLeft = new Set(left.map(({ n }) => n))
        const stored = decided.filter(({ n }) => !isLeft.has(n))
        if (stored.length > 0) rounds.push({ users: stored.map(sent.toStored), asOf: sent.asOf })
        for (const { request } of left) cache.remove(request)
        remember(stored, fresh)
        open = left
        view = fresh
        cause = tellingOf(cause, sent.cause)
        if (sent.isSent) {
          const given = (fresh?.open ?? []).filter((user) => isHeld(user, decided, held))
          failures.push(...given.map((user) => ({ ...toFailure(user, heldTooLong()), held: { forMs } })))
          open = left.filter(({ n }) => given.every((user) => user.n !== n))
          view = fresh && { ...fresh, open: fresh.open.filter((user) => !given.includes(user)) }
        }
        pause = sent.isSent ? PAUSE_MS : Math.min(pause * 2, LONGEST_PAUSE_MS)
        if (open.length === 0) return { failures, rounds }
        if (!sent.isSent || held.size > 0) await sleep(pause * Math.random())
      } catch (thrown) {
        const error = tellingOf(cause === null ? null : toStorageError(cause), thrown)
        for (const { request } of open) cache.remove(request)
        // The other users of the commit are stored, or given back already: only these failed.
        const failed = decided.length > 0 ? decided : open
        if (failed.length === requests.length) throw error
        return { failures: [...failures, ...failed.map((user) => toFailure(user, error))], rounds }
      }
    }
  }

  return {
    commit: (requests, decide, end) => turns.take(end ?? Number.POSITIVE_INFINITY, () => commit(requests, decide, end)),
    forget: (key) => cache.remove(key),
    close: batches.close,
  }
}

function fitsTogether(loaded: LoadedUser, save: UserSave): boolean {
  try {
    checkSave(loaded, save)
    return true
  } catch {
    return false
  }
}

/** Counts how often a user was not stored because somebody else holds its row; true once that is often enough. */
function isHeld({ n, loaded }: OpenUser, decided: readonly DecidedUser[], held: Map<number, number>): boolean {
  const before = decided.find((user) => user.n === n)
  if (before === undefined || before.loaded.version !== loaded.version) {
    held.delete(n)
    return false
  }
  const times = (held.get(n) ?? 0) + 1
  held.set(n, times)
  return times >= MOST_TRIES_OF_HELD
}

function toFailure({ request: { tenant, user } }: NumberedRequest, error: unknown): CommitFailure {
  return { tenant, user, error }
}

function heldTooLong(): GamificationError {
  return new GamificationError('unavailable', 'A transaction of somebody else held the user until the deadline.')
}

function tooLate(): GamificationError {
  const message = 'Other processes changed the same users again and again. Nothing was stored; try again.'
  return new GamificationError('unavailable', message)
}
