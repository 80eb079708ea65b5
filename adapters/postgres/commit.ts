import { setTimeout as sleep } from 'node:timers/promises'
import { GamificationError } from '../../src/errors.ts'
import type { CommitFailure, Decide, LoadedUser, UserRequest, UserSave } from '../../src/storage.ts'
import type { SqlTraits } from '../sql/traits.ts'
import { type Batches, createBatches, withGrace } from './batches.ts'
import { toStorageError } from './errors.ts'
import { type LoadedRows, type LoadRow, toLoadedUser, toLoadRow } from './load.ts'
import { quote } from './quote.ts'
import type { Runner } from './runner.ts'
import { addSave, SaveRows } from './save-rows.ts'
import { SLOTS } from './slots.ts'

export interface Committer {
  commit(requests: readonly UserRequest[], decide: Decide): Promise<readonly CommitFailure[]>
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
}

interface Situation {
  readonly epoch: number
  readonly open: readonly Open[]
}

/**
 * Two round trips: the first reads the users, the second stores what was decided for those that nobody has changed
 * meanwhile, and reads the others anew. Batches of one process go one after the other.
 */
export function createCommitter(runner: Runner, traits: SqlTraits, schema: string, forMs: number): Committer {
  const batches = createBatches(runner, schema)
  const slot = Math.floor(Math.random() * SLOTS)
  let last: Promise<unknown> = Promise.resolve()

  const commit: Committer['commit'] = async (requests, decide) => {
    const end = runner.deadline()
    const failures: CommitFailure[] = []
    const held = new Map<number, number>()
    let situation: Situation | null = null
    let cause: unknown = null
    let open: readonly Numbered[] = requests.map((request, n) => ({ n, request }))
    for (let pause = PAUSE_MS; ; ) {
      let decided: readonly Decided[] = []
      try {
        situation ??= await load(runner, schema, open, end)
        open = situation.open
        decided = decideAll(situation, decide)
        if (decided.length === 0) return failures
        if (performance.now() >= end) throw cause === null ? tooLate() : toStorageError(cause)
        const {
          left,
          fresh,
          isSent,
          cause: reason,
        } = await store(runner, batches, schema, slot, traits, situation, decided, end)
        open = left
        situation = fresh
        cause = reason
        if (isSent) {
          const given = (fresh?.open ?? []).filter((user) => isHeld(user, decided, held))
          failures.push(...given.map((user) => ({ ...toFailure(user, heldTooLong()), held: { forMs } })))
          open = left.filter(({ n }) => given.every((user) => user.n !== n))
          situation = fresh && { ...fresh, open: fresh.open.filter((user) => !given.includes(user)) }
        }
        pause = isSent ? PAUSE_MS : Math.min(pause * 2, LONGEST_PAUSE_MS)
        if (open.length === 0) return failures
        if (!isSent || held.size > 0) await sleep(pause * Math.random())
      } catch (error) {
        // Others of the batch are stored, or given back: only these failed.
        const failed = decided.length > 0 ? decided : open
        if (failed.length === requests.length) throw error
        return [...failures, ...failed.map((user) => toFailure(user, error))]
      }
    }
  }

  return {
    commit: (requests, decide) => {
      const turn = last.then(() => commit(requests, decide))
      last = turn.catch(() => undefined)
      return turn
    },
    close: () => batches.close(),
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

async function load(runner: Runner, schema: string, requests: readonly Numbered[], end: number): Promise<Situation> {
  const rows: readonly LoadRow[] = requests.map(({ n, request }) => toLoadRow(request, n))
  const text = `select ${quote(schema)}.load_v1($1::jsonb)::text as value`
  const answer = await runner.value<string>(text, [JSON.stringify(rows)], end)
  return toSituation(JSON.parse(answer), requests)
}

function toSituation({ epoch, users }: LoadedRows, requests: readonly Numbered[]): Situation {
  const byNumber = new Map(users.map((rows) => [rows.n, rows]))
  const open = requests.flatMap(({ n, request }) => {
    const rows = byNumber.get(n)
    return rows === undefined ? [] : [{ n, request, loaded: toLoadedUser(request, rows) }]
  })
  return { epoch, open }
}

function decideAll({ epoch, open }: Situation, decide: Decide): readonly Decided[] {
  const saves = decide(
    open.map(({ loaded }) => loaded),
    epoch,
  )
  if (saves.length !== open.length) {
    throw new GamificationError('internal', `decide answered ${saves.length} of ${open.length} users.`)
  }
  return open.flatMap((user, index) => {
    const save = saves[index]
    return save ? [{ ...user, save }] : []
  })
}

function toDocument(
  traits: SqlTraits,
  epoch: number,
  decided: readonly Decided[],
): { readonly [name: string]: unknown } {
  const rows = new SaveRows()
  for (const { n, loaded, save } of decided) addSave(rows, traits, n, loaded, save)
  return { ...rows.toObject(), epoch, users: decided.map(({ n, request }) => toLoadRow(request, n)) }
}

interface Stored {
  /** Who was not stored. */
  readonly left: readonly Decided[]
  /** These as they now are; null: they are to be read. */
  readonly fresh: Situation | null
  /** Whether the database looked at the batch at all. */
  readonly isSent: boolean
  /** Why it did not, if it did not. */
  readonly cause: unknown
}

/** Stores what can be. */
async function store(
  runner: Runner,
  batches: Batches,
  schema: string,
  slot: number,
  traits: SqlTraits,
  { epoch }: Situation,
  decided: readonly Decided[],
  end: number,
): Promise<Stored> {
  const sent = await batches.send({ ...toDocument(traits, epoch, decided), slot }, end)
  if (sent.type === 'notSaved') return { left: decided, fresh: null, isSent: false, cause: sent.cause }
  if (sent.answer === null) {
    const stored = new Set(await findStored(runner, schema, decided, withGrace(end)).catch(unsettled))
    return { left: decided.filter(({ n }) => !stored.has(n)), fresh: null, isSent: true, cause: null }
  }
  const { left } = JSON.parse(sent.answer) as { readonly left: LoadedRows | null }
  if (left === null) return { left: [], fresh: null, isSent: true, cause: null }
  const fresh = toSituation(left, decided)
  const isLeft = new Set(fresh.open.map(({ n }) => n))
  return { left: decided.filter(({ n }) => isLeft.has(n)), fresh, isSent: true, cause: null }
}

/** The batch is stored, but not known for whom: nobody may be told that nothing was. */
function unsettled(cause: unknown): never {
  const message = 'The connection to Postgres was lost, and it could not be settled in time what was stored.'
  throw new GamificationError('outcome_unknown', message, { cause })
}

/** Which users of a batch whose answer got lost were stored: those whose new entries are in the log. */
async function findStored(
  runner: Runner,
  schema: string,
  decided: readonly Decided[],
  end: number,
): Promise<readonly number[]> {
  const text = `
    select coalesce(json_agg(r.n), '[]')::text as value
      from jsonb_to_recordset($1::jsonb) as r(n int, tenant_id text, user_id text, at bigint, seq bigint, entry_id text)
      join ${quote(schema)}.log l
        on l.tenant_id = r.tenant_id and l.user_id = r.user_id and l.at = r.at and l.seq = r.seq
      where l.entry_id = r.entry_id`
  const rows = decided.flatMap(({ n, request, save }) => {
    const entry = save.appended.at(-1)
    if (entry === undefined) return []
    return [{ n, tenant_id: request.tenant, user_id: request.user, at: entry.at, seq: entry.seq, entry_id: entry.id }]
  })
  return JSON.parse(await runner.value<string>(text, [JSON.stringify(rows)], end))
}
