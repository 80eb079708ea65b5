import { setTimeout as sleep } from 'node:timers/promises'
import { GamificationError } from '../../src/errors.ts'
import type { SqlTraits } from '../../src/sql/database.ts'
import { toIdHex } from '../../src/sql/entry-rows.ts'
import { checkSave, savesOf } from '../../src/sql/row-changes.ts'
import { OutOfStock, type ShortStock, toOutOfStock } from '../../src/sql/stock.ts'
import { newVersion } from '../../src/sql/user-rows.ts'
import { type CachedUsers, createCachedUsers, MOST_CACHED_BYTES } from '../../src/sql/users.ts'
import { growingPauses } from '../../src/storage/growing-pauses.ts'
import type { UserKey } from '../../src/storage/rows.ts'
import type {
  CommitFailure,
  CommitReport,
  Decide,
  LoadedUser,
  SavedUser,
  SaveGroup,
  UserRequest,
  UserSave,
} from '../../src/storage/storage.ts'
import { createTurns } from '../../src/storage/turns.ts'
import { type Batches, createBatches, unknownOutcome } from './batches.ts'
import { SLOTS } from './counter-slots.ts'
import { mostUsefulError, toStorageError } from './errors.ts'
import { askRanks, type GroupedRequests, groupRequests } from './leaderboards.ts'
import {
  type LoadedBatch,
  type LoadedRows,
  loadBatch,
  type NumberedRequest,
  type OpenUser,
  toLoadedBatch,
  toLoadRow,
} from './load-users.ts'
import type { Runner } from './runner.ts'
import { addLookups, SaveRows, toSavedLists } from './save-rows.ts'
import { quoteIdentifier } from './sql-text.ts'

export interface Committer {
  /** Without `end` the commit has its time from when its turn comes. */
  commit(requests: readonly UserRequest[], decide: Decide, end?: number): Promise<CommitReport>
  /** Call it if a user was written by other means than `commit`: the next commit then reads the user. */
  forget(key: UserKey): void
  /** Call it when no commit is running. */
  close(): Promise<void>
}

/**
 * How often users are tried if other transactions hold them, or their stocks. It takes about as long as a batch of
 * another process. Then the commit gives them back as failures.
 */
const MOST_TRIES = 4
/** Short, because all other commits of the process wait for this one. */
const LOCKED_PAUSE_MS = 4

/** The state that all commits of a process share. */
interface Committing {
  readonly runner: Runner
  readonly traits: SqlTraits
  readonly schema: string
  readonly forMs: number
  readonly batches: Batches
  /** Other processes may write them. A save then skips these users and returns their current state. */
  readonly users: CachedUsers
  readonly slot: number
  /** 0: unknown. */
  newestEpoch: number
}

/**
 * Needs at most two round trips. The first reads the users that no earlier batch has cached, if there are any. The second
 * stores the saves of users that no other process has changed since, and reads the other users again. Batches of one
 * process run one after the other.
 */
export function createCommitter(runner: Runner, traits: SqlTraits, schema: string, forMs: number): Committer {
  const users = createCachedUsers(MOST_CACHED_BYTES)
  const batches = createBatches(runner, schema, () => {
    users.clear()
    committing.newestEpoch = 0
  })
  const slot = Math.floor(Math.random() * SLOTS)
  const committing: Committing = { runner, traits, schema, forMs, batches, users, slot, newestEpoch: 0 }
  const turns = createTurns(1, waitedTooLong)
  return {
    commit: (requests, decide, end) =>
      turns.take(() => commit(committing, requests, decide, end ?? runner.deadline()), end),
    forget: users.remove,
    close: batches.close,
  }
}

