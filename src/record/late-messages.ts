import { type Draft, isFresh, revoke, toMessage } from '../answers/message-draft.ts'
import { draftPieces } from '../answers/message-pieces.ts'
import type { Instant } from '../rules/calendar.ts'
import { gameOf } from '../rules/fold.ts'
import { settled } from '../rules/settle.ts'
import type { UserState } from '../rules/state.ts'
import { isTurnedOff } from '../rules/visibility.ts'
import type { CurrentGame, Wanted } from '../runtime/context.ts'
import type { UserKey } from '../storage/rows.ts'
import { type Steps, wait } from '../storage/steps.ts'
import type { StoredUser, UserSave } from '../storage/storage.ts'
import type { OpenSnapshot } from './accept/derived-rows.ts'
import { noticeCursorAt, noticesByNow, noticesSentUntil } from './accept/user-messages.ts'
import { type LogMessages, startLogMessages } from './replay/log-messages.ts'
import type { ReadChunk } from './replay/read-log.ts'
import { type Replay, replay } from './replay/replay.ts'
import { lateMoves } from './replay/replay-save.ts'

export interface LateMessages {
  readonly watch?: () => LogMessages
  /** The save of a replay with its messages. `replayed.messages` is the collection that `watch` began. */
  toSave(save: UserSave, replayed: Replay): Steps<UserSave>
}

export interface LateMessagesOptions {
  readonly key: UserKey
  readonly readLog: ReadChunk
  readonly storedUser: StoredUser
  readonly current: CurrentGame
  readonly now: Instant
  /** The beginning of the replay: messages before it do not change. If absent or null, the first line. */
  readonly start?: OpenSnapshot | null
}

/** Publishes nothing, now or later, about the time until now. Returns `null` if there are no subscribers. */
export function silentMessages({ storedUser, current, now }: LateMessagesOptions): LateMessages | null {
  if (current.messages === null) return null
  return {
    *toSave(save, { state }) {
      return yield* wait(state === null ? save : { ...save, ...noticesByNow(current, state, storedUser.notices, now) })
    },
  }
}

/**
 * Replays the log without the late commands to find the messages that were sent before. Returns `null` if there are no
 * subscribers.
 */
export function* startLateMessages(options: LateMessagesOptions): Steps<LateMessages | null> {
  const { messages: wanted } = options.current
  if (wanted === null) return null
  const { state, notices } = options.storedUser
  // A new user has had no messages of time.
  const until = state === null ? wanted.since : Math.max(noticesSentUntil(notices, state), wanted.since)
  const { ids } = yield* oldMessages(options, wanted, until, () => false)
  return toLateMessages(options, wanted, ids, until)
}

function toLateMessages(
  options: LateMessagesOptions,
  wanted: Wanted,
  old: ReadonlySet<string>,
  knownUntil: Instant,
): LateMessages {
  const { key, storedUser, current, now } = options
  const isWanted = (each: Draft): boolean => wanted.types.has(each.type) && isFresh(each, now)
  return {
    watch: () => startLogMessages({ key, current, wanted, keeps: ({ id, due }) => due === null && !old.has(id) }),
    *toSave(save, replayed) {
      const { state, messages } = replayed
      if (state === null || messages === null) return save
      const until = Math.max(knownUntil, state.at)
      messages.end(state, until)
      const gone = new Set([...old].filter((id) => !messages.ids.has(id)))
      const revoked = gone.size === 0 ? [] : yield* goneMessages(options, wanted, knownUntil, gone)
      const added = messages.drafts.filter(({ id }) => !old.has(id))
      const changed = draftChanges(options, save, replayed, { knownUntil, until })
      const drafts = isTurnedOff(state) ? [] : [...revoked, ...added, ...changed].filter(isWanted)
      const notices =
        wanted.withTime && storedUser.state?.mergedInto == null
          ? { notices: noticeCursorAt(current, state, until) }
          : {}
      return { ...save, ...(drafts.length === 0 ? {} : { messages: drafts.map(toMessage) }), ...notices }
    },
  }
}

function* goneMessages(
  options: LateMessagesOptions,
  wanted: Wanted,
  until: Instant,
  gone: ReadonlySet<string>,
): Steps<readonly Draft[]> {
  const { drafts } = yield* oldMessages(options, wanted, until, ({ id }) => gone.has(id))
  return drafts.flatMap((each) => revoke(each, options.now) ?? [])
}

function* oldMessages(
  { key, readLog, storedUser, current, start = null }: LateMessagesOptions,
  wanted: Wanted,
  until: Instant,
  keeps: (draft: Draft) => boolean,
): Steps<Pick<LogMessages, 'ids' | 'drafts'>> {
  const { state } = storedUser
  if (state === null) return { ids: new Set(), drafts: [] }
  const messages = startLogMessages({ key, current, wanted, keeps })
  const replayed = yield* replay(readLog, gamesBefore(current, state), [], {
    user: key.user,
    start,
    watch: () => messages,
  })
  if (replayed?.state != null) messages.end(replayed.state, until)
  return messages
}

/** The games that were in force for the user when the messages were sent, even if another game has replaced them since. */
function gamesBefore(
  { games, baselines }: CurrentGame,
  state: UserState | null,
): Pick<CurrentGame, 'games' | 'baselineEpoch'> {
  return { games, baselineEpoch: baselines.findLast((epoch) => state !== null && epoch <= state.epoch) ?? 0 }
}

/** Pieces about points and leaderboards: by how much each total differs, and the user's position now. */
function draftChanges(
  { key, storedUser, current, now }: LateMessagesOptions,
  save: UserSave,
  replayed: Replay,
  { knownUntil, until }: { readonly knownUntil: Instant; readonly until: Instant },
): readonly Draft[] {
  const { game, games, messages: wanted } = current
  const { state } = replayed
  if (state === null || wanted === null) return []
  const part = replayed.inserted[0]?.entry.id ?? `epoch ${current.epoch}`
  const read = (each: UserState, at: Instant): UserState =>
    settled(gameOf(games, each.epoch), each, Math.max(each.at, at))
  const [before, after] = [storedUser.state === null ? null : read(storedUser.state, knownUntil), read(state, until)]
  const added = new Map<string, number>()
  for (const system of game.points.keys()) {
    const by = (after.points.get(system)?.total ?? 0) - (before?.points.get(system)?.total ?? 0)
    if (by !== 0) added.set(system, by)
  }
  const changed = { moves: lateMoves(game, storedUser, replayed), added, awards: save.awards.put }
  return draftPieces({ key, game, games, state: after }, changed, wanted.types, { at: now, noticed: now, part })
}
