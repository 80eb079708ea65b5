import { type Draft, isFresh, revoke, toMessage } from '../../answers/message-draft.ts'
import { draftPieces } from '../../answers/message-pieces.ts'
import { draftsOfEntry, paidByEntry } from '../../answers/messages-of-entry.ts'
import { draftsBetween } from '../../answers/messages-of-time.ts'
import type { Instant } from '../../rules/calendar.ts'
import { hasReachedMembership } from '../../rules/criteria.ts'
import type { Decided } from '../../rules/decide.ts'
import { nextDue } from '../../rules/due.ts'
import type { Entry } from '../../rules/entry.ts'
import { gameOf } from '../../rules/fold.ts'
import type { UserState } from '../../rules/state.ts'
import { isTurnedOff } from '../../rules/visibility.ts'
import type { Move } from '../../runtime/command.ts'
import type { CurrentGame, Wanted } from '../../runtime/context.ts'
import type { Message, NoticeCursor } from '../../storage/outbox.ts'
import type { Award, UserKey } from '../../storage/rows.ts'
import type { UserSave } from '../../storage/storage.ts'

export interface AcceptedEntry {
  readonly entry: Entry
  readonly before: UserState | null
  readonly decided: Decided
  readonly awards: readonly Award[]
  readonly moves: readonly Move[]
  readonly receivedAt: Instant
  /** True if nothing is published about it or about the time until the call came. */
  readonly isSilent: boolean
}

/** The messages about one user, whose entries are accepted one after the other. */
export interface UserMessages {
  accept(accepted: AcceptedEntry): void
  toSave(after: UserState): Pick<UserSave, 'messages' | 'notices'>
}

type GamesInForce = Pick<CurrentGame, 'games' | 'messages' | 'noticesFrom'>

export function startUserMessages(
  key: UserKey,
  notices: NoticeCursor | null,
  current: Pick<CurrentGame, 'games' | 'noticesFrom'>,
  wanted: Wanted,
): UserMessages {
  const { games } = current
  const messages: Message[] = []
  const { withTime } = wanted
  let until = notices?.until ?? null

  let isOff = false
  const put = (drafts: readonly Draft[], now: Instant): void => {
    if (isOff) return
    for (const each of drafts) if (wanted.types.has(each.type) && isFresh(each, now)) messages.push(toMessage(each))
  }

  const acceptTime = ({ entry, before, decided, receivedAt }: AcceptedEntry): void => {
    const known = until
    until = Math.max(known ?? entry.at, entry.at, wanted.since)
    if (before === null) return
    const bring = (state: UserState, from: Instant, to: Instant, of?: Entry): readonly Draft[] =>
      isTurnedOff(state) ? [] : draftsBetween(key, { ...current, wanted }, state, { from, to, entry: of })
    if (known === null || known <= entry.at) {
      put(bring(before, known ?? before.at, entry.at, entry), receivedAt)
      return
    }
    // The entry is older than the last notice. Time may have caused other messages.
    const { taken, added } = difference(bring(before, entry.at, known), bring(decided.state, entry.at, known))
    put(
      taken.flatMap((each) => revoke(each, each.at) ?? []),
      receivedAt,
    )
    put(added, receivedAt)
  }

  return {
    accept: (accepted) => {
      const { entry, before, decided, receivedAt } = accepted
      isOff = isTurnedOff(decided.state)
      if (accepted.isSilent) {
        until = Math.max(until ?? entry.at, entry.at, wanted.since, receivedAt)
        return
      }
      if (withTime) acceptTime(accepted)
      const game = gameOf(games, entry.epoch)
      const decidedEntry = { key, game, games, before, entry, changes: decided.changes, after: decided.state }
      put(draftsOfEntry(decidedEntry, wanted.types), receivedAt)
      const changed = { moves: accepted.moves, added: paidByEntry(decidedEntry), awards: accepted.awards }
      const when = { at: entry.at, noticed: receivedAt, part: entry.id }
      put(draftPieces({ key, game, games, state: decided.state }, changed, wanted.types, when), receivedAt)
    },
    toSave: (after) => ({
      ...(messages.length === 0 ? {} : { messages }),
      ...(withTime && until !== null ? changeOfNotices(notices, after, noticeCursorAt(current, after, until)) : {}),
    }),
  }
}

/**
 * The instant up to which messages that time causes are sent for a user. It is at least the instant of the newest
 * entry, whose save wrote the messages before it.
 */
export function noticesSentUntil(notices: NoticeCursor | null, { at }: UserState): Instant {
  return Math.max(notices?.until ?? at, at)
}

/** Empty if the stored value and the newest entry already say it, so that most events write no cursor. */
function changeOfNotices(
  stored: NoticeCursor | null,
  after: UserState,
  notices: NoticeCursor,
): Pick<UserSave, 'notices'> {
  const isStored = stored?.due === notices.due && noticesSentUntil(stored, after) === notices.until
  return isStored ? {} : { notices }
}

/**
 * The cursor after all messages up to an instant are sent, with the next instant that causes one. A membership that was
 * reached before, for instance by an imported user, is due at once.
 */
export function noticeCursorAt(
  { games, noticesFrom }: Pick<CurrentGame, 'games' | 'noticesFrom'>,
  state: UserState,
  until: Instant,
): NoticeCursor {
  const game = gameOf(games, state.epoch)
  const isDue = hasReachedMembership(noticesFrom.at(-1)?.game ?? game, state, until)
  return { until, due: isDue ? until : nextDue(game, state, until, noticesFrom) }
}

/** The cursor after an import, which publishes nothing about the time until now. */
export function noticesByNow(
  current: GamesInForce,
  after: UserState,
  known: NoticeCursor | null,
  now: Instant,
): Pick<UserSave, 'notices'> {
  const { messages: wanted } = current
  if (wanted === null || !wanted.withTime || after.mergedInto !== null) return {}
  return { notices: noticeCursorAt(current, after, Math.max(noticesSentUntil(known, after), wanted.since, now)) }
}

/** The messages that time caused for an idle user, from the last sent one until `now`. */
export function messagesOfTime(
  key: UserKey,
  { state, notices }: { readonly state: UserState; readonly notices: NoticeCursor | null },
  current: GamesInForce,
  now: Instant,
): Pick<UserSave, 'messages' | 'notices'> {
  const { messages: wanted } = current
  if (wanted === null) return {}
  const from = Math.max(noticesSentUntil(notices, state), wanted.since)
  const until = Math.max(from, now)
  const drafts = isTurnedOff(state) ? [] : draftsBetween(key, { ...current, wanted }, state, { from, to: until })
  const messages = drafts.filter((each) => wanted.types.has(each.type) && isFresh(each, now)).map(toMessage)
  return { messages, notices: noticeCursorAt(current, state, until) }
}

/** Messages that no longer apply, and messages that are new. Pieces of what changes often are left out. */
function difference(
  before: readonly Draft[],
  after: readonly Draft[],
): { readonly taken: readonly Draft[]; readonly added: readonly Draft[] } {
  const [old, next] = [new Set(before.map(({ id }) => id)), new Set(after.map(({ id }) => id))]
  return {
    taken: before.filter(({ id, due }) => due === null && !next.has(id)),
    added: after.filter(({ id, due }) => due === null && !old.has(id)),
  }
}