async function commit(
  committing: Committing,
  requests: readonly UserRequest[],
  decide: Decide,
  end: number,
): Promise<CommitReport> {
  const nextPause = growingPauses()
  const saveGroups: SaveGroup[] = []
  let open: readonly NumberedRequest[] = requests.map((request, n) => ({ n, request }))
  let loaded: LoadedBatch | null = null
  let cause: unknown = null
  let tries = 0
  while (tries < MOST_TRIES) {
    let failed = open
    try {
      const decision: DecidedBatch = await decideBatch(committing, open, loaded, decide, end)
      const { decided } = decision
      if (decided.length === 0) return { failures: [], saveGroups }
      failed = decided
      if (performance.now() >= end) throw cause === null ? overtaken() : toStorageError(cause)
      const sent = await storeBatch(committing, decision, end)
      if (sent.users.length > 0) saveGroups.push({ users: sent.users, asOf: sent.asOf })
      if (sent.left.length === 0) return { failures: [], saveGroups }
      open = sent.left
      for (const { request } of open) committing.users.remove(request)
      loaded = sent.fresh
      cause = mostUsefulError(cause, sent.cause)
      tries = sent.areLocked ? tries + 1 : 0
      // Users who were moved are saved again at once: after a pause, busy processes have moved them again.
      if (loaded === null) await sleep(nextPause())
      else if (sent.areLocked && tries < MOST_TRIES) await sleep(LOCKED_PAUSE_MS * Math.random())
    } catch (thrown) {
      const error = mostUsefulError(cause === null ? null : toStorageError(cause), thrown)
      for (const { request } of open) committing.users.remove(request)
      // The other users of the commit are stored: only these failed.
      if (failed.length === requests.length) throw error
      return { failures: failed.map((user) => toFailure(user, error)), saveGroups }
    }
  }
  const locked = { forMs: committing.forMs }
  return { failures: open.map((user): CommitFailure => ({ ...toFailure(user, lockedTooLong()), locked })), saveGroups }
}

interface DecidedUser extends OpenUser {
  readonly save: UserSave
  /** The version of the user once it is stored. */
  readonly version: number
}

interface DecidedBatch {
  readonly loaded: LoadedBatch
  readonly decided: readonly DecidedUser[]
}

/**
 * Decides on cached users if it can, and reads the others. Only a save finds out that a cached user is out of date. So all
 * users are read if a cached one gets no save, or a save that does not follow from the cached state.
 */
async function decideBatch(
  committing: Committing,
  open: readonly NumberedRequest[],
  fresh: LoadedBatch | null,
  decide: Decide,
  end: number,
): Promise<DecidedBatch> {
  const load = async (requests: readonly NumberedRequest[]): Promise<LoadedBatch> => {
    const loaded = await loadBatch(committing.runner, committing.schema, requests, end)
    committing.newestEpoch = loaded.epoch
    return loaded
  }
  const known = fresh === null ? recall(committing, open) : []
  if (known.length > 0) {
    const isKnown = new Set(known.map(({ n }) => n))
    const unknown = open.filter(({ n }) => !isKnown.has(n))
    const read = unknown.length === 0 ? [] : (await load(unknown)).open
    const users = [...known, ...read].sort((left, right) => left.n - right.n)
    const loaded = { epoch: committing.newestEpoch, open: users }
    const decided = decideAll(loaded, decide)
    const fitting = decided.filter(({ loaded, save, isRead }) => !isRead && fitsTogether(loaded, save))
    if (fitting.length === known.length) return { loaded, decided }
  }
  const loaded = fresh ?? (await load(open))
  committing.newestEpoch = loaded.epoch
  return { loaded, decided: decideAll(loaded, decide) }
}

function decideAll({ epoch, open }: LoadedBatch, decide: Decide): readonly DecidedUser[] {
  const loaded = open.map((user) => user.loaded)
  return savesOf(open, decide(loaded, epoch)).map(({ user, save }) => ({ ...user, save, version: newVersion() }))
}

/** The users that are cached. */
function recall({ newestEpoch, users }: Committing, open: readonly NumberedRequest[]): readonly OpenUser[] {
  if (newestEpoch === 0) return []
  const known: OpenUser[] = []
  for (const { n, request } of open) {
    const cached = users.get(request)
    const { tenant, user, lookups, spends } = request
    // Only a read finds values, which events often have used before, and movements.
    if (
      cached === undefined ||
      spends !== undefined ||
      lookups.some((lookup) => lookup !== null && 'newValue' in lookup)
    )
      continue
    known.push({ n, request, loaded: { tenant, user, found: lookups.map(() => null), ...cached }, isRead: false })
  }
  return known
}

function fitsTogether(loaded: LoadedUser, save: UserSave): boolean {
  try {
    checkSave(loaded, save)
    return true
  } catch {
    return false
  }
}

/** The outcome of a batch that reached the database. */
interface Outcome {
  /** The users who were not stored. */
  readonly left: readonly DecidedUser[]
  /** The current state of the users who were skipped, or `null` if the next round reads them. */
  readonly fresh: LoadedBatch | null
  readonly standings: Parameters<GroupedRequests['toRanks']>[0]
  readonly asOf: SaveGroup['asOf']
}

