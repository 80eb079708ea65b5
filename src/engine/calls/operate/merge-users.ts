import { GamificationError } from '../../../errors.ts'
import { parse } from '../../../requests/input.ts'
import { mergeRequest } from '../../../requests/users.ts'
import { type Entry, isHeld } from '../../../rules/entry.ts'
import { dateIn, startFold } from '../../../rules/fold.ts'
import { refuseTotal } from '../../../rules/refuse.ts'
import type { UserState } from '../../../rules/state.ts'
import type { UserSave, UserView } from '../../../storage.ts'
import type { UserKey } from '../../../storage-rows.ts'
import { liveInstant, requireUser } from '../../accept/accept-command.ts'
import { type AwardChanges, changedAwards } from '../../accept/award-rows.ts'
import { unchangedSave } from '../../accept/unchanged-save.ts'
import type { MergeResponse } from '../../answers/wire/users.ts'
import { isReplaced } from '../../games.ts'
import { CHANGED, OUTDATED, onNewestGame } from '../../on-newest-game.ts'
import { saveOf } from '../../record/accept-late.ts'
import { startLateMessages } from '../../record/late-messages.ts'
import { storeReplacement } from '../../record/record-late.ts'
import { ALL_ROWS } from '../../replay/fold-start.ts'
import { insertAgain, keepCompletion, lostAchievements } from '../../replay/late-entries.ts'
import { type MergedLog, mergeLogs, withoutKey } from '../../replay/merged-log.ts'
import { isWhole } from '../../replay/new-user-save.ts'
import { readInTurns } from '../../replay/read-log.ts'
import { type Replay, replay, type Verdicts } from '../../replay/replay.ts'
import type { Context, CurrentGame } from '../../types.ts'

/**
 * Makes one user of two: both logs folded as one, by the instant, then that of `into` first. `from` is another name for
 * `into` from then on. Merging users again that are one already changes nothing.
 */
export async function mergeUsers(context: Context, tenant: string, request: unknown): Promise<MergeResponse> {
  return mergeInto(context, tenant, parse(mergeRequest, request, 'request'))
}

/** By which ids two users are named. */
interface Names {
  readonly from: string
  readonly into: string
}

async function mergeInto(context: Context, tenant: string, names: Names): Promise<MergeResponse> {
  const key = { tenant, user: names.into }
  // Calls of this process wait meanwhile; those of others make it begin again.
  const done = await context.recorder.alone(key, () => mergeOnce(context, key, names.from))
  return 'merged' in done ? done : mergeInto(context, tenant, done)
}

/** The answer, or by which other ids to go on. */
function mergeOnce(context: Context, key: UserKey, from: string): Promise<MergeResponse | Names> {
  const { storage, now } = context
  const { tenant, user: into } = key
  return onNewestGame<MergeResponse | Names>(context, key, ALL_ROWS, 'it was merged', async (view, current) => {
    const known = requireUser(view.state, into)
    if (known.mergedInto !== null) return { from, into: known.mergedInto }
    if (from === into) return { from, into, merged: false, entries: 0, repeated: 0 }
    const other = await storage.readUser({ tenant, user: from }, ALL_ROWS)
    const old = requireUser(other.state, from)
    if (old.mergedInto !== null) return { from: old.mergedInto, into }
    if (other.epoch !== current.epoch) return OUTDATED
    // Completions of earlier games do not count under a game that replaced them.
    const replaced = await replaceOne(context, current, [
      { key, view },
      { key: { tenant, user: from }, view: other },
    ])
    if (replaced !== null) return replaced
    const folded = await foldTogether(context, key, from, { view, known, old, current })
    if (folded === null) return OUTDATED
    if (!isWhole(folded.save)) return CHANGED
    const alias = toAlias(context, current, into, liveInstant(old, now()))
    const users = [
      { user: into, version: view.version, save: folded.save },
      { user: from, version: 0, save: alias },
    ]
    const options = { version: other.version, keepsNames: true, replacement: { epoch: current.epoch, users } }
    if ((await storage.removeUser({ tenant, user: from }, options)) === 'changed') return CHANGED
    return { from, into, merged: true, entries: old.seq, repeated: folded.repeated }
  })
}

/** Folds the one of the two again whose state is of a game that was replaced; null: neither is. */
async function replaceOne(
  { storage, now }: Context,
  current: CurrentGame,
  users: readonly { readonly key: UserKey; readonly view: UserView }[],
): Promise<typeof CHANGED | typeof OUTDATED | null> {
  const stale = users.find(({ view }) => isReplaced(view.state, current))
  if (stale === undefined) return null
  const { key, view } = stale
  return storeReplacement(storage, key, { view, current }, now())
}

interface Users {
  readonly view: UserView
  /** The state of the user that goes on, … */
  readonly known: UserState
  /** … and that of the other. */
  readonly old: UserState
  readonly current: CurrentGame
}

interface Folded {
  readonly save: UserSave
  /** How many events have an idempotency key that the other log has used before. */
  readonly repeated: number
}

/**
 * Folds both logs as one, and again with what that showed to be missing: an entry for every completion that would get
 * lost, and a void for every event whose idempotency key the other log has used before it. null: an entry was decided
 * under a game that is not known, or a log is not that of its state any more. Throws `total_out_of_range` where a total
 * leaves its bounds.
 */
