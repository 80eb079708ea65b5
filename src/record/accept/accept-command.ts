import { CREATE_USER, GamificationError } from '../../errors.ts'
import { completionsOf, expiredAt } from '../../rules/achievement.ts'
import { type Instant, localDate } from '../../rules/calendar.ts'
import { claimOf, rewardOf } from '../../rules/challenge-claims.ts'
import { isEnrolled } from '../../rules/challenge-windows.ts'
import { hasReachedMembership } from '../../rules/criteria.ts'
import type { Decided } from '../../rules/decide.ts'
import { distinctValue, withNewValue } from '../../rules/distinct-values.ts'
import { type Entry, type EntryBody, holdEvent } from '../../rules/entry.ts'
import { dateIn, decideEntry, gameOf, underGame } from '../../rules/fold.ts'
import { epochAt, type Game, withNamesOf } from '../../rules/game.ts'
import { describeExceeded, type Exceeded, findExceeded } from '../../rules/limit.ts'
import { type Refusal, refuse } from '../../rules/refuse.ts'
import { withPrice } from '../../rules/rewards.ts'
import { settled } from '../../rules/settle.ts'
import { type Spends, spendIdOf, withFoundSpend } from '../../rules/spends.ts'
import { emptyState, patchProfile, type UserState, zoneOf } from '../../rules/state.ts'
import { findHold } from '../../rules/wallet-changes.ts'
import type { Command, CommandOutcome, CommandRefusal } from '../../runtime/command.ts'
import type { CurrentGame } from '../../runtime/context.ts'
import { usedKeyOf } from '../../sql/entry-rows.ts'
import type { UserRequest, UserSave } from '../../storage/storage.ts'

export type Acceptance =
  | { readonly type: 'accepted'; readonly entry: Entry; readonly decided: Decided }
  | { readonly type: 'late' }
  | { readonly type: 'unchanged'; readonly entryId: string | null }
  | { readonly type: 'refused'; readonly refusal: CommandRefusal }

type Unchanged = Extract<CommandOutcome, { readonly type: 'unchanged' }>

/**
 * The outcome of a command that records nothing. `state` is the user's newest; the outcome has it as reads show it, under
 * the newest game.
 */
export function toUnchanged(
  { user, receivedAt }: Pick<Command, 'user' | 'receivedAt'>,
  { game, games, epoch }: Pick<CurrentGame, 'game' | 'games' | 'epoch'>,
  state: UserState | null,
  entryId: string | null,
): Unchanged {
  const at = liveInstant(state, receivedAt)
  const shown = underGame(games, state ?? emptyState(receivedAt, epoch, user), epoch, at).state
  return { type: 'unchanged', user, game, games, at, entryId, state: shown }
}

/**
 * The reads that go with the user of commands. `lookups`: the idempotency key of each, then the value of each if one of them
 * has a value.
 */
export function toLookups(commands: readonly Command[]): Pick<UserRequest, 'lookups' | 'spends'> {
  const values = commands.map(({ body, newValue = '' }) =>
    body.kind === 'eventRecorded' && newValue !== '' ? { metric: body.metric, newValue } : null,
  )
  const keys = commands.map(({ body }) => usedKeyOf(body))
  const lookups = values.some((value) => value !== null) ? [...keys, ...values] : keys
  const spends = commands.flatMap(({ body }) => spendIdOf(body) ?? [])
  return spends.length === 0 ? { lookups } : { lookups, spends }
}

/** The instant of a command without `occurredAt`: the clock's, or the newest entry's if the clock went back. */
export function liveInstant(state: UserState | null, now: Instant): Instant {
  return state === null ? now : Math.max(now, state.at)
}

/** The entry a command asks for, at a place in the log that follows `state`. */
export function toEntry(
  command: Command,
  state: UserState,
  where: { readonly at: Instant; readonly seq: number; readonly epoch: number },
): Entry {
  const { at, seq, epoch } = where
  const { entryId: id, receivedAt: recordedAt, profile, body, by } = command
  const dating = dateIn(zoneOf(patchProfile(state.profile, profile)), at)
  const own = { ...body, id, seq, at, recordedAt, epoch, dating, profile }
  return by === undefined ? own : { ...own, by }
}

export interface InForce extends Pick<CurrentGame, 'games' | 'epoch' | 'gamesFrom' | 'baselineEpoch'> {
  readonly found: string | null
  /**
   * Returns true if the user has used the value before, and `null` if it was not looked up, so only a replay finds out.
   */
  isKnownValue(value: string): boolean | null
  /** Finds a spend that was looked up with the command, or `null` if the user has no such spend. */
  readonly findSpend: Spends['find']
}

/** The entry with its new value. Returns `null` if it is not known whether the value is new. */
export function toValued(game: Game, entry: Entry, isKnownValue: InForce['isKnownValue']): Entry | null {
  const value = entry.kind === 'eventRecorded' ? distinctValue(game, entry) : null
  if (value === null) return entry
  const isKnown = value === '' || isKnownValue(value)
  return isKnown === null ? null : withNewValue(entry, isKnown ? '' : value)
}

export function isLate({ occurredAt }: Command, state: UserState | null): boolean {
  return occurredAt !== null && state !== null && occurredAt < state.at
}

