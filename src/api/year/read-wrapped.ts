import { gameFor } from '../../answers/achievements.ts'
import { toLeaderboard } from '../../answers/leaderboards.ts'
import { toUser } from '../../answers/users.ts'
import { GamificationError } from '../../errors.ts'
import { isAlive } from '../../record/ranks/ranks.ts'
import {
  type DateRange,
  type LogRange,
  logRangeOf,
  readAwardedOf,
  readEventsOf,
  readParts,
  WHOLE_LOG,
} from '../../record/replay/log-range.ts'
import { readStart } from '../../record/replay/replay-start.ts'
import { afterDate, beforeDate, type Day, type Instant, localDate, yearOf } from '../../rules/calendar.ts'
import type { Game } from '../../rules/game.ts'
import {
  isConcealed,
  isRunOf,
  type Run,
  rankedAt,
  runById,
  toScore,
  visibleLeaderboards,
} from '../../rules/leaderboard.ts'
import { zoneOf } from '../../rules/state.ts'
import { isOffLeaderboard } from '../../rules/visibility.ts'
import type { Call, Context } from '../../runtime/context.ts'
import { type After, createPause } from '../../runtime/pages.ts'
import type { YearSums } from '../../runtime/year-cache.ts'
import type { Wrapped } from '../../shapes/year.ts'
import { type AwardCursor, loadAwardValues } from '../../sql/awards.ts'
import { findEntries, loadEventValues, type TenantCursor } from '../../sql/log.ts'
import { loadSnapshot } from '../../sql/read-user.ts'
import type { UserKey } from '../../storage/rows.ts'
import { runSteps } from '../../storage/steps.ts'
import type { Storage } from '../../storage/storage.ts'
import { replayEntries } from '../events/read-events.ts'
import { type Entered, readUserRanks } from '../leaderboards/read-user-leaderboard.ts'
import { readUser, type UserInGame } from '../users/read-user.ts'
import {
  type ActiveDays,
  type ActivitySums,
  addAwarded,
  addEvents,
  type Compared,
  comparedYear,
  datesOfYear,
  findMostActive,
  getOrCreate,
  sumDays,
} from './active-days.ts'
import { type KeyPercentiles, percentilesIn, periodsOfYear, startYearSums } from './percentiles.ts'
import type { ParsedWrappedRequest } from './requests.ts'
import { type DatedCompletion, type Percentiles, toActivity, type YearFacts, type YearRank } from './wrapped.ts'

/** A leaderboard may have a run every day, and each rank is counted. */
const CHUNK = 10

type EnteredRun = Entered & { readonly run: Run }

async function readYearRanks(
  { storage, now }: Context,
  read: UserInGame,
  range: DateRange,
  includePrivate: boolean,
): Promise<readonly YearRank[]> {
  const entered = enteredRuns(read, range, now(), includePrivate)
  const today = localDate('UTC', read.at)
  const yearRanks: YearRank[] = []
  const pause = createPause()
  for (let first = 0; first < entered.length; first += CHUNK) {
    await pause()
    const some = entered.slice(first, first + CHUNK)
    const ranks = await readUserRanks(storage, read.key, some)
    for (const [index, { leaderboard, run, entry }] of some.entries()) {
      const place = { rank: ranks[index] ?? null, value: toScore(leaderboard, entry.value) }
      yearRanks.push({ run, answer: { ...toLeaderboard(read.game, leaderboard, run, today), ...place } })
    }
  }
  return yearRanks
}

/** In the game's order. Streaks that have expired have no rank. */
function enteredRuns(
  { game, state, storedUser, at: readAt }: UserInGame,
  { from, to }: DateRange,
  now: Instant,
  includePrivate: boolean,
): readonly EnteredRun[] {
  const today = localDate(zoneOf(state.profile), readAt)
  return visibleLeaderboards(game, includePrivate).flatMap((leaderboard) => {
    if (isConcealed(leaderboard, today) || isOffLeaderboard(game, state, leaderboard)) return []
    const at = rankedAt(leaderboard, now)
    return storedUser.leaderboards
      .filter((row) => row.leaderboard === leaderboard.key && isRunOf(leaderboard, row.run) && isAlive(row, at))
      .map((entry): EnteredRun => ({ leaderboard, run: runById(leaderboard, entry.run), entry, at }))
      .filter(({ run }) => run.from <= to && (run.to === null || run.to >= from))
  })
}

/**
 * The sums of all users of a tenant in a year. All callers share one read for ten minutes. Returns `null` if the tenant
 * has more events than `mostEvents`.
 */
function readYearSums(
  { storage, wrapped: { mostEvents }, yearSums, tenant }: Call,
  year: number,
  game: Game,
): Promise<YearSums | null> {
  const { weekStartsOn } = game
  return yearSums.find(JSON.stringify([tenant, year, weekStartsOn]), async () => {
    const summing = startYearSums(game, periodsOfYear(year, weekStartsOn))
    const skip = skipTo(datesOfYear(year))
    let events = 0
    await readParts(
      async (after: After<TenantCursor>) => skip(await loadEventValues(storage, tenant, after)),
      ({ values }) => {
        events += values.length
        summing.seeEvents(values)
        return events <= mostEvents
      },
    )
    if (events > mostEvents) return null
    await readParts(
      async (after: After<AwardCursor>) => skip(await loadAwardValues(storage, tenant, after)),
      ({ values }) => {
        summing.seeAwards(values)
        return true
      },
    )
    return summing.end()
  })
}

/** Passes over the lines of a user that are before or after the range. */
function skipTo({ from, to }: DateRange) {
  const [first, last] = [beforeDate(from), afterDate(to)]
  return <Part extends { readonly last: TenantCursor | null }>(part: Part): Part => {
    const place = part.last
    if (place === null) return part
    if (place.at > last) return { ...part, last: { ...place, at: Number.MAX_SAFE_INTEGER } }
    return place.at < first ? { ...part, last: { ...place, at: first, seq: 0 } } : part
  }
}

