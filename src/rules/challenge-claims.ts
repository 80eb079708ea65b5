import type { Day } from './calendar.ts'
import { changed, lastClaim, markOf, putWindow } from './challenge-windows.ts'
import type { Change } from './change.ts'
import type { ChallengeClaimed, Entry } from './entry.ts'
import type { ChallengeRule } from './game.ts'
import type { ChallengeState, ChallengeWindow, QuestState, UserState } from './state.ts'

/** Rewards that were not claimed in time are lost. */
export function lapseClaims({ challenges }: UserState, today: Day): readonly Change[] {
  if (challenges.size === 0) return []
  const changes: Change[] = []
  for (const [challenge, state] of challenges) {
    if (!hasOver(state, today)) continue
    const marks: Change[] = []
    const windows = state.windows.map((window) => {
      if (!window.quests.some((quest) => isOver(quest, today))) return window
      const quests = window.quests.map((quest) => {
        if (!isOver(quest, today)) return quest
        const lapsed = { ...quest, claimUntil: null }
        marks.push({ type: 'challengeLapsed', mark: markOf(challenge, window, lapsed) })
        return lapsed
      })
      return { ...window, quests }
    })
    if (marks.length > 0) changes.push(changed(challenge, { ...state, windows }), ...marks)
  }
  return changes
}

/** Settling an event asks this of each challenge, so it makes nothing. */
function hasOver({ windows }: ChallengeState, today: Day): boolean {
  for (const { quests } of windows) for (const quest of quests) if (isOver(quest, today)) return true
  return false
}

function isOver({ claimUntil }: QuestState, today: Day): boolean {
  return claimUntil !== null && claimUntil < today
}

interface Completed {
  readonly window: ChallengeWindow
  readonly quest: QuestState
}

/** The windows in which a quest was completed, in ascending order. */
function completionsOf({ challenges }: UserState, challenge: string, quest: string): readonly Completed[] {
  return (challenges.get(challenge)?.windows ?? []).flatMap((window) => {
    const found = window.quests.find((each) => each.quest === quest && each.completedAt !== null)
    return found === undefined ? [] : [{ window, quest: found }]
  })
}

/** The state of the reward of a completed quest. */
export function rewardOf({ claimUntil, claimedAt }: QuestState): 'given' | 'waits' | 'lost' {
  if (claimedAt !== null) return 'given'
  return claimUntil === null ? 'lost' : 'waits'
}

/**
 * The completion that a claim means: the newest whose reward waits, else the newest. Returns `null` if the quest was
 * never completed.
 */
export function claimOf(state: UserState, challenge: string, quest: string): Completed | null {
  const all = completionsOf(state, challenge, quest)
  return all.findLast((each) => rewardOf(each.quest) === 'waits') ?? all.at(-1) ?? null
}

/**
 * Gives the reward of an accepted claim. A late event may show that the quest was completed earlier, so that its reward
 * is lost before the claim: the claim stays, and so does the reward.
 */
export function giveClaimed(
  state: UserState,
  rule: ChallengeRule,
  { quest, at, dating: { date } }: Entry & ChallengeClaimed,
): readonly Change[] {
  const isLostSince = (each: Completed): boolean =>
    rewardOf(each.quest) === 'lost' && date <= lastClaim(rule, each.window)
  const claim = claimOf(state, rule.key, quest)
  const found =
    claim !== null && rewardOf(claim.quest) === 'waits'
      ? claim
      : completionsOf(state, rule.key, quest).findLast(isLostSince)
  if (found === undefined) return []
  const claimed: QuestState = { ...found.quest, claimUntil: null, claimedAt: at }
  const quests = found.window.quests.map((each) => (each.quest === quest ? claimed : each))
  return [
    putWindow(state, rule, { ...found.window, quests }),
    { type: 'challengeClaimed', mark: markOf(rule.key, found.window, claimed) },
  ]
}
