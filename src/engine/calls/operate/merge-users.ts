import { GamificationError } from '../../../errors.ts'
import { parse } from '../../../requests/input.ts'
import { mergeRequest } from '../../../requests/users.ts'
import type { Entry } from '../../../rules/entry.ts'
import { dateIn, startFold } from '../../../rules/fold.ts'
import { refuseTotal } from '../../../rules/refuse.ts'
import type { UserState } from '../../../rules/state.ts'
import type { CounterChange, UserMerge, UserSave, UserView } from '../../../storage.ts'
import { liveInstant, requireUser } from '../../accept/accept-command.ts'
import { countChanges } from '../../accept/derived-rows.ts'
import type { MergeResponse } from '../../answers/wire/users.ts'
import { CHANGED, OUTDATED, onNewestGame } from '../../on-newest-game.ts'
import { lostCompletions, saveOf } from '../../record/record-late.ts'
import { insertAgain, keepCompletion } from '../../replay/late-entries.ts'
import { mergeLogs } from '../../replay/merged-log.ts'
import { readInTurns } from '../../replay/read-log.ts'
import { type Replay, replay, type Voids } from '../../replay/replay.ts'
import type { Context, CurrentGame } from '../../types.ts'

/**
 * Makes one user of two: both logs folded as one, by the instant, then that of `into` first. `from` is another name for
 * `into` from then on. Merging users again that are one already changes nothing.
 */
export async function mergeUsers(context: Context, tenant: string, request: unknown): Promise<MergeResponse> {
  const { from, into } = parse(mergeRequest, request, 'request')
  return mergeInto(context, tenant, from, into)
}

async function mergeInto(context: Context, tenant: string, from: string, into: string): Promise<MergeResponse> {
  const everything = { awards: {}, periods: {}, leaderboards: {} }
  const key = { tenant, user: into }
  const done = await onNewestGame<MergeResponse | Names>(
    context,
    key,
    everything,
    'it was merged',
    async (view, current) => {
      const known = requireUser(view.state, into)
      if (known.mergedInto !== null) return { from, into: known.mergedInto }
      if (from === into) return { from, into, merged: false, entries: 0, repeated: 0 }
      const other = await context.storage.readUser({ tenant, user: from })
      const old = requireUser(other.state, from)
      if (old.mergedInto !== null) return { from: old.mergedInto, into }
      if (other.epoch !== current.epoch) return OUTDATED
      const folded = await foldTogether(context, { tenant, from, into }, { view, known, old, current })
      if (folded === null) return OUTDATED
      const merge: UserMerge = {
        tenant,
        from: { user: from, version: other.version },
        into: { user: into, version: view.version },
        epoch: current.epoch,
        ...folded,
        alias: toAlias(context, current, into, liveInstant(old, context.now())),
        uncounted: uncount(old),
      }
      if (!(await context.storage.mergeUsers(merge))) return CHANGED
      return { from, into, merged: true, entries: old.seq, repeated: folded.unkeyed.length }
    },
  )
  if ('merged' in done) return done
  return mergeInto(context, tenant, done.from, done.into)
}

interface Names {
  readonly from: string
  readonly into: string
}

interface Users {
  readonly view: UserView
  /** The state of the user that goes on, … */
  readonly known: UserState
  /** … and that of the other. */
  readonly old: UserState
  readonly current: CurrentGame
}

type Folded = Pick<UserMerge, 'save' | 'unkeyed'>

/**
 * Folds both logs as one, and again with what that showed to be missing: an entry for every completion that would get lost,
 * and a void for every event whose idempotency key the other log has used before it. null: an entry was decided under a game
 * that is not known. Throws `total_out_of_range` where a total leaves its bounds.
 */
async function foldTogether(
  { storage, newId, now }: Context,
  { tenant, from, into }: Names & { readonly tenant: string },
  { view, known, old, current }: Users,
): Promise<Folded | null> {
  const lines = known.seq + old.seq
  const recordedAt = now()
  const at = Math.max(liveInstant(known, recordedAt), old.at)
  const voids: Voids = new Map()
  const unkeyed = new Set<string>()
  const kept: Entry[] = []
  const ends: Entry[] = []

  const log = mergeLogs({
    into: readInTurns(storage, { tenant, user: into }, known.seq),
    from: readInTurns(storage, { tenant, user: from }, old.seq),
    lines: known.seq,
    since: current.since,
    repeated: (event) => {
      unkeyed.add(event.id)
      if (event.voidedBy !== undefined || voids.has(event.id)) return
      const id = newId(recordedAt)
      voids.set(event.id, { by: id, entry: null })
      ends.push(voidOf(event.id, { id, at, recordedAt, epoch: current.epoch }))
    },
  })

  for (;;) {
    const isLast = new Set(ends.map(({ id }) => id))
    const entries = [...kept, ...ends].map((entry, index) => ({ ...entry, seq: lines + 1 + index }))
    const insertions = entries.map((entry) => insertAgain(entry, isLast.has(entry.id)))
    const fold = await replay(log.readLog, current, insertions, voids)
    if (fold === null) return null
    const lost = [known, old].flatMap((state) => lostCompletions(state, fold))
    for (const [achievement, completion] of new Map(lost)) {
      kept.push(keepCompletion(achievement, completion.at, { id: newId(recordedAt), seq: 0, recordedAt }))
    }
    if (kept.length + ends.length > entries.length) continue
    if (fold.overflow !== null) {
      const { code, message } = refuseTotal(fold.overflow.metric, fold.overflow.total)
      throw new GamificationError(code, message)
    }
    return { save: toMergedSave({ view, known, old, current }, fold, log.raised), unkeyed: [...unkeyed] }
  }
}

const REPEATED = 'Its idempotency key was used by both of the users that were merged.'

function voidOf(
  event: string,
  { id, at, recordedAt, epoch }: Pick<Entry, 'id' | 'at' | 'recordedAt' | 'epoch'>,
): Entry {
  const place = { id, at, recordedAt, epoch, seq: 0, dating: dateIn('UTC', at), profile: null }
  return { ...place, kind: 'eventVoided', event, reason: REPEATED, revokes: false }
}

/** What is stored of the user that goes on, whose log has the lines of both by then. */
function toMergedSave(
  { view, known, old, current }: Users,
  fold: Replay,
  raised: ReadonlyMap<number, Entry>,
): UserSave {
  const save = saveOf(current, view, fold)
  const dated = new Set(save.redated.map(({ seq }) => seq))
  return {
    ...save,
    before: { ...known, seq: known.seq + old.seq },
    redated: [...save.redated, ...[...raised.values()].filter(({ seq }) => !dated.has(seq))],
    ranks: [],
  }
}

/** The one line that the other user's log has from then on. */
function toAlias({ now, newId }: Context, { games, since, epoch }: CurrentGame, into: string, at: number): UserSave {
  const recordedAt = now()
  const place = { id: newId(recordedAt), seq: 1, at, recordedAt, epoch, dating: dateIn('UTC', at), profile: null }
  const { entry, step } = startFold(games, since).next({ ...place, kind: 'userMerged', into })
  const nothing = { remove: [], put: [] }
  return {
    before: null,
    after: step.state,
    appended: [entry],
    redated: [],
    awards: nothing,
    periods: nothing,
    leaderboards: nothing,
    unlimited: [],
    ranks: [],
    counted: [],
  }
}

/** The counters without a user. */
function uncount(state: UserState): readonly CounterChange[] {
  return countChanges(null, state).map((change) => ({ ...change, by: -change.by }))
}
