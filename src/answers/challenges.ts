import { isDeepStrictEqual } from 'node:util'
import { type Instant, localDate, toDateText } from '../rules/calendar.ts'
import { ALWAYS, endOfWindow, questOf, ruleOfEpoch } from '../rules/challenge.ts'
import { countsOnly, isCompleted, questStateOf, replacementOf, windowOn } from '../rules/challenge-windows.ts'
import type { Decided } from '../rules/decide.ts'
import type { ChallengeRule, Game, Quest, Reward } from '../rules/game.ts'
import { progressOfQuest } from '../rules/progress.ts'
import { canEnrol } from '../rules/refuse-challenge.ts'
import { type ChallengeWindow, type QuestState, type UserState, zoneOf } from '../rules/state.ts'
import type * as Types from '../shapes/challenges.ts'
import { shownKey, toCriterion } from './achievements.ts'
import { toInstantText } from './users.ts'

export function toReward(
  { achievements, points: systems }: Game,
  { points, achievement, freezes, boost }: Reward,
): Types.ChallengeReward {
  const given = achievement === null ? undefined : achievements.get(achievement)
  return {
    ...(points.length === 0
      ? {}
      : {
          points: points.map(({ system, points }) => ({ system, name: systems.get(system)?.name ?? system, points })),
        }),
    ...(given === undefined ? {} : { achievement: shownKey(given), achievementName: given.name }),
    ...(freezes === 0 ? {} : { freezes }),
    ...(boost === null
      ? {}
      : { boost: { system: boost.system, name: boost.name, multiplier: boost.multiplier, days: boost.days } }),
  }
}

export function toChallenge(
  game: Game,
  rule: ChallengeRule,
  counts: Pick<Types.Challenge, 'participants' | 'completed'> | undefined,
): Types.Challenge {
  const { id, key, name, description, badgeUrl, every, start, end, enrols, within, claimDays, pick, rerolls } = rule
  return {
    ...{ id, key, name, description, badgeUrl, every },
    start: start === null ? null : toDateText(start),
    end: end === null ? null : toDateText(end),
    ...{ enrols, withinDays: within, claimDays, pick, rerolls },
    quests: rule.quests.map((quest) => ({
      ...{ key: quest.key, name: quest.name, description: quest.description, badgeUrl: quest.badgeUrl },
      ...{ atLeast: quest.atLeast, inOrder: quest.inOrder },
      criteria: quest.criteria.map((criterion) => toCriterion(game, criterion)),
      reward: toReward(game, quest.reward),
    })),
    participants: counts?.participants ?? 0,
    completed: counts?.completed ?? 0,
  }
}

/**
 * A challenge as a user has it at an instant. The state must be settled until then, and the game be the one that the
 * caller may see (`gameFor`).
 */
export function toUserChallenge(game: Game, rule: ChallengeRule, state: UserState, at: Instant): Types.UserChallenge {
  const { id, key, name, description, badgeUrl, every } = rule
  const today = localDate(zoneOf(state.profile), at)
  const known = state.challenges.get(key)
  const running = windowOn(game, state, rule, today)
  const window = running?.window ?? null
  const ends = window === null ? null : endOfWindow(window, state)
  const last =
    window === null || !isCompleted(window) ? null : Math.max(...window.quests.map((each) => each.completedAt ?? 0))
  const show = (of: ChallengeWindow, quest: string): readonly Types.UserQuest[] => {
    const shown = toUserQuest(game, rule, of, quest, state, at)
    return shown === null ? [] : [shown]
  }
  const earlier = (known?.windows ?? []).filter(({ start }) => start !== window?.start)
  return {
    ...{ id, key, name, description, badgeUrl, every },
    window: window === null ? null : toWindow(window),
    endsAt: ends === null ? null : toInstantText(ends),
    enrolledAt: known === undefined || known.enrolledAt === null ? null : toInstantText(known.enrolledAt),
    completedAt: last === null ? null : toInstantText(last),
    canEnrol: canEnrol(state, rule, today),
    rerollsLeft: running === null ? 0 : Math.max(0, running.rule.rerolls - running.window.rerolls),
    replaceable: (window?.picked ?? []).filter((quest) => replacementOf(game, state, rule, quest, today) !== null),
    quests: window === null ? [] : window.picked.flatMap((quest) => show(window, quest)),
    waiting: earlier.flatMap((each) =>
      each.quests
        .filter(({ claimUntil }) => claimUntil !== null)
        .flatMap(({ quest }) => show(each, quest).map((shown) => ({ ...shown, window: toWindow(each) }))),
    ),
  }
}

