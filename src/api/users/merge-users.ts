import { GamificationError } from '../../errors.ts'
import {
  liveInstant,
  MOST_ALIASES,
  requireUser,
  tooManyAliases,
  unchangedSave,
} from '../../record/accept/accept-command.ts'
import { changedAwards, windowKey } from '../../record/accept/derived-rows.ts'
import { startLateMessages } from '../../record/late-messages.ts'
import { type LockedUser, lockUser, withLockedUser } from '../../record/locked-user.ts'
import {
  keepCompletion,
  keepQuestEntry,
  lostAchievements,
  lostQuests,
  replayKeeping,
} from '../../record/replay/keep-completions.ts'
import { insertAgain } from '../../record/replay/late-entries.ts'
import { type MergedLog, mergeLogs, withoutKey } from '../../record/replay/merged-log.ts'
import { readFrom, readWhole } from '../../record/replay/read-log.ts'
import { type Corrections, type Replay, type ReplayOptions, replay } from '../../record/replay/replay.ts'
import { isWhole, toReplaySave } from '../../record/replay/replay-save.ts'
import { ALL_ROWS } from '../../record/replay/replay-start.ts'
import { type Entry, type EventVoided, isHeld } from '../../rules/entry.ts'
import { dateIn, startFold } from '../../rules/fold.ts'
import { refuseTotal } from '../../rules/refuse.ts'
import { withLookedUp } from '../../rules/spends.ts'
import type { ChallengeMark, UserState } from '../../rules/state.ts'
import type { Call, Context, CurrentGame } from '../../runtime/context.ts'
import { damagedLog } from '../../runtime/damaged-users.ts'
import { AGAIN, type Again } from '../../runtime/newest-game.ts'
import type { MergeResponse } from '../../shapes/users.ts'
import { type Steps, wait } from '../../storage/steps.ts'
import type { StoredUser, UserSave, UserTransaction } from '../../storage/storage.ts'
import type { MergeRequest } from './requests.ts'

export async function mergeUsers(call: Call, request: Merging): Promise<MergeResponse> {
  let names = request
  for (let aliases = 0; aliases <= MOST_ALIASES; aliases += 1) {
    const done = await mergeOnce(call, names)
    if ('merged' in done) return done
    names = done
  }
  throw tooManyAliases(names.into)
}

type Merging = Required<MergeRequest>

/** Merges two users while both are locked. The answer, or by which other ids to continue. */
function mergeOnce(call: Call, { from, into, keepKeys }: Merging): Promise<MergeResponse | Merging> {
  // Every process locks users in one order.
  const [first, second] = from < into ? [from, into] : [into, from]
  return withLockedUser(call, { tenant: call.tenant, user: first }, ALL_ROWS, function* (tx, one) {
    if (first === second) return yield* mergeLocked(call, tx, one, one, keepKeys)
    const gameOf = (epoch: number) => (epoch === one.current.epoch ? one.current : AGAIN)
    const two = yield* lockUser(tx, { tenant: call.tenant, user: second }, ALL_ROWS, gameOf, call.now())
    if (typeof two === 'symbol') return two
    const [other, user] = first === from ? [one, two] : [two, one]
    return yield* mergeLocked(call, tx, other, user, keepKeys)
  })
}

function* mergeLocked(
  context: Context,
  tx: UserTransaction,
  other: LockedUser,
  user: LockedUser,
  keepKeys: boolean,
): Steps<MergeResponse | Merging | Again> {
  const [from, into] = [other.key.user, user.key.user]
  const known = requireUser(user.storedUser.state, into)
  if (known.mergedInto !== null) return { from, into: known.mergedInto, keepKeys }
  if (from === into) return { from, into, merged: false, entries: 0, repeated: 0 }
  const old = requireUser(other.storedUser.state, from)
  if (old.mergedInto !== null) return { from: old.mergedInto, into, keepKeys }
  const { current, storedUser } = user
  const { save, repeated } = yield* replayBoth(context, other, user, known, old)
  const alias = toAlias(context, current, into, liveInstant(old, context.now()))
  const users = [
    { user: into, version: storedUser.version, save },
    { user: from, version: 0, save: alias },
  ]
  const replacement = { epoch: current.epoch, users }
  const options = { version: other.storedUser.version, keepsNames: true, endsKeys: !keepKeys, replacement }
  const outcome = yield* wait(tx.removeUser(other.key, options))
  return outcome === 'changed' ? AGAIN : { from, into, merged: true, entries: old.seq, repeated }
}

