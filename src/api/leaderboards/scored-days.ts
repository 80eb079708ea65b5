import type { ScoredDay } from '../../answers/leaderboards.ts'
import type { OpenSnapshot } from '../../record/accept/derived-rows.ts'
import { isAlive } from '../../record/ranks/ranks.ts'
import { behind, readAwardedOf, readValuesOf } from '../../record/replay/log-range.ts'
import { compareCursors } from '../../record/replay/read-log.ts'
import { readStart } from '../../record/replay/replay-start.ts'
import { afterDate, beforeDate, type Instant } from '../../rules/calendar.ts'
import type { AppliedEntry } from '../../rules/fold.ts'
import type { Leaderboard } from '../../rules/game.ts'
import { entryOf, nextValue, type Run } from '../../rules/leaderboard.ts'
import { add } from '../../rules/total.ts'
import { createPause, type YieldTurn } from '../../runtime/pages.ts'
import { type DatedValue, loadLog } from '../../sql/log.ts'
import { loadSnapshot } from '../../sql/read-user.ts'
import { runSteps } from '../../storage/steps.ts'
import type { Storage } from '../../storage/storage.ts'
import { replayEntries } from '../events/read-events.ts'
import type { UserInGame } from '../users/read-user.ts'

interface RunAsked {
  readonly leaderboard: Leaderboard
  readonly run: Run
}

/** One reading of the log: from a snapshot, or `null` for the beginning, to the instant after which the run is over. */
interface Reading extends RunAsked {
  readonly user: UserInGame
  readonly start: OpenSnapshot | null
  readonly end: Instant
  readonly pause: YieldTurn
}

/**
 * The newest days on which the user's value in a run changed, oldest first and at most `most`. No row stores them, so
 * the log is read from a snapshot. The read starts at the newest snapshot, and then at one further back, until it has
 * enough days. A lost streak shows in the next item, which then starts from null.
 */
export async function readScoredDays(
  storage: Storage,
  user: UserInGame,
  { leaderboard, run }: RunAsked,
  most: number,
): Promise<readonly ScoredDay[]> {
  const pause = createPause()
  // The instant after which a run does not change. Under an earlier game the leaderboard may have ended later.
  const isOpen = run.to === null || run.to === leaderboard.end
  const end = isOpen ? Number.MAX_SAFE_INTEGER : afterDate(run.to + MOST_LATER)
  const newest = Math.min(end, user.state.at)
  for (let until = end; ; ) {
    const start: OpenSnapshot | null = await runSteps(
      readStart((at) => loadSnapshot(storage, user.key, at), user, until),
    )
    const reading = { user, leaderboard, run, start, end, pause }
    const days = (await addValues(storage, reading)) ?? (await replayDays(storage, reading))
    // Lines before the snapshot may have the same date. Streaks score before their leaderboard starts.
    const whole = days.filter(({ date, before, value }) => {
      return before !== value && date >= run.from && (start === null || start.at <= beforeDate(date))
    })
    if (start === null || whole.length >= most || start.at <= beforeDate(run.from)) return whole.slice(-most)
    const times = Math.max(2, most / Math.max(1, whole.length))
    until = Math.min(start.at - 1, Math.floor(newest - times * (newest - start.at)))
  }
}

/**
 * How many days later a run may have ended under an earlier game: a start on another day of the month clips the ends of
 * months differently.
 */
const MOST_LATER = 3

/**
 * The days by the values of the events or awards alone, which costs a tenth of a replay. The score is nothing but these
 * values, in the order of the log and on the dates of their entries. Returns null if it is more than that: a streak, a
 * part of each day, or the leaderboard was another one on the way.
 */
async function addValues(
  storage: Storage,
  { user, leaderboard, run, start, end, pause }: Reading,
): Promise<readonly ScoredDay[] | null> {
  const { metric, system, startTime, endTime } = leaderboard
  const read = metric !== null ? readValuesOf : readAwardedOf
  const key = metric ?? system
  if (key === null || startTime !== null || endTime !== null) return null
  if (!(await isScoredAlike(storage, user, leaderboard, start))) return null
  const after = start === null ? null : { at: start.at, seq: start.seq }
  const values = await read(storage, user.key, key, { after, until: behind(end) }, pause)
  const isCounted = ({ seq, date }: DatedValue): boolean =>
    seq <= user.state.seq && date >= run.from && (run.to === null || date <= run.to)
  const days: ScoredDay[] = []
  let value = start === null ? undefined : entryOf(start.state, leaderboard, run.id)?.value
  for (const { at, date, value: added } of sumEntries(values.filter(isCounted))) {
    const before = value ?? null
    value = nextValue(leaderboard, value, added)
    addDay(days, { date, at, before, value })
  }
  return days
}

/** True if all games of the lines behind a snapshot score the leaderboard in the same way. */
async function isScoredAlike(
  storage: Storage,
  { key, games, baselineEpoch }: UserInGame,
  leaderboard: Leaderboard,
  start: OpenSnapshot | null,
): Promise<boolean> {
  const first = start?.state ?? (await loadLog(storage, key, { limit: 1 }))[0]
  const since = Math.max(baselineEpoch, first?.epoch ?? 0)
  return [...games].every(([epoch, game]) => {
    const own = game.leaderboards.get(leaderboard.key)
    const { version, start, end } = leaderboard
    return epoch < since || (own?.version === version && own.start === start && own.end === end)
  })
}

/** The awards of one entry are one change of the score. */
function sumEntries(values: readonly DatedValue[]): readonly DatedValue[] {
  const sums: DatedValue[] = []
  for (const line of values) {
    const last = sums.at(-1)
    if (last === undefined || compareCursors(last, line) !== 0) sums.push(line)
    else sums[sums.length - 1] = { ...last, value: add(last.value, line.value) }
  }
  return sums
}

/** The days by a replay, which knows every score. */
async function replayDays(
  storage: Storage,
  { user, leaderboard, run, start, end, pause }: Reading,
): Promise<readonly ScoredDay[]> {
  const days: ScoredDay[] = []
  const see = ({ entry: { at, dating }, decided }: AppliedEntry): void => {
    for (const change of decided.changes) {
      if (change.type !== 'leaderboardScored' || change.leaderboard !== leaderboard.key) continue
      const { entry, previous } = change
      const before = previous !== null && isAlive(previous, at) ? previous.value : null
      if (entry.run === run.id) addDay(days, { date: dating.date, at, before, value: entry.value })
    }
  }
  await replayEntries(storage, user.key, user, { start, last: behind(end) }, see, pause)
  return days
}

function addDay(days: ScoredDay[], { date, at, before, value }: ScoredDay): void {
  if (before === value) return
  const last = days.at(-1)
  // A date may come back by a change of zone: it continues with the day that is open.
  if (last !== undefined && date <= last.date) days[days.length - 1] = { ...last, at, value }
  else days.push({ date, at, before, value })
}
