import { GamificationError } from '../../errors.ts'
import { parseGame } from '../../game/compile.ts'
import { toDateText } from '../../rules/calendar.ts'
import type { Call, Context, CurrentGame } from '../../runtime/context.ts'
import type { CurrentGameResponse } from '../../shapes/operate.ts'
import { loadGames } from '../../sql/games.ts'
import { toGameSummary } from '../configuration/read-configuration.ts'
import { readIdempotencyKey } from '../events/requests.ts'
import { explainAchievement } from './achievement.ts'
import { explainEvent } from './event.ts'
import type { Explanation, Fact, Finding } from './facts.ts'
import { toGameSentences } from './game-sentences.ts'
import { type HistoryReader, readHistory } from './read-history.ts'
import type { ExplainRequest, ParsedSubject } from './requests.ts'
import { ACHIEVEMENT_SENTENCES, EVENT_SENTENCES, type Sentences, STREAK_SENTENCES, toSentence } from './sentences.ts'
import { explainStreak } from './streak.ts'

export async function explain(call: Call, user: string, subject: ParsedSubject): Promise<Explanation> {
  const explained = async <F extends Fact>(
    asked: ExplainRequest,
    sentences: Sentences<F>,
    begin: (current: CurrentGame) => HistoryReader<Finding<F>>,
  ) => {
    const { holds, facts } = await readHistory(call, { tenant: call.tenant, user }, begin)
    return { subject: asked, holds, reasons: facts.map((fact) => ({ ...fact, sentence: toSentence(sentences, fact) })) }
  }
  if ('achievement' in subject) {
    return explained(subject, ACHIEVEMENT_SENTENCES, (current) => explainAchievement(current, subject.achievement))
  }
  if ('event' in subject) {
    const { event } = subject
    if (typeof event !== 'string') readIdempotencyKey(event.idempotencyKey)
    return explained(subject, EVENT_SENTENCES, (current) => explainEvent(current, event))
  }
  const { streak: date, key = null } = subject
  const asked = { ...subject, streak: toDateText(date) }
  return explained(asked, STREAK_SENTENCES, (current) => explainStreak(current, date, key))
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
