import { toNewAchievements } from '../api/achievements/answer.ts'
import { toLevel, toPointsChanges } from '../api/points/answer.ts'
import { toStreak } from '../api/streaks/answer.ts'
import { toInstantText, toUser } from '../api/users/answer.ts'
import { GamificationError } from '../errors.ts'
import type { EntryBody, ProfilePatch } from '../rules/entry.ts'
import { levelFor } from '../rules/points.ts'
import { settled } from '../rules/settle.ts'
import type { UserState } from '../rules/state.ts'
import { type StreakName, streakOf } from '../rules/streak.ts'
import { distinctValue } from '../rules/tally.ts'
import type { CommandOutcome, Emitter, GamificationEvents, VoidCommand, WriteCall } from '../runtime/context.ts'
import type { UserKey } from '../storage/rows.ts'
import { chain, type Eventually } from '../storage/sync-or-async.ts'

type Recorded = Extract<CommandOutcome, { readonly type: 'recorded' }>

/** Calls the host's handlers with the changes of a call, once it is committed. */
export function notify(emitter: Emitter, key: UserKey, outcome: Recorded): void {
  if (!emitter.hasHandlers() || outcome.before === outcome.after) return
  const { game, before, after, at } = outcome
  const tenant = key.tenant === '' ? {} : { tenant: key.tenant }
  const occurrence = { ...tenant, user: toUser(game, key, after), timestamp: toInstantText(at) }

  if (before === null) emitter.emit('user.created', occurrence)
  for (const achievement of toNewAchievements(game, before, after, outcome.completions)) {
    emitter.emit('achievement.completed', { ...occurrence, achievement })
  }
  notifyPoints(emitter, occurrence, outcome)
  notifyStreak(emitter, occurrence, outcome, null)
  for (const name of game.streaks.keys()) notifyStreak(emitter, occurrence, outcome, name)
}

type OccurrenceOf = GamificationEvents['user.created']

function notifyPoints(emitter: Emitter, occurrence: OccurrenceOf, outcome: Recorded): void {
  const { game, games } = outcome
  const changes = toPointsChanges(games, game, outcome)
  for (const points of Object.values(changes)) {
    if (points.added === 0 && points.awards.length === 0) continue
    emitter.emit('points.changed', { ...occurrence, points })
    if (points.level === undefined) continue
    const system = game.points.get(points.key)
    const previous = system === undefined ? null : levelFor(system, points.total - points.added)
    const previousLevel = previous === null ? null : toLevel(previous)
    emitter.emit('points.level_changed', { ...occurrence, points, previousLevel, newLevel: points.level })
  }
}

function notifyStreak(
  emitter: Emitter,
  occurrence: OccurrenceOf,
  { game, before, after, at }: Recorded,
  key: StreakName,
): void {
  // With a silent entry not even time passes. The next entry reports the effects of time.
  if (before !== null && streakOf(before, key) === streakOf(after, key)) return
  const stored = lengthOf(before, key)
  const previous = before === null ? 0 : lengthOf(settled(game, before, at), key)
  const length = lengthOf(after, key)
  const named = key == null ? occurrence : { ...occurrence, streakKey: key }
  if (stored > 0 && previous === 0) emitter.emit('streak.lost', { ...named, length: stored })
  if (length <= previous) return
  const streak = toStreak(game, after, at, key)
  emitter.emit(previous === 0 ? 'streak.started' : 'streak.extended', { ...named, streak })
}

function lengthOf(state: UserState | null, key: StreakName): number {
  return state === null ? 0 : streakOf(state, key).length
}

export interface Submission {
  readonly user: string
  readonly body: EntryBody
  readonly profile?: ProfilePatch | null
  readonly createsUser?: boolean
  readonly occurredAt?: number | null
  readonly entryId?: string
  readonly voids?: readonly VoidCommand[]
}

export type Accepted = Extract<CommandOutcome, { readonly type: 'recorded' | 'unchanged' }>

export function submit(call: WriteCall, submission: Submission): Eventually<Accepted> {
  const { tenant, mode, deadline, by, games } = call
  const { user, profile = null, createsUser = false, occurredAt = null } = submission
  const body = call.isClient ? ownBody(submission.body) : submission.body
  const receivedAt = call.now()
  const entryId = submission.entryId ?? call.newId(receivedAt)
  const known = games.known()
  const newValue = known !== null && body.kind === 'eventRecorded' ? distinctValue(known.game, body) : null
  const command = {
    tenant,
    user,
    profile,
    body,
    createsUser,
    occurredAt,
    receivedAt,
    deadline,
    entryId,
    ...(by === null ? {} : { by }),
    ...(newValue === null ? {} : { newValue }),
    ...(submission.voids === undefined ? {} : { voids: submission.voids }),
    ...(mode.isSilent === true ? { isSilent: true } : {}),
  }
  return chain(mode.record(command), (outcome) => {
    if (outcome.type === 'refused') throw new GamificationError(outcome.refusal.code, outcome.refusal.message)
    if (outcome.type === 'merged') return submit(call, { ...submission, user: outcome.into, entryId })
    if (outcome.type === 'recorded') mode.notify(() => notify(call.emitter, { tenant, user }, outcome))
    return outcome
  })
}

/** What a user changes with the own key or session is an activity; events and completions are in any case. */
function ownBody(body: EntryBody): EntryBody {
  return body.kind === 'userUpserted' || body.kind === 'preferencesChanged' ? { ...body, own: true } : body
}

export function stateAfter(outcome: Accepted): Extract<CommandOutcome, { type: 'unchanged' }>['state'] {
  return outcome.type === 'recorded' ? outcome.after : outcome.state
}
