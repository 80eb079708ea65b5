import { isInControlGroup, timedAwardId } from '../game/ids.ts'
import { type Instant, localDate, toDateText } from '../rules/calendar.ts'
import type { Change } from '../rules/change.ts'
import { type TimeChange, timeBrings } from '../rules/due.ts'
import type { Entry } from '../rules/entry.ts'
import { gameOf } from '../rules/fold.ts'
import type { Game, Games } from '../rules/game.ts'
import type { Notice } from '../rules/notice.ts'
import { type GivenBoost, type UserState, zoneOf } from '../rules/state.ts'
import type { CurrentGame, Wanted } from '../runtime/context.ts'
import type { MessageBoost, MessagePayloads } from '../shapes/messages.ts'
import type { Award, UserKey } from '../storage/rows.ts'
import { isVisible, toCompletedAchievement, toUserAchievement } from './achievements.ts'
import { toUserChallenge } from './challenges.ts'
import { type Draft, draft, isWanted, named, type Occurrence, says } from './message-draft.ts'
import { pieceOfPoints, toTotalChange } from './message-pieces.ts'
import { draftLevel } from './messages-of-entry.ts'
import { toAward } from './points.ts'
import { toExtended, toPauses, toStreak } from './streaks.ts'
import { toInstantText, toUser } from './users.ts'
import { toBalance, toMovement } from './wallets.ts'

type Email = Extract<Notice, { readonly staleAfter: number }>

/** Makes a draft about one user at one instant. Returns `null` if no subscription wants the type. */
type Make = <Type extends keyof MessagePayloads>(
  type: Type,
  occurrence: Occurrence,
  toData: () => MessagePayloads[Type],
) => Draft | null

/** The message that an email to a user is due. */
function draftEmail(game: Game, key: UserKey, email: Email, { at, state }: StateAt, make: Make): Draft | null {
  const about = { timestamp: toInstantText(at), user: toUser(game, key, state) }
  switch (email.type) {
    case 'recapDue': {
      const recap = { periodStart: toDateText(email.start), periodEnd: toDateText(email.end) }
      return make('emails.recap_due', [email.start, email.end], () => ({ ...about, recap }))
    }
    case 'reactivationDue': {
      const { messageNumber, daysSinceLastActive, date } = email
      const reactivation = { messageNumber, daysSinceLastActive }
      return make('emails.reactivation_due', [messageNumber, date], () => ({ ...about, reactivation }))
    }
    case 'streakReminderDue': {
      const { key: streakKey } = email
      const occurrence = [streakKey ?? '', email.reminder, email.date, zoneOf(state.profile)]
      const toData = () => ({ ...about, ...named(streakKey), streak: toUserStreak(game, state, at, streakKey) })
      return make('emails.streak_reminder_due', occurrence, toData)
    }
    case 'achievementEmailDue': {
      const rule = game.achievements.get(email.achievement)
      const completion = state.completions.get(email.achievement)
      if (rule === undefined || completion === undefined || !isVisible(rule, state)) return null
      const achievement = toCompletedAchievement(game, rule, { at: completion.at, count: email.count })
      return make('emails.achievement_due', [email.achievement, email.count], () => ({ ...about, achievement }))
    }
    default:
      return email satisfies never
  }
}

/** A streak without its rank and its history, which only the database has. */
function toUserStreak(
  game: Game,
  state: UserState,
  at: Instant,
  key: string | undefined,
): MessagePayloads['emails.streak_reminder_due']['streak'] {
  return {
    ...toStreak(game, state, at, key),
    extended: toExtended(game, state, key),
    rank: null,
    pauses: toPauses(state, at),
    streakHistory: [],
  }
}

/** The user of messages that time causes. The game of each message is the game of the state at its instant. */
interface UserGames {
  readonly key: UserKey
  readonly games: Games
}

export interface TimeSpan {
  readonly from: Instant
  readonly to: Instant
  readonly entry?: Entry | undefined
}

