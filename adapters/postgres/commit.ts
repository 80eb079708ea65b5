import { setTimeout as sleep } from 'node:timers/promises'
import { GamificationError } from '../../src/errors.ts'
import type { UserKey } from '../../src/storage/rows.ts'
import type {
  CommitFailure,
  CommitReport,
  CommitRound,
  Decide,
  LoadedUser,
  RankAnswer,
  StoredUser,
  UserRequest,
  UserSave,
} from '../../src/storage/storage.ts'
import { createCachedUsers } from '../sql/cached-users.ts'
import { createTurns } from '../sql/calls.ts'
import type { SqlTraits } from '../sql/database.ts'
import { toIdHex } from '../sql/entry-rows.ts'
import { checkSave } from '../sql/row-changes.ts'
import {
  type Batches,
  type BatchView,
  createBatches,
  type DecidedUser,
  decideAll,
  type LoadedRows,
  loadBatch,
  type NumberedRequest,
  type OpenUser,
  toBatchView,
  toLoadRow,
  unknownOutcome,
} from './batches.ts'
import { mostUsefulError, toStorageError } from './errors.ts'
import { askRanks, type Questions, toQuestions } from './leaderboards.ts'
import type { Runner } from './runner.ts'
import { addUnread, SaveRows, toSavedLists } from './save-rows.ts'
import { SLOTS } from './schema.ts'
import { quoteIdentifier } from './sql-text.ts'

function toDocument(
  traits: SqlTraits,
  { epoch, isRead }: BatchView,
  decided: readonly DecidedUser[],
  { groups }: Questions,
): { readonly [name: string]: unknown } {
  const rows = new SaveRows()
  if (!isRead) {
    for (const { n, request } of decided) addUnread(rows, n, request)
  }
  const users = decided.map(({ n, request }) => toLoadRow(request, n))
  const lists = toSavedLists(rows, traits, decided)
  return { ...lists, ...(groups.length === 0 ? {} : { standings: groups }), epoch, users }
}

export interface StoredBatch {
  /** The users who were not stored. */
  readonly left: readonly DecidedUser[]
  /** The users who were left, as they now are; null: the next round reads them. */
  readonly fresh: BatchView | null
  /** True if the database looked at the batch at all. */
  readonly isSent: boolean
  /** Why it did not, if it did not. */
  readonly cause: unknown
  /** The answer for a user who was stored. */
  readonly toStored: (user: DecidedUser) => StoredUser
  readonly asOf: CommitRound['asOf']
}

/** Stores the users whose version still stands. */
async function storeBatch(
  runner: Runner,
  batches: Batches,
  schema: string,
  slot: number,
  traits: SqlTraits,
  view: BatchView,
  decided: readonly DecidedUser[],
  end: number,
): Promise<StoredBatch> {
  const questions = toQuestions(decided.map(({ request, save }) => ({ key: request, requests: save.ranks })))
  const toStored =
    (ranks: readonly (readonly RankAnswer[])[]) =>
    (user: DecidedUser): StoredUser => {
      const { tenant, user: id } = user.request
      return { tenant, user: id, ranks: ranks[decided.indexOf(user)] ?? [] }
    }
  const nothing = { toStored: toStored([]), asOf: 'before', fresh: null, cause: null } as const
  const sent = await batches.send({ ...toDocument(traits, view, decided, questions), slot }, end)
  if (sent.type === 'notSaved') return { ...nothing, left: decided, isSent: false, cause: sent.cause }
  try {
    if (sent.answer === null) {
      const stored = new Set(await findStored(runner, schema, decided, sent.until))
      // The ranks in the answer got lost too: they are asked for again, as they are now.
      const answers = questions.groups.length === 0 ? [] : await askRanks(runner, schema, questions, sent.until)
      const left = decided.filter(({ n }) => !stored.has(n))
      return { ...nothing, left, isSent: true, toStored: toStored(questions.toRanks(answers)), asOf: 'after' }
    }
    const answer = JSON.parse(sent.answer) as SaveAnswer
    const fresh = answer.left === null ? null : toBatchView(answer.left, decided)
    const isLeft = new Set(fresh?.open.map(({ n }) => n))
    return {
      ...nothing,
      left: decided.filter(({ n }) => isLeft.has(n)),
      fresh,
      isSent: true,
      toStored: toStored(questions.toRanks(answer.standings ?? [])),
    }
  } catch (error) {
    // The batch is stored, but its users are unknown. No caller may get an error that says that nothing was stored.
    throw unknownOutcome(error)
  }
}

