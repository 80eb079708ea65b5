import { GamificationError } from '../../errors.ts'
import { parseGame } from '../../game/compile.ts'
import { toDateText } from '../../rules/calendar.ts'
import type { Call, Context, CurrentGame } from '../../runtime/context.ts'
import type { CurrentGameResponse } from '../../shapes/operate.ts'
import { loadGames } from '../../sql/games.ts'
import { toGameSummary } from '../configuration/read-configuration.ts'
import { readIdempotencyKey } from '../events/requests.ts'
import { explainAchievement } from './achievement.ts'
import { explainBalance } from './balance.ts'
import { explainChallenge } from './challenge.ts'
import { explainEvent } from './event.ts'
import type { Explanation, Fact, Finding } from './facts.ts'
import { toGameSentences } from './game-sentences.ts'
import { explainLeaderboard } from './leaderboard.ts'
import { type HistoryReader, readHistory } from './read-history.ts'
import type { ExplainRequest, ParsedSubject } from './requests.ts'
import {
  ACHIEVEMENT_SENTENCES,
  BALANCE_SENTENCES,
  CHALLENGE_SENTENCES,
  EVENT_SENTENCES,
  LEADERBOARD_SENTENCES,
  type Sentences,
  STREAK_SENTENCES,
  toSentence,
} from './sentences.ts'
import { explainStreak } from './streak.ts'

export async function explain(call: Call, user: string, subject: ParsedSubject): Promise<Explanation> {
  const answer = <F extends Fact>(asked: ExplainRequest, sentences: Sentences<F>, { holds, facts }: Finding<F>) => {
    return { subject: asked, holds, reasons: facts.map((fact) => ({ ...fact, sentence: toSentence(sentences, fact) })) }
  }
  const read = <F extends Fact>(begin: (current: CurrentGame) => HistoryReader<Finding<F>>): Promise<Finding<F>> =>
    readHistory(call, { tenant: call.tenant, user }, begin)
  if ('achievement' in subject) {
    const found = await read((current) => explainAchievement(current, subject.achievement))
    return answer(subject, ACHIEVEMENT_SENTENCES, found)
  }
  if ('event' in subject) {
    const { event } = subject
    if (typeof event !== 'string') readIdempotencyKey(event.idempotencyKey)
    return answer(subject, EVENT_SENTENCES, await read((current) => explainEvent(current, event)))
  }
  if ('leaderboard' in subject) {
    const { leaderboard, run } = subject
    const asked = { leaderboard, ...(run === undefined ? {} : { run: toDateText(run) }) }
    return answer(asked, LEADERBOARD_SENTENCES, await explainLeaderboard(call, user, subject))
  }
  if ('challenge' in subject) {
    return answer(subject, CHALLENGE_SENTENCES, await explainChallenge(call, user, subject.challenge))
  }
  if ('balance' in subject) return answer(subject, BALANCE_SENTENCES, await explainBalance(call, user, subject.balance))
  const { streak: date, key = null } = subject
  const found = await read((current) => explainStreak(current, date, key))
  return answer({ ...subject, streak: toDateText(date) }, STREAK_SENTENCES, found)
}

/** The game of this process is stored first if it is new. */
export async function readCurrentGame({ games, storage }: Context): Promise<CurrentGameResponse> {
  await games.current()
  const newest = (await loadGames(storage)).at(-1)
  if (newest === undefined) {
    throw new GamificationError('storage_unusable', 'The storage has no game yet. Call migrate() first.')
  }
  const { rules } = parseGame(newest.definition)
  const isNewest = newest.fingerprint === games.fingerprint
  return { ...toGameSummary(newest), isNewest, sentences: toGameSentences(rules) }
}