/** The messages that time causes after `from` and up to `to`, in order. */
export function draftsBetween(
  key: UserKey,
  { games, noticesFrom, wanted }: Pick<CurrentGame, 'games' | 'noticesFrom'> & { readonly wanted: Wanted },
  state: UserState,
  { from, to, entry }: TimeSpan,
): readonly Draft[] {
  const game = gameOf(games, state.epoch)
  const brought = timeBrings(game, state, Math.max(from, wanted.since), to, { newer: noticesFrom, entry })
  return draftsOfTime({ key, games }, brought, wanted.types)
}

/** Changes of points are pieces of their quarter of an hour. */
function draftsOfTime(about: UserGames, brought: readonly TimeChange[], types: ReadonlySet<string>): readonly Draft[] {
  const drafts: Draft[] = []
  let paid: PaidChange[] = []
  for (const [index, { at, change, state }] of brought.entries()) {
    if (change.type === 'pointsAwarded') paid.push(change)
    const next = brought[index + 1]
    // A notice at a later instant leaves the state unchanged.
    if (paid.length > 0 && (next?.at !== at || next.state !== state)) {
      drafts.push(...draftPaid(about, paid, { at, state }, types))
      paid = []
    }
    const own = draftChange(about, change, { at, state }, types)
    if (own !== null) drafts.push(own)
  }
  return drafts
}

type PaidChange = Extract<Change, { readonly type: 'pointsAwarded' }>

interface StateAt {
  readonly at: Instant
  readonly state: UserState
}

function draftChange(
  { key, games }: UserGames,
  change: Change | Notice,
  { at, state }: StateAt,
  types: ReadonlySet<string>,
): Draft | null {
  const game = gameOf(games, state.epoch)
  const make: Make = (type, occurrence, toData) =>
    isWanted(types, type) ? draft(key, type, occurrence, at, toData) : null
  switch (change.type) {
    case 'recapDue':
    case 'reactivationDue':
    case 'streakReminderDue':
    case 'achievementEmailDue': {
      const email = isInControlGroup(key, game.controlRatio) ? null : draftEmail(game, key, change, { at, state }, make)
      return email && { ...email, staleAfter: change.staleAfter }
    }
    case 'achievementExpired': {
      const rule = game.achievements.get(change.achievement)
      if (rule === undefined || !isVisible(rule, state)) return null
      const toData = () => ({ user: toUser(game, key, state), achievement: toUserAchievement(game, rule, state, at) })
      // The count starts again after a revocation, so the instant distinguishes the expiries.
      return make('achievement.expired', [rule.key, change.count, at], toData)
    }
    case 'challengeEnding': {
      const rule = game.challenges.get(change.challenge)
      if (rule === undefined) return null
      return make('challenge.ending', [rule.key, change.start, zoneOf(state.profile)], () => ({
        timestamp: toInstantText(at),
        user: toUser(game, key, state),
        challenge: toUserChallenge(game, rule, state, at),
      }))
    }
    case 'pointsExpiring': {
      const system = game.points.get(change.system)
      if (system === undefined) return null
      const { expires, amount } = change
      return make('points.expiring', [system.key, expires], () => ({
        timestamp: toInstantText(at),
        user: toUser(game, key, state),
        ...{ amount, date: toDateText(expires), balance: toBalance(system, state) },
      }))
    }
    case 'pointsMoved': {
      const system = game.points.get(change.system)
      if (system === undefined || change.kind !== 'expired') return null
      const dates = (change.lots ?? []).map(({ expires }) => expires)
      return make('points.expired', [system.key, ...dates], () => ({
        user: toUser(game, key, state),
        movement: toMovement(change, null),
        balance: toBalance(system, state),
      }))
    }
    case 'boostStarted':
    case 'boostFinished': {
      const { boost } = change
      const [type, status, date] = change.type === 'boostStarted' ? STARTED(boost) : FINISHED(boost)
      const toData = () => toMessageBoost(game, boost.system, boost, { status, userId: key.user })
      return make(type, [boost.id, date], () => ({ timestamp: toInstantText(at), boost: toData() }))
    }
    case 'streakLost':
    case 'streakFrozen':
    case 'freezesEarned':
      return draftStreakChange(game, key, change, { at, state }, make)
    default:
      return null
  }
}

