import { completionsOf, isGranted } from '../rules/achievement.ts'
import type { Day, Instant } from '../rules/calendar.ts'
import type { Change } from '../rules/change.ts'
import type { Entry } from '../rules/entry.ts'
import type { ChallengeRule, Game, Games, PointsSystem } from '../rules/game.ts'
import { announcedBy, announcedQuests } from '../rules/progress.ts'
import { emptyState, type UserState } from '../rules/state.ts'
import type { MessagePayloads } from '../shapes/messages.ts'
import type { UserKey } from '../storage/rows.ts'
import { toNewAchievements, withProgress } from './achievements.ts'
import { questIn, showQuest, toUserChallenge } from './challenges.ts'
import { type Draft, draft, isWanted, type Occurrence, says } from './message-draft.ts'
import { type TotalChange, toTotalChange } from './message-pieces.ts'
import { isByTime, toLevel, toSystem } from './points.ts'
import { toRedemption } from './rewards.ts'
import { toStreak } from './streaks.ts'
import { toUser } from './users.ts'
import { toBalance, toMovement } from './wallets.ts'

/**
 * The message that a user has another level, or `null` if it is the same one. `occurrence`: what of the system changed
 * it.
 */
export function draftLevel(
  { key, game, state }: { readonly key: UserKey; readonly game: Game; readonly state: UserState },
  system: PointsSystem,
  { previous, level, total }: TotalChange,
  occurrence: Occurrence,
  at: Instant,
): Draft | null {
  if (previous?.key === level?.key) return null
  const user = toUser(game, key, state)
  const said = [previous?.key, level?.key, total, says(user)]
  return draft(key, 'points.level_changed', [system.key, ...occurrence, ...said], at, () => ({
    user,
    points: { ...toSystem(system), total },
    previousLevel: previous === null ? null : toLevel(previous),
    newLevel: level === null ? null : toLevel(level),
  }))
}

export interface DecidedEntry {
  readonly key: UserKey
  readonly game: Game
  readonly games: Games
  /** `null` if the entry created the user. */
  readonly before: UserState | null
  readonly entry: Entry
  readonly changes: readonly Change[]
  readonly after: UserState
}

/** The messages that an entry itself caused for its user, in order. */
export function draftsOfEntry(decided: DecidedEntry, types: ReadonlySet<string>): readonly Draft[] {
  const { key, game, before, entry, after } = decided
  if (entry.kind === 'userMerged') return []
  const { at } = entry
  const aboutUser = (): { readonly user: MessagePayloads['user.created']['user'] } => ({
    user: toUser(game, key, after),
  })
  const drafts: Draft[] = []
  if (before === null && types.has('user.created')) drafts.push(draft(key, 'user.created', [], at, aboutUser))
  // Grants of a newer game for the past are no news.
  if (isWanted(types, 'achievement.completed') && entry.kind !== 'granted') {
    for (const achievement of toNewAchievements(game, before, after)) {
      if (isQuiet(game, after, achievement.key)) continue
      const occurrence = [achievement.key, achievement.count ?? 1, achievement.achievedAt, says(aboutUser().user)]
      const toData = () => ({ ...aboutUser(), achievement })
      drafts.push({ ...draft(key, 'achievement.completed', occurrence, at, toData), completed: achievement.key })
    }
  }
  if (isWanted(types, 'achievement.progressed')) drafts.push(...draftProgress(decided))
  if (game.challenges.size > 0) drafts.push(...draftChallenges(decided, types))
  if (isWanted(types, 'points.level_changed')) drafts.push(...draftLevels(decided))
  if (decided.after.wallets.size > 0)
    drafts.push(...draftMovements(decided, types), ...draftRedemptions(decided, types))
  for (const change of decided.changes) {
    const streak = draftStreak(decided, change, types)
    if (streak !== null) drafts.push(streak)
  }
  return drafts
}

/** True if an anniversary was over when it was completed. */
function isQuiet({ achievements }: Game, after: UserState, key: string): boolean {
  const achievement = achievements.get(key)
  return achievement?.trigger === 'anniversary' && isGranted(achievement, after)
}

/** A completion announces nothing: it has a message of its own. */
function draftProgress({ key, game, before, entry, after }: DecidedEntry): readonly Draft[] {
  if (game.announcing.length === 0) return []
  const known = before ?? emptyState(after.at, after.epoch)
  return game.announcing.flatMap((achievement) => {
    const share = announcedBy(achievement, known, after)
    if (share === null) return []
    const occurrence = [achievement.key, share, completionsOf(after, achievement.key)]
    return draft(key, 'achievement.progressed', occurrence, entry.at, () => ({
      user: toUser(game, key, after),
      achievement: withProgress(game, achievement, after, entry.at),
      share,
    }))
  })
}