export function toWindow({ start, end }: Pick<ChallengeWindow, 'start' | 'end'>): Types.ChallengeWindow {
  return { start: start === ALWAYS ? null : toDateText(start), end: end === null ? null : toDateText(end) }
}

/** A quest of a window as a user has it at an instant, or `null` if the game no longer has it. */
export function toUserQuest(
  game: Game,
  rule: ChallengeRule,
  window: ChallengeWindow,
  questKey: string,
  state: UserState,
  at: Instant,
): Types.UserQuest | null {
  const quest = questIn(game, rule, window, questKey)
  return quest === null ? null : showQuest(game, quest, window, state, at)
}

/** A quest as the rule of a window has it, or `null` if the game no longer has it. */
export function questIn(game: Game, rule: ChallengeRule, window: ChallengeWindow, key: string): Quest | null {
  return questOf(ruleOfEpoch(game, rule, window.epoch), key)
}

export function showQuest(
  game: Game,
  quest: Quest,
  window: ChallengeWindow,
  state: UserState,
  at: Instant,
): Types.UserQuest {
  const { key, name, description, badgeUrl, reward } = quest
  const known = questStateOf(window, key, at)
  const { completedAt, claimedAt, claimUntil } = known
  const today = localDate(zoneOf(state.profile), at)
  return {
    ...{ key, name, description, badgeUrl, reward: toReward(game, reward) },
    ...(completedAt === null ? { progress: progressOfQuest(quest, known, state, today) } : {}),
    completedAt: completedAt === null ? null : toInstantText(completedAt),
    claimed: claimedAt !== null,
    claimUntil: claimUntil === null ? null : toDateText(claimUntil),
  }
}

/** True if something has counted for a quest, or its reward is another. For quests that count events alone. */
function hasMoved(old: QuestState, { counts, completedAt, claimUntil, claimedAt }: QuestState): boolean {
  if (old.completedAt !== completedAt || old.claimUntil !== claimUntil || old.claimedAt !== claimedAt) return true
  for (const [id, { total }] of counts) if (old.counts.get(id)?.total !== total) return true
  return false
}

/**
 * The quests in which a user's state changed, for the answer of an event. Absent if there are none. `own`: what a late
 * event itself changed. The newest state may no longer have its window.
 */
export function toMovedQuests(
  game: Game,
  before: UserState | null,
  after: UserState,
  at: Instant,
  own: Decided | null,
): { readonly challenges?: readonly Types.MovedQuest[] } {
  const moved: Types.MovedQuest[] = []
  for (const rule of game.challenges.values()) {
    const { id, key, name } = rule
    const known = before?.challenges.get(key)?.windows ?? []
    for (const window of after.challenges.get(key)?.windows ?? []) {
      const earlier = known.find(({ start }) => start === window.start)
      for (const state of window.quests) {
        const definition = questIn(game, rule, window, state.quest)
        if (definition === null) continue
        const known = earlier?.quests.find((each) => each.quest === state.quest)
        const isCounted = known !== undefined && countsOnly(definition)
        if (isCounted && (known === state || !hasMoved(known, state))) continue
        const quest = showQuest(game, definition, window, after, at)
        const old =
          isCounted || before === null || earlier === undefined
            ? null
            : showQuest(game, definition, earlier, before, at)
        if (old !== null && isDeepStrictEqual(quest, old)) continue
        moved.push({ id, key, name, window: toWindow(window), quest })
      }
    }
  }
  for (const change of own?.changes ?? []) {
    if (change.type !== 'challengeCompleted') continue
    const { challenge, start, quest: questKey } = change.mark
    const rule = game.challenges.get(challenge)
    const startsThen = (each: ChallengeWindow): boolean => each.start === start
    const window = own?.state.challenges.get(challenge)?.windows.find(startsThen)
    if (rule === undefined || window === undefined || after.challenges.get(challenge)?.windows.some(startsThen))
      continue
    const quest = toUserQuest(game, rule, window, questKey, after, at)
    if (quest !== null) moved.push({ id: rule.id, key: rule.key, name: rule.name, window: toWindow(window), quest })
  }
  return moved.length === 0 ? {} : { challenges: moved }
}