const STARTED = ({ start }: GivenBoost) => ['points.boost_started', 'active', start] as const
const FINISHED = ({ end }: GivenBoost) => ['points.boost_finished', 'finished', end] as const

type StreakChange = Extract<
  Change,
  { readonly type: 'streakLost' | 'streakFrozen' | 'freezesEarned' | 'freezesGranted' }
>

/** The message that time ended a streak, took a freeze or gave some. */
function draftStreakChange(
  game: Game,
  key: UserKey,
  change: StreakChange,
  { at, state }: StateAt,
  make: Make,
): Draft | null {
  const user = toUser(game, key, state)
  const zone = zoneOf(state.profile)
  switch (change.type) {
    case 'streakLost': {
      const { length, lost } = change
      const occurrence = [change.key, lost.missed ?? at, zone, length, says(user)]
      return make('streak.lost', occurrence, () => ({ user, ...named(change.key), length }))
    }
    case 'streakFrozen': {
      const { date, freezes } = change
      const occurrence = [change.key, date, zone, freezes.count, says(user)]
      const toData = () => ({ user, ...named(change.key), consumed: 1, freezes: freezes.count })
      return make('streak.freeze_consumed', occurrence, toData)
    }
    case 'freezesEarned': {
      const { count: earned, freezes } = change
      const occurrence = [change.key, localDate(zone, at), zone, earned, freezes.count, says(user)]
      const toData = () => ({ user, ...named(change.key), earned, freezes: freezes.count })
      return make('streak.freeze_earned', occurrence, toData)
    }
    default:
      return null
  }
}

export function toMessageBoost(
  game: Game,
  systemKey: string,
  boost: Pick<GivenBoost, 'id' | 'name' | 'start' | 'end' | 'multiplier' | 'rounding'>,
  given: Pick<MessageBoost, 'status' | 'userId'>,
): MessageBoost {
  const { id, name, start, end, multiplier, rounding } = boost
  const system = game.points.get(systemKey)
  return {
    id,
    name,
    ...given,
    pointsSystemId: system?.id ?? '',
    pointsSystemKey: systemKey,
    pointsSystemName: system?.name ?? systemKey,
    start: toDateText(start),
    end: end === null ? null : toDateText(end),
    multiplier,
    rounding,
  }
}

/** The points that time triggers paid at one instant, for each system. */
function draftPaid(
  { key, games }: UserGames,
  changes: readonly PaidChange[],
  { at, state }: StateAt,
  types: ReadonlySet<string>,
): readonly Draft[] {
  const drafts: Draft[] = []
  const game = gameOf(games, state.epoch)
  const today = localDate(zoneOf(state.profile), at)
  for (const systemKey of new Set(changes.map(({ system }) => system))) {
    const system = game.points.get(systemKey)
    if (system === undefined) continue
    const own = changes.filter((change) => change.system === systemKey)
    const added = own.reduce((sum, { awarded }) => sum + awarded, 0)
    const total = state.points.get(systemKey)?.total ?? 0
    const change = toTotalChange(system, added, total)
    if (types.has('points.changed')) {
      const awards = () => own.map((change, ordinal) => toAward(games, toFallen(key, change, at, ordinal), today))
      const when = { at, noticed: at, part: `time ${at}` }
      const made = () => ({ user: toUser(game, key, state), awards: awards() })
      drafts.push(pieceOfPoints(key, system, change, when, made))
    }
    if (!isWanted(types, 'points.level_changed')) continue
    const changed = draftLevel({ key, game, state }, system, change, ['time', at], at)
    if (changed !== null) drafts.push(changed)
  }
  return drafts
}

/** Points that time paid, as the award that an entry will store for them. */
function toFallen(
  { tenant, user }: UserKey,
  { system, trigger, awarded, total }: PaidChange,
  at: Instant,
  ordinal: number,
): Award {
  const id = timedAwardId(tenant, user, trigger, at)
  return { id, system, trigger, entryId: '', at, seq: 0, ordinal, awarded, total }
}
