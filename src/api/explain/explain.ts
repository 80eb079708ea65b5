import { GamificationError } from '../../errors.ts'
import { parseGame } from '../../game/compile.ts'
import { toDateText } from '../../rules/calendar.ts'
import type { Call, Context } from '../../runtime/context.ts'
import { toGameSummary } from '../configuration/read-configuration.ts'
import { parse } from '../input.ts'
import type { CurrentGameResponse } from '../operate/types.ts'
import { parseUserId } from '../users/requests.ts'
import { achievementSentence, explainAchievement } from './achievement.ts'
import { explainEvent } from './event.ts'
import { eventSentence } from './event-sentences.ts'
import type { AchievementReason, EventReason, Explanation, Fact, Finding, StreakReason } from './facts.ts'
import { toGameSentences } from './game-sentences.ts'
import { readHistory } from './history.ts'
import {
  checkEventReference,
  type ExplainAchievement,
  type ExplainEvent,
  type ExplainRequest,
  type ExplainStreak,
  explainRequest,
} from './requests.ts'
import { explainStreak, streakSentence } from './streak.ts'

/** `explain` of one tenant, for the keys of a game. */
export interface Explain<
  Metric extends string = string,
  Achievement extends string = string,
  Streak extends string = string,
> {
  /** Rejects with `unknown_achievement`. */
  (id: string, subject: ExplainAchievement<Achievement>): Promise<Explanation<AchievementReason>>
  /** Rejects with `unknown_event`. */
  (id: string, subject: ExplainEvent<Metric>): Promise<Explanation<EventReason>>
  (id: string, subject: ExplainStreak<Streak>): Promise<Explanation<StreakReason>>
  (id: string, subject: ExplainRequest<Metric, Achievement, Streak>): Promise<Explanation>
}

/** Gives `explain` its types: the reasons of an answer are those of its subject. */
export function toExplain(answer: (id: string, subject: unknown) => Promise<Explanation>): Explain {
  function explainTo(id: string, subject: ExplainAchievement): Promise<Explanation<AchievementReason>>
  function explainTo(id: string, subject: ExplainEvent): Promise<Explanation<EventReason>>
  function explainTo(id: string, subject: ExplainStreak): Promise<Explanation<StreakReason>>
  function explainTo(id: string, subject: ExplainRequest): Promise<Explanation>
  function explainTo(id: string, subject: ExplainRequest): Promise<Explanation> {
    return answer(id, subject)
  }
  return explainTo
}

/**
 * Why a user has an achievement, what an event did, what became of the streak on a date: found by folding the user's
 * log once more. Nothing is written.
 */
export async function explain(call: Call, id: unknown, request: unknown): Promise<Explanation> {
  const user = parseUserId(id)
  const subject = parse(explainRequest, request, 'subject')
  const key = { tenant: call.tenant, user }
  switch (subject.kind) {
    case 'achievement': {
      const { achievement } = subject
      const finding = await readHistory(call, key, (current) => explainAchievement(current, achievement))
      return { subject: { achievement }, ...inWords(finding, achievementSentence) }
    }
    case 'event': {
      const { event } = subject
      checkEventReference(event)
      const finding = await readHistory(call, key, (current) => explainEvent(current, event))
      return { subject: { event }, ...inWords(finding, eventSentence) }
    }
    case 'streak': {
      const { date, key: named } = subject
      const finding = await readHistory(call, key, (current) => explainStreak(current, date, named))
      const asked = { streak: toDateText(date), ...(named === null ? {} : { key: named }) }
      return { subject: asked, ...inWords(finding, streakSentence) }
    }
    default:
      return subject satisfies never
  }
}

function inWords<F extends Fact>({ holds, facts }: Finding<F>, toSentence: (fact: F) => string) {
  return { holds, reasons: facts.map((fact) => ({ ...fact, sentence: toSentence(fact) })) }
}

/**
 * The newest stored game, with a sentence for each of its rules; that of this process is stored first where it is new.
 */
export async function readCurrentGame({ games, storage }: Context): Promise<CurrentGameResponse> {
  await games.current()
  const newest = (await storage.games()).at(-1)
  if (newest === undefined) {
    throw new GamificationError('storage_unusable', 'The storage has no game yet. Call migrate() first.')
  }
  const { rules } = parseGame(newest.definition)
  const isNewest = newest.fingerprint === games.fingerprint
  return { ...toGameSummary(newest), isNewest, sentences: toGameSentences(rules) }
}