interface SentBatch extends Omit<Outcome, 'standings'> {
  /** The users who were stored. */
  readonly users: readonly SavedUser[]
  /** True if the users who were left have the versions that they had: other transactions hold them, or their stocks. */
  readonly areLocked: boolean
  /** Why the database did not look at the batch at all, if it did not. */
  readonly cause: unknown
}

/** Stores the users whose version has not changed. */
async function storeBatch(committing: Committing, { loaded, decided }: DecidedBatch, end: number): Promise<SentBatch> {
  const { batches, traits, slot } = committing
  const grouped = groupRequests(decided.map(({ request, save }) => ({ key: request, requests: save.ranks })))
  const sent = await batches.send({ ...toDocument(traits, loaded, decided, grouped), slot }, end)
  if (sent.type === 'notSaved') {
    return { users: [], left: decided, fresh: null, asOf: 'before', areLocked: false, cause: sent.cause }
  }
  try {
    const { standings, ...outcome } =
      sent.answer === null
        ? await findOutcome(committing, decided, grouped, sent.until)
        : toOutcome(JSON.parse(sent.answer), decided)
    const stored = decided.filter((user) => !outcome.left.includes(user))
    remember(committing.users, stored)
    const ranks = grouped.toRanks(standings)
    const users = stored.map((each) => {
      const { tenant, user } = each.request
      return { tenant, user, ranks: ranks[decided.indexOf(each)] ?? [] }
    })
    const versions = new Map(outcome.fresh?.open.map(({ n, loaded }) => [n, loaded.version]))
    const areLocked = outcome.left.every(({ n, loaded }) => versions.get(n) === loaded.version)
    return { ...outcome, users, areLocked, cause: null }
  } catch (error) {
    if (error instanceof OutOfStock) throw error
    // The batch is stored, but its users are unknown. No caller may get an error that says that nothing was saved.
    throw unknownOutcome(error)
  }
}

function toDocument(
  traits: SqlTraits,
  { epoch }: LoadedBatch,
  decided: readonly DecidedUser[],
  { groups }: GroupedRequests,
): { readonly [name: string]: unknown } {
  const rows = new SaveRows()
  for (const { n, request, isRead } of decided) if (!isRead) addLookups(rows, n, request)
  const users = decided.map(({ n, request }) => toLoadRow(request, n))
  const lists = toSavedLists(rows, traits, decided)
  return { ...lists, ...(groups.length === 0 ? {} : { standings: groups }), epoch, users }
}

function remember(users: CachedUsers, stored: readonly DecidedUser[]): void {
  for (const { request, loaded, save, version } of stored) {
    users.put(request, { state: save.after, version, notices: save.notices ?? loaded.notices })
  }
}

interface SaveAnswer {
  /** Rewards that are short. Nothing was stored. */
  readonly short?: readonly ShortStock[]
  readonly left: LoadedRows | null
  readonly standings: Outcome['standings'] | null
}

function toOutcome({ short, left, standings }: SaveAnswer, decided: readonly DecidedUser[]): Outcome {
  if (short !== undefined) throw toOutOfStock(short)
  const fresh = left === null ? null : toLoadedBatch(left, decided)
  const isLeft = new Set(fresh?.open.map(({ n }) => n))
  return { left: decided.filter(({ n }) => isLeft.has(n)), fresh, standings: standings ?? [], asOf: 'before' }
}

/**
 * Finds out which users of a batch were stored whose answer got lost. A user with new entries was stored if the log has
 * them. Any other user was stored if it has the new version. All others are decided again, from their current state.
 * The answer's ranks were lost too, so they are read again.
 */
async function findOutcome(
  { runner, schema }: Committing,
  decided: readonly DecidedUser[],
  grouped: GroupedRequests,
  end: number,
): Promise<Outcome> {
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
  const stored = new Set(JSON.parse(await runner.value<string>(text, [JSON.stringify(rows)], end)))
  const standings = grouped.groups.length === 0 ? [] : await askRanks(runner, schema, grouped, end)
  return { left: decided.filter(({ n }) => !stored.has(n)), fresh: null, standings, asOf: 'after' }
}

function toFailure({ request: { tenant, user } }: NumberedRequest, error: unknown): CommitFailure {
  return { tenant, user, error }
}

const unavailable = (message: string): GamificationError => new GamificationError('unavailable', message)
const lockedTooLong = () =>
  unavailable('Another transaction held the user, or the stock of the reward, until the deadline.')
const waitedTooLong = () =>
  unavailable('The batch waited behind others until its deadline, and was not sent. Nothing was saved; try again.')
const overtaken = () => unavailable('Too many concurrent changes to these users. Nothing was saved; retry.')
