import { toWindow } from '../../answers/challenges.ts'
import { toInstantText } from '../../answers/users.ts'
import { localDate, toDateText } from '../../rules/calendar.ts'
import { endOfWindow, questOf } from '../../rules/challenge.ts'
import { rewardOf } from '../../rules/challenge-claims.ts'
import { isCompleted, questStateOf, type RunningWindow, windowOn } from '../../rules/challenge-windows.ts'
import type * as Rules from '../../rules/game.ts'
import { progressOfQuest } from '../../rules/progress.ts'
import { settled } from '../../rules/settle.ts'
import { type QuestState, type UserState, zoneOf } from '../../rules/state.ts'
import type { Call } from '../../runtime/context.ts'
import { knownChallenge } from '../named-parts.ts'
import { readUser } from '../users/read-user.ts'
import type { ChallengeFact, Finding } from './facts.ts'
import { describeCriterion } from './game-sentences.ts'

/** Why a user has these quests now, and why they are completed or not. It holds if all of them are completed. */
export async function explainChallenge(call: Call, id: string, challenge: string): Promise<Finding<ChallengeFact>> {
  const { game, state: known, at } = await readUser(call, id)
  const state = settled(game, known, at)
  const rule = knownChallenge(game, challenge)
  const today = localDate(zoneOf(state.profile), at)
  const running = windowOn(game, state, rule, today)
  if (running === null) {
    const { start, end } = rule
    const [why, date] =
      start !== null && today < start
        ? (['not_begun', start] as const)
        : end !== null && today > end
          ? (['over', end] as const)
          : (['not_enrolled', null] as const)
    return {
      holds: false,
      facts: [{ type: 'challenge_no_window', challenge, why, date: date === null ? null : toDateText(date) }],
    }
  }
  const { window } = running
  const ends = endOfWindow(window, state)
  const facts: ChallengeFact[] = [
    { type: 'challenge_window', challenge, ...toWindow(window), endsAt: ends === null ? null : toInstantText(ends) },
    ...pickFacts(running),
  ]
  for (const key of window.picked) {
    const quest = questOf(running.rule, key)
    const own = questStateOf(window, key, at)
    if (own.completedAt !== null) facts.push(completedFact(own, own.completedAt))
    else if (quest !== null) facts.push({ ...shortFact(game, quest, own, state, today), quest: key })
  }
  return { holds: isCompleted(window), facts }
}

function pickFacts({ rule, window }: RunningWindow): readonly ChallengeFact[] {
  if (rule.pick === null) return []
  const { picked: quests, rerolls: replaced } = window
  return [{ type: 'quests_picked', quests, pool: rule.quests.length, same: rule.isSame, replaced }]
}

function completedFact(own: QuestState, completedAt: number): ChallengeFact {
  const { quest, entryId, claimUntil } = own
  const until = claimUntil === null ? null : toDateText(claimUntil)
  return {
    type: 'quest_completed',
    quest,
    completedAt: toInstantText(completedAt),
    entryId: entryId ?? '',
    reward: rewardOf(own),
    claimUntil: until,
  }
}

function shortFact(game: Rules.Game, quest: Rules.Quest, own: QuestState, state: UserState, today: number) {
  const { criteria: statuses = [] } = progressOfQuest(quest, own, state, today)
  const criteria = quest.criteria.map((criterion, index) => {
    const { current = null, target = criterion.target, satisfied = false } = statuses[index] ?? {}
    return { type: criterion.type, description: describeCriterion(game, criterion), current, target, satisfied }
  })
  return { type: 'quest_short', atLeast: quest.atLeast, inOrder: quest.inOrder, criteria } as const
}
