import { setTimeout as sleep } from 'node:timers/promises'
import { GamificationError } from '../../src/errors.ts'
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
} from '../../src/storage.ts'
import type { UserKey } from '../../src/storage-rows.ts'
import { checkSave } from '../sql/check-save.ts'
import type { SqlTraits } from '../sql/traits.ts'
import { toVersion } from '../sql/user-rows.ts'
import { createBatchTurns } from './batch-turns.ts'
import { type Batches, createBatches } from './batches.ts'
import { type CrowdedBlock, createBlockTidier } from './blocks/index.ts'
import { toStorageError } from './errors.ts'
import { askRanks, type Questions, toQuestions } from './leaderboard-ranks.ts'
import { type LoadedRows, type LoadRow, toLoadedUser, toLoadRow } from './load.ts'
import { quote } from './quote.ts'
import type { Runner } from './runner.ts'
import { addSave, addUnread, SaveRows } from './save-rows.ts'
import { SLOTS } from './slots.ts'
import { createStateCache } from './state-cache.ts'

export interface Committer {
  commit(requests: readonly UserRequest[], decide: Decide, deadline?: number): Promise<CommitReport>
  /** A user was written otherwise: it is to be read before the next commit. */
  forget(key: UserKey): void
  /** Once nothing is under way. */
  close(): Promise<void>
}

/** Users that somebody else holds are tried so often, as long as another process's batch takes; then they are given back. */
const MOST_TRIES_OF_HELD = 4
const PAUSE_MS = 4
const LONGEST_PAUSE_MS = 200

/** A request whose user has not been stored yet. */
interface Open {
  readonly n: number
  readonly request: UserRequest
  readonly loaded: LoadedUser
}

interface Decided extends Open {
  readonly save: UserSave
  /** That of the user once it is stored. */
  readonly version: number
}

interface CommitView {
  readonly epoch: number
  readonly open: readonly Open[]
  /** Whether it was read for this batch, and not known from earlier ones. */
  readonly isRead: boolean
}

/**
 * At most two round trips: the first reads the users, unless all of them are known from earlier batches; the second stores
 * what was decided for those that nobody has changed meanwhile, and reads the others anew. Batches of one process go one
 * after the other.
 */