async function foldTogether(
  { storage, newId, now }: Context,
  key: UserKey,
  from: string,
  users: Users,
): Promise<Folded | null> {
  const { known, old, current } = users
  const had = { completions: completionsOf(known, old) }
  const lines = known.seq + old.seq
  const recordedAt = now()
  const at = Math.max(liveInstant(known, recordedAt), old.at)
  const verdicts: Verdicts = new Map()
  const repeated = new Set<string>()
  const kept: Entry[] = []
  const ends: Entry[] = []

  const log = mergeLogs({
    into: readInTurns(storage, key, known.seq),
    from: readInTurns(storage, { ...key, user: from }, old.seq),
    lines: known.seq,
    since: current.since,
    repeated: (event) => {
      repeated.add(event.id)
      if ((event.voidedBy !== undefined && !isHeld(event)) || verdicts.has(event.id)) return
      const id = newId(recordedAt)
      verdicts.set(event.id, { voidedBy: id, entry: null, approvedBy: null })
      ends.push(voidOf(event.id, { id, at, recordedAt, epoch: current.epoch }))
    },
  })

  const readLog = readInTurns(storage, key, known.seq)
  const messages = await startLateMessages({ key, readLog, view: users.view, current, now: recordedAt })
  const watched = messages?.watch === undefined ? {} : { watch: messages.watch }

  for (;;) {
    const isLast = new Set(ends.map(({ id }) => id))
    const entries = [...kept, ...ends].map((entry, index) => ({ ...entry, seq: lines + 1 + index }))
    const insertions = entries.map((entry) => insertAgain(entry, isLast.has(entry.id)))
    const fold = await replay(log.readLog, current, insertions, { verdicts, lines, ...watched })
    if (fold === null) return null
    for (const [achievement, completion] of lostAchievements(had, fold)) {
      kept.push(keepCompletion(achievement, completion, { id: newId(recordedAt), seq: 0, recordedAt }))
    }
    if (kept.length + ends.length > entries.length) continue
    if (fold.overflow !== null) {
      const { code, message } = refuseTotal(fold.overflow.metric, fold.overflow.total)
      throw new GamificationError(code, message)
    }
    const awards = changedAwards(users.view.awards, fold.rows.awards)
    const save = toMergedSave(users, fold, log, awards)
    return { save: messages === null ? save : await messages.toSave(save, fold), repeated: repeated.size }
  }
}

/** Of each achievement the completion that counts more, and of equal counts the earlier one. */
function completionsOf(known: UserState, old: UserState): UserState['completions'] {
  const first = new Map(known.completions)
  for (const [achievement, completion] of old.completions) {
    const other = first.get(achievement)
    const isFirst =
      other === undefined ||
      completion.count > other.count ||
      (completion.count === other.count && completion.at < other.at)
    if (isFirst) first.set(achievement, completion)
  }
  return first
}

const REPEATED = 'Its idempotency key was used by both of the users that were merged.'

function voidOf(
  event: string,
  { id, at, recordedAt, epoch }: Pick<Entry, 'id' | 'at' | 'recordedAt' | 'epoch'>,
): Entry {
  const place = { id, at, recordedAt, epoch, seq: 0, dating: dateIn('UTC', at), profile: null }
  return { ...place, kind: 'eventVoided', event, reason: REPEATED, revokes: false }
}

/** What is stored of the user that goes on: its own lines stay, those of the other are new ones. */
function toMergedSave(
  { view, known, current }: Users,
  fold: Replay,
  { moved, raised, unkeyed }: MergedLog,
  awards: AwardChanges,
): UserSave {
  const save = saveOf(current, view, fold, awards)
  const dated = new Map(save.redated.map((entry) => [entry.seq, entry]))
  const lines = moved.map((line): Entry => {
    const { dating, ...entry } = dated.get(line.seq) ?? line
    const voidedBy = entry.kind === 'eventRecorded' ? entry.voidedBy : undefined
    const isVoided = line.kind === 'eventRecorded' && voidedBy !== undefined
    return isVoided ? { ...line, dating, voidedBy } : { ...line, dating }
  })
  const changed = new Map<number, Entry>()
  for (const line of [...raised, ...unkeyed.values(), ...save.redated]) changed.set(line.seq, line)
  const own = [...changed.values()].filter(({ seq }) => seq <= known.seq)
  return {
    ...save,
    appended: [...lines, ...save.appended].sort((left, right) => left.seq - right.seq),
    redated: own.map((line) => (unkeyed.has(line.seq) ? withoutKey(line) : line)),
    ranks: [],
  }
}

/** The one line that the other user's log has from then on. */
function toAlias({ now, newId }: Context, { games, since, epoch }: CurrentGame, into: string, at: number): UserSave {
  const recordedAt = now()
  const place = { id: newId(recordedAt), seq: 1, at, recordedAt, epoch, dating: dateIn('UTC', at), profile: null }
  const { entry, step } = startFold(games, since).next({ ...place, kind: 'userMerged', into })
  return { ...unchangedSave(step.state), before: null, appended: [entry] }
}