/** The messages about quests of challenges: shares that were reached, completions, and rewards that wait. */
function draftChallenges(decided: DecidedEntry, types: ReadonlySet<string>): readonly Draft[] {
  const { key, game, entry, changes, after } = decided
  const { at } = entry
  const drafts: Draft[] = []
  const about = (rule: ChallengeRule, start: Day, key: string) => {
    const window = after.challenges.get(rule.key)?.windows.find((each) => each.start === start)
    const quest = window && questIn(game, rule, window, key)
    if (window === undefined || quest == null) return null
    return () => ({
      user: toUser(game, decided.key, after),
      challenge: toUserChallenge(game, rule, after, at),
      quest: showQuest(game, quest, window, after, at),
    })
  }
  const announced = types.has('challenge.progressed') ? announcedQuests(game, decided.before, after) : []
  for (const { rule, start, quest, share } of announced) {
    const toData = about(rule, start, quest)
    if (toData === null) continue
    const occurrence = [rule.key, start, quest, share]
    drafts.push(draft(key, 'challenge.progressed', occurrence, at, () => ({ ...toData(), share })))
  }
  for (const change of changes) {
    if (change.type !== 'challengeCompleted') continue
    const { challenge, start, quest, claimUntil } = change.mark
    const rule = game.challenges.get(challenge)
    const toData = rule === undefined ? null : about(rule, start, quest)
    if (toData === null) continue
    const put = (type: 'challenge.completed' | 'challenge.claimable'): void => {
      if (types.has(type)) drafts.push(draft(key, type, [challenge, start, quest], at, toData))
    }
    put('challenge.completed')
    if (claimUntil !== null) put('challenge.claimable')
  }
  return drafts
}

const MOVED = { spent: 'points.spent', captured: 'points.spent', refunded: 'points.refunded' } as const

function draftRedemptions(
  { key, game, entry, changes, after }: DecidedEntry,
  types: ReadonlySet<string>,
): readonly Draft[] {
  if (!types.has('reward.redeemed')) return []
  return changes.flatMap((change): readonly Draft[] => {
    if (change.type !== 'rewardRedeemed') return []
    const { redemption } = change
    const system = game.points.get(redemption.system)
    if (system === undefined) return []
    const made = draft(key, 'reward.redeemed', [redemption.id], entry.at, () => ({
      user: toUser(game, key, after),
      redemption: toRedemption({ ...redemption, user: key.user }),
      balance: toBalance(system, after),
    }))
    return [made]
  })
}

/** The messages that points were spent or refunded. */
function draftMovements(
  { key, game, entry, changes, after }: DecidedEntry,
  types: ReadonlySet<string>,
): readonly Draft[] {
  return changes.flatMap((change): readonly Draft[] => {
    if (change.type !== 'pointsMoved' || !isSpending(change.kind)) return []
    const type = MOVED[change.kind]
    const system = game.points.get(change.system)
    if (!types.has(type) || system === undefined) return []
    const made = draft(key, type, [entry.id, change.system], entry.at, () => ({
      user: toUser(game, key, after),
      movement: toMovement(change, entry.id),
      balance: toBalance(system, after),
    }))
    return [made]
  })
}

function isSpending(kind: string): kind is keyof typeof MOVED {
  return Object.hasOwn(MOVED, kind)
}

/** The points that an entry itself paid into each system, without points that time paid. */
export function paidByEntry({ games, changes }: Pick<DecidedEntry, 'games' | 'changes'>): ReadonlyMap<string, number> {
  const paid = new Map<string, number>()
  for (const change of changes) {
    if (change.type !== 'pointsAwarded' || isByTime(games, change)) continue
    paid.set(change.system, (paid.get(change.system) ?? 0) + change.awarded)
  }
  return paid
}

function draftLevels(decided: DecidedEntry): readonly Draft[] {
  const { key, game, entry, after } = decided
  const drafts: Draft[] = []
  for (const [systemKey, added] of paidByEntry(decided)) {
    const system = game.points.get(systemKey)
    const total = after.points.get(systemKey)?.total ?? 0
    if (system === undefined) continue
    const changed = draftLevel(
      { key, game, state: after },
      system,
      toTotalChange(system, added, total),
      [entry.id],
      entry.at,
    )
    if (changed !== null) drafts.push(changed)
  }
  return drafts
}

/** The message that a streak has grown, or was restored, or `null` if the change says something else. */
function draftStreak(decided: DecidedEntry, change: Change, types: ReadonlySet<string>): Draft | null {
  const { key, game, entry, after } = decided
  const { at, dating } = entry
  if (change.type !== 'streakStarted' && change.type !== 'streakExtended' && change.type !== 'streakRestored')
    return null
  // If the period counts already, a restoration is published as an extension.
  const isNew = change.type === 'streakStarted' || (change.type === 'streakRestored' && change.date === null)
  const type = isNew ? 'streak.started' : 'streak.extended'
  if (!isWanted(types, type)) return null
  const streakKey = change.key ?? null
  const named = streakKey ?? ''
  // The entry's id distinguishes a restoration from an extension on the same date.
  const isRestored = change.type === 'streakRestored'
  const occurrence = isRestored ? [named, entry.id] : [named, change.date, dating.zone]
  const user = toUser(game, key, after)
  const streak = toStreak(game, after, at, streakKey)
  const { length, started, periodStart, periodEnd, expires, freezes } = streak
  const said = [length, started, periodStart, periodEnd, expires, freezes, says(user)]
  return draft(key, type, [...occurrence, ...said], at, () => ({
    user,
    streak,
    ...(streakKey === null ? {} : { streakKey }),
  }))
}
