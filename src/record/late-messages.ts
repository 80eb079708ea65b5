import { isByTime, toAward } from '../api/points/answer.ts'
import { toUser } from '../api/users/answer.ts'
import { type Draft, isFresh, revoke, toMessage } from '../messages/drafts/draft.ts'
import { MOST_AWARDS, pieceOfPoints, piecesOfMoves, toToldTotal } from '../messages/drafts/pieces.ts'
import { type Instant, localDate } from '../rules/calendar.ts'
import { gameOf } from '../rules/fold.ts'
import { zoneOf } from '../rules/profile.ts'
import { settled } from '../rules/settle.ts'
import type { UserState } from '../rules/state.ts'
import { add } from '../rules/total.ts'
import type { CurrentGame, Wanted } from '../runtime/context.ts'
import type { UserKey } from '../storage/rows.ts'
import type { UserSave, UserView } from '../storage/storage.ts'
import { chain, type Eventually } from '../storage/sync-or-async.ts'
import type { FoldedSnapshot } from './accept/snapshot.ts'
import { noticeCursorAt, noticesByNow, noticesSentUntil, wantsTime } from './accept/user-messages.ts'
import { lateMoves } from './late-answers.ts'
import { type LogMessages, startLogMessages } from './replay/merged-log.ts'
import type { ReadChunk } from './replay/read-log.ts'
import { type Replay, replay } from './replay/replay.ts'

/** The messages of a replay: new ones, and revocations of earlier ones. */
export interface LateMessages {
  /** Collects what the new fold tells; a new collection for each time that the log is folded. Absent: nothing is. */
  readonly watch?: () => LogMessages
  /** The save of the new fold with its messages; `fold.messages` is what `watch` gave it. */
  toSave(save: UserSave, fold: Replay): Eventually<UserSave>
}

export interface LateMessagesOptions {
  readonly key: UserKey
  /** The log as it was, without what is put in. */
  readonly readLog: ReadChunk
  readonly view: UserView
  readonly current: CurrentGame
  readonly now: Instant
  /** Where the log is read from: what comes before tells the same. Absent or null: from its beginning. */
  readonly start?: FoldedSnapshot | null
}

/** Publishes nothing, now or later, about the time until now. Returns `null` if there are no subscribers. */
export function silentMessages({ view, current, now }: LateMessagesOptions): LateMessages | null {
  if (current.messages === null) return null
  return {
    toSave: (save, { state }) =>
      state === null ? save : { ...save, ...noticesByNow(current, state, view.notices, now) },
  }
}

/** Replays the log as it is to find the messages that were sent before. Returns `null` if there are no subscribers. */
export function startLateMessages(options: LateMessagesOptions): Eventually<LateMessages | null> {
  const { messages: wanted } = options.current
  if (wanted === null) return null
  const { state, notices } = options.view
  // A new user has had no messages of time.
  const until = state === null ? wanted.since : Math.max(noticesSentUntil(notices, state), wanted.since)
  return chain(
    tellOld(options, wanted, until, () => false),
    (old) => toLateMessages(options, wanted, old, until),
  )
}

function toLateMessages(
  options: LateMessagesOptions,
  wanted: Wanted,
  old: ReadonlySet<string>,
  knownUntil: Instant,
): LateMessages {
  const { key, view, current, now } = options
  const isToTell = (each: Draft): boolean => wanted.types.has(each.type) && isFresh(each, now)
  return {
    watch: () => startLogMessages({ key, current, wanted, keeps: ({ id, due }) => due === null && !old.has(id) }),
    toSave: (save, fold) => {
      const { state, messages } = fold
      if (state === null || messages === null) return save
      const until = Math.max(knownUntil, state.at)
      messages.end(state, until)
      const gone = new Set([...old].filter((id) => !messages.ids.has(id)))
      const revoked = gone.size === 0 ? [] : tellGone(options, wanted, knownUntil, gone)
      return chain(revoked, (taken) => {
        const anew = messages.drafts.filter(({ id }) => !old.has(id))
        const changed = draftChanges(options, save, fold, { knownUntil, until })
        const drafts = [...taken, ...anew, ...changed].filter(isToTell)
        const notices =
          wantsTime(wanted) && view.state?.mergedInto == null ? { notices: noticeCursorAt(current, state, until) } : {}
        return { ...save, ...(drafts.length === 0 ? {} : { messages: drafts.map(toMessage) }), ...notices }
      })
    },
  }
}

/** The messages that take back those which the log does not tell any more. */
function tellGone(
  options: LateMessagesOptions,
  wanted: Wanted,
  until: Instant,
  gone: ReadonlySet<string>,
): Eventually<readonly Draft[]> {
  const found: Draft[] = []
  const keeps = (each: Draft): boolean => gone.has(each.id) && found.push(each) > 0
  return chain(tellOld(options, wanted, until, keeps), () => found.flatMap((each) => revoke(each, options.now) ?? []))
}

/** The ids of the messages of the log as it is stored. */
function tellOld(
  { key, readLog, view, current, start = null }: LateMessagesOptions,
  wanted: Wanted,
  until: Instant,
  keeps: (draft: Draft) => boolean,
): Eventually<ReadonlySet<string>> {
  const { state } = view
  if (state === null) return new Set()
  const messages = startLogMessages({ key, current, wanted, keeps })
  return chain(replay(readLog, gamesBefore(current, state), [], { start, watch: () => messages }), (fold) => {
    if (fold?.state != null) messages.end(fold.state, until)
    return messages.ids
  })
}

/** The games that were in force for the user when the messages were sent, even if another game has replaced them since. */
function gamesBefore(
  { games, baselines }: CurrentGame,
  state: UserState | null,
): Pick<CurrentGame, 'games' | 'baselineEpoch'> {
  return { games, baselineEpoch: baselines.findLast((epoch) => state !== null && epoch <= state.epoch) ?? 0 }
}

/**
 * Messages of points and positions are told as a whole: by how much each total differs, and where the user stands now.
 */
function draftChanges(
  { key, view, current, now }: LateMessagesOptions,
  save: UserSave,
  fold: Replay,
  { knownUntil, until }: { readonly knownUntil: Instant; readonly until: Instant },
): readonly Draft[] {
  const { game, games, messages: wanted } = current
  const { state } = fold
  if (state === null || wanted === null) return []
  const part = fold.inserted[0]?.entry.id ?? `epoch ${current.epoch}`
  const when = { at: now, noticed: now, part }
  const user = () => toUser(game, key, state)
  const drafts = [...piecesOfMoves(key, lateMoves(game, view, fold), wanted.types, when, user)]
  if (!wanted.types.has('points.changed')) return drafts
  const today = localDate(zoneOf(state.profile), now)
  const read = (each: UserState, at: Instant): UserState =>
    settled(gameOf(games, each.epoch), each, Math.max(each.at, at))
  const [before, after] = [view.state === null ? null : read(view.state, knownUntil), read(state, until)]
  for (const system of game.points.values()) {
    const total = after.points.get(system.key)?.total ?? 0
    const added = add(total, -(before?.points.get(system.key)?.total ?? 0))
    if (added === 0) continue
    const own = save.awards.put.filter((award) => award.system === system.key && !isByTime(games, award))
    const made = () => ({ user: user(), awards: own.slice(-MOST_AWARDS).map((award) => toAward(games, award, today)) })
    drafts.push(pieceOfPoints(key, system, toToldTotal(system, added, total), when, made))
  }
  return drafts
}