export function createCommitter(runner: Runner, traits: SqlTraits, schema: string, forMs: number): Committer {
  const cache = createStateCache()
  const batches = createBatches(runner, schema, forgetAll)
  const tidier = createBlockTidier(runner, schema)
  const slot = Math.floor(Math.random() * SLOTS)
  const turns = createBatchTurns()
  let newestEpoch = 0

  function forgetAll(): void {
    cache.clear()
    newestEpoch = 0
  }

  const recall = (open: readonly Numbered[]): CommitView | null => {
    if (newestEpoch === 0) return null
    const known: Open[] = []
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
   * What was known may be out of date, which only a save finds out: who is told something without one is read first, and
   * so is whoever was decided on something newer.
   */
  const decideFirst = async (
    open: readonly Numbered[],
    decide: Decide,
    end: number,
  ): Promise<{ readonly situation: CommitView; readonly decided: readonly Decided[] }> => {
    const known = recall(open)
    if (known !== null) {
      const decided = decideAll(known, decide)
      const fits = decided.every(({ loaded, save }) => fitsTogether(loaded, save))
      if (fits && decided.length === known.open.length) return { situation: known, decided }
    }
    const situation = await load(runner, schema, open, end)
    return { situation, decided: decideAll(situation, decide) }
  }

  const remember = (decided: readonly Decided[], situation: CommitView | null): void => {
    for (const { request, loaded, save, version } of decided) {
      cache.put(request, { state: save.after, version, told: save.told ?? loaded.told })
    }
    for (const { request, loaded } of situation?.open ?? []) {
      if (loaded.state === null) cache.remove(request)
      else cache.put(request, { state: loaded.state, version: loaded.version, told: loaded.told })
    }
    newestEpoch = situation?.epoch ?? newestEpoch
  }

  const commit: Committer['commit'] = async (requests, decide, end = runner.deadline()) => {
    const failures: CommitFailure[] = []
    const rounds: CommitRound[] = []
    const held = new Map<number, number>()
    let situation: CommitView | null = null
    let cause: unknown = null
    let open: readonly Numbered[] = requests.map((request, n) => ({ n, request }))
    for (let pause = PAUSE_MS; ; ) {
      let decided: readonly Decided[] = []
      try {
        if (situation === null) ({ situation, decided } = await decideFirst(open, decide, end))
        else decided = decideAll(situation, decide)
        open = situation.open
        newestEpoch = situation.epoch
        if (decided.length === 0) return { failures, rounds }
        if (performance.now() >= end) throw cause === null ? tooLate() : toStorageError(cause)
        const sent = await store(runner, batches, schema, slot, traits, situation, decided, end)
        const { left, fresh } = sent
        const isLeft = new Set(left.map(({ n }) => n))
        const stored = decided.filter(({ n }) => !isLeft.has(n))
        if (stored.length > 0) rounds.push({ users: stored.map(sent.toStored), asOf: sent.asOf })
        for (const { request } of left) cache.remove(request)
        remember(stored, fresh)
        tidier.tidy(sent.crowded)
        open = left
        situation = fresh
        cause = sent.cause
        if (sent.isSent) {
          const given = (fresh?.open ?? []).filter((user) => isHeld(user, decided, held))
          failures.push(...given.map((user) => ({ ...toFailure(user, heldTooLong()), held: { forMs } })))
          open = left.filter(({ n }) => given.every((user) => user.n !== n))
          situation = fresh && { ...fresh, open: fresh.open.filter((user) => !given.includes(user)) }
        }
        pause = sent.isSent ? PAUSE_MS : Math.min(pause * 2, LONGEST_PAUSE_MS)
        if (open.length === 0) return { failures, rounds }
        if (!sent.isSent || held.size > 0) await sleep(pause * Math.random())
      } catch (error) {
        for (const { request } of open) cache.remove(request)
        // Others of the batch are stored, or given back: only these failed.
        const failed = decided.length > 0 ? decided : open
        if (failed.length === requests.length) throw error
        return { failures: [...failures, ...failed.map((user) => toFailure(user, error))], rounds }
      }
    }
  }

  return {
    commit: (requests, decide, deadline) =>
      turns.take(deadline ?? Number.POSITIVE_INFINITY, () => commit(requests, decide, deadline)),
    forget: (key) => cache.remove(key),
    close: async () => {
      await tidier.drained()
      await batches.close()
    },
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

/** Counts how often a user was left as it was, because somebody else holds it; true when that is often enough. */
function isHeld({ n, loaded }: Open, decided: readonly Decided[], held: Map<number, number>): boolean {
  const before = decided.find((user) => user.n === n)
  if (before === undefined || before.loaded.version !== loaded.version) {
    held.delete(n)
    return false
  }
  const times = (held.get(n) ?? 0) + 1
  held.set(n, times)
  return times >= MOST_TRIES_OF_HELD
}

function toFailure({ request: { tenant, user } }: Numbered, error: unknown): CommitFailure {
  return { tenant, user, error }
}

function heldTooLong(): GamificationError {
  return new GamificationError('unavailable', 'A transaction of somebody else held the user until the deadline.')
}

function tooLate(): GamificationError {
  const message = 'Other processes changed the same users again and again. Nothing was stored; try again.'
  return new GamificationError('unavailable', message)
}

type Numbered = Pick<Open, 'n' | 'request'>

async function load(runner: Runner, schema: string, requests: readonly Numbered[], end: number): Promise<CommitView> {
  const rows: readonly LoadRow[] = requests.map(({ n, request }) => toLoadRow(request, n))
  const text = `select ${quote(schema)}.load_v2($1::text::jsonb)::text as value`
  const answer = await runner.value<string>(text, [JSON.stringify(rows)], end)
  return toCommitView(JSON.parse(answer), requests)
}

function toCommitView({ epoch, users }: LoadedRows, requests: readonly Numbered[]): CommitView {
  const byNumber = new Map(users.map((rows) => [rows.n, rows]))
  const open = requests.flatMap(({ n, request }) => {
    const rows = byNumber.get(n)
    return rows === undefined ? [] : [{ n, request, loaded: toLoadedUser(request, rows) }]
  })
  return { epoch, open, isRead: true }
}

function decideAll({ epoch, open }: CommitView, decide: Decide): readonly Decided[] {
  const saves = decide(
    open.map(({ loaded }) => loaded),
    epoch,
  )
  if (saves.length !== open.length) {
    throw new GamificationError('internal', `decide answered ${saves.length} of ${open.length} users.`)
  }
  return open.flatMap((user, index) => {
    const save = saves[index]
    return save ? [{ ...user, save, version: toVersion() }] : []
  })
}

function toDocument(
  traits: SqlTraits,
  { epoch, isRead }: CommitView,
  decided: readonly Decided[],
  { groups }: Questions,
): { readonly [name: string]: unknown } {
  const rows = new SaveRows()
  for (const { n, loaded, save, version } of decided) addSave(rows, traits, n, loaded, save, version)
  if (!isRead) {
    for (const { n, request } of decided) addUnread(rows, n, request)
  }
  const users = decided.map(({ n, request }) => toLoadRow(request, n))
  return { ...rows.toObject(), ...(groups.length === 0 ? {} : { standings: groups }), epoch, users }
}

interface Stored {
  /** Who was not stored. */
  readonly left: readonly Decided[]
  /** These as they now are; null: they are to be read. */
  readonly fresh: CommitView | null
  /** Whether the database looked at the batch at all. */
  readonly isSent: boolean
  /** Why it did not, if it did not. */
  readonly cause: unknown
  /** The answer for one that was stored. */
  readonly toStored: (user: Decided) => StoredUser
  readonly asOf: CommitRound['asOf']
  readonly crowded: readonly CrowdedBlock[]
}

/** Stores what can be. */
async function store(
  runner: Runner,
  batches: Batches,
  schema: string,
  slot: number,
  traits: SqlTraits,
  situation: CommitView,
  decided: readonly Decided[],
  end: number,
): Promise<Stored> {
  const questions = toQuestions(decided.map(({ request, save }) => ({ key: request, requests: save.ranks })))
  const toStored =
    (ranks: readonly (readonly RankAnswer[])[]) =>
    (user: Decided): StoredUser => {
      const { tenant, user: id } = user.request
      return { tenant, user: id, ranks: ranks[decided.indexOf(user)] ?? [] }
    }
  const nothing = { toStored: toStored([]), asOf: 'before', crowded: [], fresh: null, cause: null } as const
  const sent = await batches.send({ ...toDocument(traits, situation, decided, questions), slot }, end)
  if (sent.type === 'notSaved') return { ...nothing, left: decided, isSent: false, cause: sent.cause }
  try {
    if (sent.answer === null) {
      // Within the grace that settling it began.
      const stored = new Set(await findStored(runner, schema, decided, sent.until))
      // What was answered about places got lost too: they are looked at again, as they are now.
      const ranks = await askAgain(runner, schema, questions, sent.until)
      const left = decided.filter(({ n }) => !stored.has(n))
      return { ...nothing, left, isSent: true, toStored: toStored(ranks), asOf: 'after' }
    }
    const answer = JSON.parse(sent.answer) as SaveAnswer
    const fresh = answer.left === null ? null : toCommitView(answer.left, decided)
    const isLeft = new Set(fresh?.open.map(({ n }) => n))
    return {
      ...nothing,
      left: decided.filter(({ n }) => isLeft.has(n)),
      fresh,
      isSent: true,
      toStored: toStored(questions.toRanks(answer.standings ?? [])),
      crowded: answer.crowded ?? [],
    }
  } catch (error) {
    return unsettled(error)
  }
}

/** What `save_v12` answers. */
interface SaveAnswer {
  readonly left: LoadedRows | null
  readonly standings: Parameters<Questions['toRanks']>[0] | null
  readonly crowded: readonly CrowdedBlock[] | null
}

async function askAgain(
  runner: Runner,
  schema: string,
  questions: Questions,
  end: number,
): Promise<readonly (readonly RankAnswer[])[]> {
  if (questions.groups.length === 0) return []
  return questions.toRanks(await askRanks(runner, schema, questions, end))
}

/** The batch is stored, but not known for whom: nobody may be told that nothing was. */
function unsettled(cause: unknown): never {
  const message = 'The connection to Postgres was lost, and it could not be settled in time what was stored.'
  throw new GamificationError('outcome_unknown', message, { cause })
}

/**
 * Which users of a batch whose answer got lost were stored: those whose new entries are in the log, and of those without
 * a new entry who still have the version that they were given. Of others who were stored is decided again, as they are now.
 */
async function findStored(
  runner: Runner,
  schema: string,
  decided: readonly Decided[],
  end: number,
): Promise<readonly number[]> {
  const text = `
    select coalesce(json_agg(r.n), '[]')::text as value
      from jsonb_to_recordset($1::text::jsonb)
        as r(n int, tenant_id text, user_id text, at bigint, seq bigint, entry_id text, version bigint)
      where exists (select from ${quote(schema)}.log l
          where l.tenant_id = r.tenant_id and l.user_id = r.user_id and l.at = r.at and l.seq = r.seq
            and l.entry_id = r.entry_id)
        or exists (select from ${quote(schema)}.users u
          where u.tenant_id = r.tenant_id and u.user_id = r.user_id and u.version = r.version)`
  const rows = decided.map(({ n, request: { tenant, user }, save, version }) => {
    const entry = save.appended.at(-1)
    const row = { n, tenant_id: tenant, user_id: user }
    return entry === undefined ? { ...row, version } : { ...row, at: entry.at, seq: entry.seq, entry_id: entry.id }
  })
  return JSON.parse(await runner.value<string>(text, [JSON.stringify(rows)], end))
}