/** Replays both logs as one, with a void for every event whose idempotency key the other log has used before. */
function* replayBoth(
  { newId, now }: Context,
  other: LockedUser,
  { key, storedUser, current, readLog }: LockedUser,
  known: UserState,
  old: UserState,
): Steps<{ readonly save: UserSave; readonly repeated: number }> {
  const recordedAt = now()
  const at = Math.max(liveInstant(known, recordedAt), old.at)
  const voidOf = (event: string): Entry & EventVoided => {
    const place = { id: newId(recordedAt), at, recordedAt, epoch: current.epoch, seq: 0, dating: dateIn('UTC', at) }
    return { ...place, profile: null, kind: 'eventVoided', event, reason: REPEATED, revokes: false }
  }
  const own = yield* readWhole(readLog)
  const theirs = yield* readWhole(other.readLog)
  const log = mergeLogs(own, theirs, current.baselineEpoch)
  const repeated = log.repeated.filter((event) => event.voidedBy === undefined || isHeld(event))
  const ends = repeated.map(({ id }) => voidOf(id))
  const messages = yield* startLateMessages({ key, readLog, storedUser, current, now: recordedAt })
  const options = { user: key.user, lines: known.seq + old.seq, watch: messages?.watch }
  const marks = firstQuests(storedUser.challenges, other.storedUser.challenges)
  const had = { completions: completionsOf(known, old) }
  const replayed = yield* replayKeeping({
    most: had.completions.size + marks.length,
    replay: (kept) => replayTogether(log, current, kept, ends, options),
    toKeep: (found) => {
      const made = () => ({ id: newId(recordedAt), seq: 0, recordedAt })
      return [
        ...lostAchievements(had, found).map(([achievement, completion]) =>
          keepCompletion(achievement, completion, made()),
        ),
        ...lostQuests(marks, found).map((mark) => keepQuestEntry(mark, made())),
      ]
    },
  })
  if (replayed !== null && replayed.overflow !== null) {
    const { code, message } = refuseTotal(replayed.overflow.metric, replayed.overflow.total)
    throw new GamificationError(code, message)
  }
  const save = replayed && toMergedSave(current, storedUser, known, replayed, log)
  if (replayed === null || save === null || !isWhole(save)) throw damagedLog(key.user)
  const stored = messages === null ? save : yield* messages.toSave(save, replayed)
  return { save: stored, repeated: log.repeated.length }
}

/** Replays the merged log with what keeps completions, and the voids behind everything. Returns `null` if it is damaged. */
function replayTogether(
  log: MergedLog,
  current: CurrentGame,
  kept: readonly Entry[],
  ends: readonly (Entry & EventVoided)[],
  options: ReplayOptions,
): Steps<Replay | null> {
  const first = log.lines.length + 1
  const insertions = [...kept, ...ends].map((entry, index) =>
    insertAgain(current, { ...entry, seq: first + index }, index >= kept.length),
  )
  const corrections: Corrections = new Map(
    ends.map(({ event, id }) => [event, { voidedBy: id, entry: null, approvedBy: null }]),
  )
  return replay(readFrom(log.lines), current, insertions, { ...options, corrections })
}

/** Each quest that one of the users completed, once. */
function firstQuests(own: readonly ChallengeMark[], theirs: readonly ChallengeMark[]): readonly ChallengeMark[] {
  const completed = [...own, ...theirs].filter(({ completedAt }) => completedAt !== null)
  const inOrder = completed.sort((left, right) => (right.completedAt ?? 0) - (left.completedAt ?? 0))
  return [...new Map(inOrder.map((mark) => [windowKey(mark), mark])).values()]
}

/** For each achievement the completion with the higher count; of equal counts the earlier one. */
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

/** The save of the user who remains: its own lines stay, and the lines of the other user are new. */
function toMergedSave(
  current: CurrentGame,
  storedUser: StoredUser,
  known: UserState,
  replayed: Replay,
  { moved, raised, unkeyed }: MergedLog,
): UserSave {
  const save = toReplaySave(current, storedUser, replayed, changedAwards(storedUser.awards, replayed.rows.awards))
  const dated = new Map(save.updatedEntries.map((entry) => [entry.seq, entry]))
  const lines = moved.map((line): Entry => {
    const entry = dated.get(line.seq) ?? line
    const counted = withLookedUp({ ...line, dating: entry.dating }, entry)
    const voidedBy = entry.kind === 'eventRecorded' ? entry.voidedBy : undefined
    return voidedBy !== undefined && counted.kind === 'eventRecorded' ? { ...counted, voidedBy } : counted
  })
  const changed = new Map<number, Entry>()
  for (const line of [...raised, ...unkeyed.values(), ...save.updatedEntries]) changed.set(line.seq, line)
  const own = [...changed.values()].filter(({ seq }) => seq <= known.seq)
  return {
    ...save,
    appended: [...lines, ...save.appended].sort((left, right) => left.seq - right.seq),
    updatedEntries: own.map((line) => (unkeyed.has(line.seq) ? withoutKey(line) : line)),
    ranks: [],
  }
}

function toAlias(
  { now, newId }: Context,
  { games, baselineEpoch, epoch }: CurrentGame,
  into: string,
  at: number,
): UserSave {
  const recordedAt = now()
  const place = { id: newId(recordedAt), seq: 1, at, recordedAt, epoch, dating: dateIn('UTC', at), profile: null }
  const { entry, decided } = startFold(games, baselineEpoch).next({ ...place, kind: 'userMerged', into })
  return { ...unchangedSave(decided.state), before: null, appended: [entry] }
}