interface SaveAnswer {
  readonly left: LoadedRows | null
  readonly standings: Parameters<Questions['toRanks']>[0] | null
}

/**
 * Returns the users of a batch with a lost answer that were stored. A user with new entries was stored if the log has
 * them. Any other user was stored if it has the new version. All others are decided again, as they now are.
 */
async function findStored(
  runner: Runner,
  schema: string,
  decided: readonly DecidedUser[],
  end: number,
): Promise<readonly number[]> {
  const text = `
    select coalesce(json_agg(r.n), '[]')::text as value
      from jsonb_to_recordset($1::text::jsonb)
        as r(n int, tenant_id text, user_id text, at bigint, seq bigint, entry_id text, version bigint)
      where exists (select from ${quoteIdentifier(schema)}.log l
          where l.tenant_id = r.tenant_id and l.user_id = r.user_id and l.at = r.at and l.seq = r.seq
            and l.entry_id = decode(r.entry_id, 'hex'))
        or exists (select from ${quoteIdentifier(schema)}.users u
          where u.tenant_id = r.tenant_id and u.user_id = r.user_id and u.version = r.version)`
  const rows = decided.map(({ n, request: { tenant, user }, save, version }) => {
    const entry = save.appended.at(-1)
    const row = { n, tenant_id: tenant, user_id: user }
    return entry === undefined
      ? { ...row, version }
      : { ...row, at: entry.at, seq: entry.seq, entry_id: toIdHex(entry.id) }
  })
  return JSON.parse(await runner.value<string>(text, [JSON.stringify(rows)], end))
}

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
 * How often a user is tried while another transaction holds its row, which is about as long as a batch of another process
 * takes. Then the commit gives the user back as a failure.
 */
const MOST_TRIES_OF_HELD = 4
const PAUSE_MS = 4
const LONGEST_PAUSE_MS = 200

/**
 * Needs at most two round trips. The first reads the users, unless earlier batches have cached all of them. The second
 * stores the saves of users that no other process has changed since, and reads the other users again. Batches of one
 * process run one after the other.
 */
export function createCommitter(runner: Runner, traits: SqlTraits, schema: string, forMs: number): Committer {
  const cache = createCachedUsers(MOST_USERS)
  const batches = createBatches(runner, schema, forgetAll)
  const slot = Math.floor(Math.random() * SLOTS)
  const turns = createTurns(waitedTooLong)
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
      // Only a read finds values, and events often have known ones.
      if (lookups.some((lookup) => lookup !== null && 'newValue' in lookup)) return null
      known.push({ n, request, loaded: { tenant, user: id, found: lookups.map(() => null), ...user } })
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
      cache.put(request, { state: save.after, version, notices: save.notices ?? loaded.notices })
    }
    for (const { request, loaded } of view?.open ?? []) {
      const { state, version, notices } = loaded
      if (state === null) cache.remove(request)
      else cache.put(request, { state, version, notices })
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
        cause = mostUsefulError(cause, sent.cause)
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
        const error = mostUsefulError(cause === null ? null : toStorageError(cause), thrown)
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

/** Counts how often a user was not stored because another transaction holds its row; true once that is often enough. */
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

const unavailable = (message: string): GamificationError => new GamificationError('unavailable', message)
const heldTooLong = () => unavailable('Another transaction held the user until the deadline.')
const waitedTooLong = () =>
  unavailable('The batch waited behind others until its deadline, and was not sent. Nothing was stored; try again.')
const tooLate = () =>
  unavailable('Other processes changed the same users again and again. Nothing was stored; try again.')
