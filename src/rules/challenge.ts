import { DAY, type Day, endOfDate, firstDayOf, type Instant, lastDayOf, periodOf, toDateText } from './calendar.ts'
import type { ChallengeRule, ChallengesFrom, Game, Quest } from './game.ts'
import { type UserState, zoneOf } from './state.ts'

/** The metric that counts the completed windows of a challenge, or its completed quests if it has a pool. */
export function challengeMetric(challenge: string): string {
  return `challenge:${challenge}`
}

/** Local dates, both included. */
export interface Span {
  readonly start: Day
  readonly end: Day | null
}

/** The first date of a window that has no beginning. */
export const ALWAYS: Day = 0

const FREQUENCIES = { day: 'daily', week: 'weekly', month: 'monthly' } as const

/** The window that a date lies in, or `null` if the challenge has none then. Not for windows of an enrolment. */
export function spanOn(rule: ChallengeRule, { weekStartsOn }: Pick<Game, 'weekStartsOn'>, date: Day): Span | null {
  const { start, end, every } = rule
  if ((start !== null && date < start) || (end !== null && date > end)) return null
  if (every === null) return { start: start ?? ALWAYS, end }
  const frequency = FREQUENCIES[every]
  const period = periodOf(frequency, weekStartsOn, date)
  const last = lastDayOf(frequency, weekStartsOn, period)
  return {
    start: Math.max(firstDayOf(frequency, weekStartsOn, period), start ?? Number.NEGATIVE_INFINITY),
    end: Math.min(last, end ?? last),
  }
}

/** The window of an enrolment on a date. */
export function spanFrom({ within, end }: ChallengeRule, date: Day): Span {
  if (within === null) return { start: date, end }
  const last = date + within - 1
  return { start: date, end: end === null ? last : Math.min(last, end) }
}

/** The instant at which the window of a date ends for a user, or `null` if it does not end. */
export function endOfWindow({ end }: Span, { profile }: Pick<UserState, 'profile'>): Instant | null {
  return end === null ? null : endOfDate(zoneOf(profile), end)
}

/**
 * The rule of a window, and its epoch. A challenge that repeats has the rule of the game that was in force when the
 * window began, so a deploy never changes a running window.
 */
export function ruleOfWindow(
  game: Game,
  rule: ChallengeRule,
  { start }: Span,
  { profile, epoch }: Pick<UserState, 'profile' | 'epoch'>,
): { readonly rule: ChallengeRule; readonly epoch: number } {
  if (rule.every === null || game.challengeGames.length < 2) return { rule, epoch }
  const began = endOfDate(zoneOf(profile), start - 1)
  const known = game.challengeGames.filter(({ challenges }) => challenges.get(rule.key)?.every === rule.every)
  const inForce = known.findLast(({ from }) => from <= began) ?? known[0]
  const earlier = inForce?.challenges.get(rule.key)
  return inForce === undefined || earlier === undefined ? { rule, epoch } : { rule: earlier, epoch: inForce.epoch }
}

/** The rule of a window that began under the game of `epoch`. */
export function ruleOfEpoch({ challengeGames }: Game, rule: ChallengeRule, epoch: number): ChallengeRule {
  if (rule.every === null || challengeGames.length < 2) return rule
  const earlier = challengeGames.find((each) => each.epoch === epoch)?.challenges.get(rule.key)
  return earlier?.every === rule.every ? earlier : rule
}

/** A window of a month, and a reward of it that waits as long, with the dates by which zones differ. */
const LONGEST_WINDOW = 31 + 31 + 3

/**
 * Gives each game the games before it whose windows may still run. `baselines` are the epochs of games that replaced all
 * before them.
 */
export function withChallengeGames(
  games: readonly ChallengesFrom[],
  baselines: readonly number[],
): ReadonlyMap<number, readonly ChallengesFrom[]> {
  const repeats = games.some(({ challenges }) => [...challenges.values()].some(({ every }) => every !== null))
  if (!repeats) return new Map()
  return new Map(
    games.map(({ epoch, from }, index) => {
      const first = Math.max(
        0,
        games.findLastIndex((each) => each.from <= from - LONGEST_WINDOW * DAY),
      )
      const baseline = baselines.findLast((each) => each <= epoch) ?? 0
      return [epoch, games.slice(first, index + 1).filter((each) => each.epoch >= baseline)]
    }),
  )
}

/* Which quests a window has: rendezvous hashing. */

const OFFSET = 0x811c9dc5
const PRIME = 0x01000193

/** FNV-1a of the UTF-16 code units of a text, continued from an earlier hash. */
function hashText(text: string, from: number): number {
  let hash = from
  for (let index = 0; index < text.length; index += 1) hash = Math.imul(hash ^ text.charCodeAt(index), PRIME)
  return hash
}

/** The last step of MurmurHash3, after which every bit depends on all others. */
function mix(hash: number): number {
  let mixed = hash ^ (hash >>> 16)
  mixed = Math.imul(mixed, 0x85ebca6b)
  mixed ^= mixed >>> 13
  mixed = Math.imul(mixed, 0xc2b2ae35)
  return (mixed ^ (mixed >>> 16)) >>> 0
}

/**
 * The hash of a quest: FNV-1a (32 bits) of the JSON text `[user, challenge, window, quest]`, then the last step of
 * MurmurHash3. `window` is the first date of the window, as `YYYY-MM-DD`.
 */
export function questHash(user: string, challenge: string, window: string, quest: string): number {
  return mix(hashText(JSON.stringify([user, challenge, window, quest]), OFFSET))
}

/** The quests of the pool, the highest hash first. */
export function orderQuests(rule: ChallengeRule, user: string, start: Day): readonly string[] {
  const window = toDateText(start)
  const hashes = rule.quests.map(({ key }) => [key, questHash(rule.isSame ? '' : user, rule.key, window, key)] as const)
  return hashes.sort(([a, left], [b, right]) => right - left || (a < b ? -1 : 1)).map(([key]) => key)
}

/** The keys of the quests that a window has at first: the highest hashes. Without a pool, the empty key. */
export function pickQuests(rule: ChallengeRule, user: string, start: Day): readonly string[] {
  return rule.pick === null ? [''] : orderQuests(rule, user, start).slice(0, rule.pick)
}

/** The quest that replaces one: the next by its hash. Returns `null` if none is left, or all rerolls are used. */
export function nextQuest(rule: ChallengeRule, user: string, start: Day, rerolls: number): string | null {
  if (rule.pick === null || rerolls >= rule.rerolls) return null
  return orderQuests(rule, user, start)[rule.pick + rerolls] ?? null
}

export function questOf({ quests }: ChallengeRule, key: string): Quest | null {
  return quests.find((quest) => quest.key === key) ?? null
}