/** Decides a command on the user's current state. Pure; called again if the user has changed since. */
export function acceptCommand(command: Command, state: UserState | null, inForce: InForce): Acceptance {
  const { games, epoch: newest, gamesFrom, baselineEpoch, found, isKnownValue, findSpend } = inForce
  if (found !== null) return { type: 'unchanged', entryId: found }
  if (state === null && !command.createsUser) return { type: 'refused', refusal: unknownUser(command.user) }
  if (isLate(command, state)) return { type: 'late' }

  const at = command.occurredAt ?? liveInstant(state, command.receivedAt)
  const epoch = command.occurredAt === null ? newest : epochAt(gamesFrom, at, state?.epoch ?? baselineEpoch, newest)
  const game = gameOf(games, epoch)
  const known = state ?? emptyState(at, epoch, command.user)
  const body = withPrice(game, remainingBody(game, known, command.body, at))
  const isEmpty = body.kind === 'userUpserted' && command.profile === null
  if (isEmpty && state !== null && !hasReachedMembership(game, state, at)) {
    return { type: 'unchanged', entryId: null }
  }
  const left = body === command.body ? command : { ...command, body }
  const valued = toValued(game, toEntry(left, known, { at, seq: known.seq + 1, epoch }), isKnownValue)
  if (valued === null) return { type: 'late' }
  const entry = withFoundSpend(valued, findSpend)
  const adopted = underGame(games, known, epoch, at, entry).state
  const refusal = refuse(withNamesOf(gameOf(games, newest), game), adopted, entry)
  if (refusal !== null) return { type: 'refused', refusal }
  const limited = underLimits(entry, findExceeded(game, adopted.dateSums, entry))
  if (limited.type === 'refused') return limited
  return { type: 'accepted', entry: limited.entry, decided: decideEntry(games, known, limited.entry) }
}

/** Applies the limits of its metric to an entry that is accepted otherwise: it may be held back, or refused. */
export function underLimits(
  entry: Entry,
  exceeded: Exceeded | null,
): { readonly type: 'accepted'; readonly entry: Entry } | { readonly type: 'refused'; readonly refusal: Refusal } {
  if (exceeded === null || entry.kind !== 'eventRecorded') return { type: 'accepted', entry }
  if (exceeded.limit.holds) return { type: 'accepted', entry: holdEvent(entry) }
  return { type: 'refused', refusal: { code: 'limit_exceeded', message: describeExceeded(entry, exceeded) } }
}

/** Returns the id of the event that a command voids or approves, or `null` if it does neither. */
export function eventIdOf({ body }: Command): string | null {
  return body.kind === 'eventVoided' || body.kind === 'eventApproved' ? body.event : null
}

/**
 * The part of a command that is left to record. An achievement that the user has is claimed again only if it has expired,
 * or if it repeats and the claim has a key. A suspended user is not suspended again. A grant is always recorded, since a
 * later void may take away what completed the achievement before.
 */
function remainingBody(game: Game, state: UserState, body: EntryBody, at: Instant): EntryBody {
  const isAlready =
    (body.kind === 'userSuspended' && state.suspended !== null) ||
    (body.kind === 'userRestored' && state.suspended === null)
  if (isAlready) return { kind: 'userUpserted' }
  // A hold that has ended is not released again.
  if (body.kind === 'holdReleased' && findHold(settled(game, state, at), body.hold) === null)
    return { kind: 'userUpserted' }
  if (body.kind === 'challengeClaimed') {
    const claim = claimOf(state, body.challenge, body.quest)
    if (claim !== null && rewardOf(claim.quest) === 'given') return { kind: 'userUpserted' }
  }
  const challenge = 'challenge' in body ? game.challenges.get(body.challenge) : undefined
  if (challenge?.enrols === true) {
    const isIn = isEnrolled(state, challenge, localDate(zoneOf(state.profile), at))
    if (body.kind === 'challengeEnrolled' ? isIn : body.kind === 'challengeAbandoned' && !isIn)
      return { kind: 'userUpserted' }
  }
  if (body.kind !== 'achievementClaimed' || !state.completions.has(body.achievement)) return body
  const achievement = game.achievements.get(body.achievement)
  if (achievement === undefined || achievement.status === 'inactive' || achievement.trigger !== 'api') return body
  if (expiredAt(achievement, state, at) !== null) return body
  const isUnkeyed = body.idempotencyKey === undefined
  return isUnkeyed || completionsOf(state, body.achievement) >= achievement.most ? { kind: 'userUpserted' } : body
}

export function requireUser(state: UserState | null, id: string): UserState {
  if (state === null) throw noUser(id)
  return state
}

export function noUser(id: string): GamificationError {
  const { code, message } = unknownUser(id)
  return new GamificationError(code, message)
}

/** A call goes from one merged user to the next, over at most so many. */
export const MOST_ALIASES = 1_000

export function tooManyAliases(id: string): GamificationError {
  const message = `The user ${JSON.stringify(id)} comes after ${MOST_ALIASES} merged users. Nothing was saved; use the id that the last merge answered.`
  return new GamificationError('invalid_request', message)
}

function unknownUser(id: string): CommandRefusal {
  return {
    code: 'unknown_user',
    message: `Unknown user ${JSON.stringify(id)}: ${CREATE_USER}`,
  }
}

/** A save that changes nothing of a user. Messages and `notices` may be added to it. */
export function unchangedSave(state: UserState): UserSave {
  const nothing = { remove: [], put: [] }
  return {
    before: state,
    after: state,
    appended: [],
    updatedEntries: [],
    awards: nothing,
    movements: nothing,
    periods: nothing,
    challenges: nothing,
    leaderboards: nothing,
    unlimited: [],
    ranks: [],
    counted: [],
  }
}