export async function readWrapped(
  call: Call,
  id: string,
  { year: asked, includePrivate }: ParsedWrappedRequest,
): Promise<Wrapped> {
  const read = await readUser(call, id, { periods: { streak: null }, leaderboards: {} })
  const { key, game, state, at, storedUser } = read
  const year = checkYear(asked, yearOf(localDate(zoneOf(state.profile), at)))
  const dates = datesOfYear(year)
  const days = await readDays(call, read, { from: datesOfYear(year - 1).from, to: dates.to })
  const most = findMostActive(days, year, game.weekStartsOn)
  const completed = await readCompleted(call, read, dates)
  const isCompleted = ({ date }: DatedCompletion): boolean => date >= dates.from && date <= dates.to
  const isActive = most.periods !== null || [...completed.values()].flat().some(isCompleted)
  const ranks = isActive ? await readYearRanks(call, read, dates, includePrivate) : []
  // The last, since nothing puts off the deadline of a call that waits for another's reading.
  const percentiles = await readPercentiles(call, year, game, { days, most })
  const shown = {
    game: gameFor(call, game, state),
    state,
    periods: storedUser.periods,
    ever: sumDays(game, days, ALWAYS),
  }
  const facts = { ...shown, year, days, most, completed, ranks, percentiles }
  return { user: toUser(game, key, state), activity: toActivity(facts) }
}

const ALWAYS: DateRange = { from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY }

function checkYear(asked: number | undefined, current: number): number {
  if (asked === undefined || asked <= current) return asked ?? current
  const message = `must be at most ${current}, the current year in the user's time zone`
  throw new GamificationError('invalid_request', `Invalid request: year: ${message}.`, {
    issues: [{ path: 'year', message }],
  })
}

/** Reads the user's activity on the dates of a range, by date. If events have attributes, it reads every event. */
async function readDays({ storage }: Context, { key, game }: UserInGame, range: DateRange): Promise<ActiveDays> {
  const logRange = logRangeOf(range)
  const days = await readEventDays(storage, key, game, logRange)
  for (const system of game.points.keys()) {
    addAwarded(days, system, await readAwardedOf(storage, key, system, logRange))
  }
  return new Map([...days].sort(([left], [right]) => left - right))
}

/**
 * The answer says of each attribute value what all events ever added, which no state has: then the whole log is read.
 */
async function readEventDays(
  storage: Storage,
  key: UserKey,
  game: Game,
  logRange: LogRange,
): Promise<Map<Day, ActivitySums>> {
  const days = new Map<Day, ActivitySums>()
  let isEnough = true
  await readEventsOf(storage, key, logRange, (events) => {
    addEvents(game, days, events)
    isEnough = logRange === WHOLE_LOG || events.every(({ attributes }) => attributes.size === 0)
    return isEnough
  })
  return isEnough ? days : readEventDays(storage, key, game, WHOLE_LOG)
}

/** Returns `null` if there was no event in the year, or there are more than are compared. */
async function readPercentiles(
  call: Call,
  year: number,
  game: Game,
  { days, most: { periods } }: Pick<YearFacts, 'days' | 'most'>,
): Promise<Percentiles | null> {
  if (periods === null) return null
  const sums = await readYearSums(call, year, game)
  if (sums === null) return null
  const namePeriods = periodsOfYear(year, game.weekStartsOn)
  const of = ({ now }: Compared, unit: 0 | 1 | 2): KeyPercentiles =>
    percentilesIn(game, sums.get(namePeriods(now.from)[unit] ?? ''), sumDays(game, days, now))
  return { week: of(periods.week, 0), month: of(periods.month, 1), year: of(comparedYear(year), 2) }
}

/** Completions with their local dates: of each achievement the newest, and of one that repeats all of a range. */
async function readCompleted(
  { storage }: Context,
  read: UserInGame,
  range: DateRange,
): Promise<YearFacts['completed']> {
  const { completions } = read.state
  const ids = [...completions.values()].map(({ entryId }) => entryId)
  const dates = new Map((await findEntries(storage, read.key.tenant, ids)).map(({ id, date }) => [id, date]))
  const completed = new Map<string, readonly DatedCompletion[]>()
  for (const [achievement, { at, count, entryId }] of completions) {
    const date = dates.get(entryId)
    if (date !== undefined) completed.set(achievement, [{ date, at, count }])
  }
  const isEarlierThere = [...completed.values()].flat().some(({ count, date }) => count > 1 && date >= range.from)
  if (!isEarlierThere) return completed
  return new Map([...completed, ...(await replayCompletions(storage, read, range))])
}

/** The completions of a range. Only a replay knows those before the newest of an achievement that repeats. */
async function replayCompletions(
  storage: Storage,
  user: UserInGame,
  range: DateRange,
): Promise<Map<string, DatedCompletion[]>> {
  const { after, until: last } = logRangeOf(range)
  const start = await runSteps(readStart((at) => loadSnapshot(storage, user.key, at), user, after?.at ?? 0))
  const made = new Map<string, DatedCompletion[]>()
  await replayEntries(storage, user.key, user, { start, last }, ({ entry, decided }) => {
    for (const change of decided.changes) {
      if (change.type === 'achievementRevoked') made.delete(change.achievement)
      if (change.type !== 'achievementCompleted' || !user.state.completions.has(change.achievement)) continue
      const own = getOrCreate(made, change.achievement, () => [])
      own.push({ date: entry.dating.date, at: change.at, count: change.count ?? 1 })
    }
  })
  return made
}
