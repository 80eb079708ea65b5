import { afterDate, beforeDate, type Instant } from '../../../rules/calendar.ts'
import type { Change } from '../../../rules/change.ts'
import type { Entry } from '../../../rules/entry.ts'
import type { Leaderboard } from '../../../rules/game.ts'
import type { Run } from '../../../rules/leaderboard.ts'
import type { UserState } from '../../../rules/state.ts'
import type { UserKey } from '../../../storage-rows.ts'
import { type FoldedSnapshot, stateText } from '../../accept/snapshot.ts'
import type { ScoredDay } from '../../answers/leaderboard.ts'
import { isAlive } from '../../ranks/moves.ts'
import { readStart } from '../../replay/read-start.ts'
import type { Context } from '../../types.ts'
import { readSteps, type Steps } from './read-steps.ts'
import type { ReadUser } from './read-user.ts'

type Scored = Extract<Change, { readonly type: 'leaderboardScored' }>

/**
 * The newest days on which the user's value in a run changed, oldest first and at most `most`: nobody keeps these, so the
 * log is folded, the lines behind the newest snapshot first, then those between it and the one before, until there are
 * enough. A streak that was lost shows in the next item, which then starts from null.
 */
export async function readScoredDays(
  { storage }: Context,
  key: UserKey,
  user: ReadUser,
  { leaderboard, run }: { readonly leaderboard: Leaderboard; readonly run: Run },
  most: number,
): Promise<readonly ScoredDay[]> {
  const until = endOf(leaderboard, run)
  const days: ScoredDay[] = []
  let end: FoldedSnapshot | null = null
  for (;;) {
    const start: FoldedSnapshot | null = await readStart(storage, key, user, end === null ? until : end.at - 1)
    const part: Part = await readPart({ start, last: end ?? { at: until, seq: Number.MAX_SAFE_INTEGER } })
    // Somebody has changed lines before those that were read: the log is read as a whole.
    if (end !== null && !leadsTo(part, end)) break
    for (const day of days.splice(0, days.length, ...part.days)) addDay(days, day)
    // Of a date that lines before may have too, more has to be known.
    const whole = shown(days).filter(({ date }) => start === null || start.at <= beforeDate(date))
    if (start === null || whole.length >= most || start.at <= beforeDate(run.from)) return whole.slice(-most)
    end = start
  }
  return shown((await readPart({ start: null, last: { at: until, seq: Number.MAX_SAFE_INTEGER } })).days).slice(-most)

  async function readPart(steps: Steps): Promise<Part> {
    const found: ScoredDay[] = []
    const state = await readSteps(storage, key, user, steps, (_, changes, entry) => {
      for (const change of changes) {
        const isOfBoard = change.type === 'leaderboardScored' && change.leaderboard === leaderboard.key
        if (isOfBoard && change.entry.run === run.id) addScored(found, entry, change)
      }
    })
    return { days: found, state }
  }

  // Streaks are kept for a leaderboard that has not started yet.
  function shown(all: readonly ScoredDay[]): readonly ScoredDay[] {
    return all.filter(({ date, before, value }) => before !== value && date >= run.from)
  }
}

/** What was found between two places of a log, and the state at the second. */
interface Part {
  readonly days: readonly ScoredDay[]
  readonly state: UserState | null
}

function leadsTo({ state }: Part, end: FoldedSnapshot): boolean {
  return state !== null && stateText(state) === stateText(end.state)
}

/** So many days later a run may have ended under an earlier game: where its start falls in a month moves the ends of months. */
const MOST_LATER = 3

/** When nothing of a run is to come any more. Under an earlier game the leaderboard may have ended later. */
function endOf({ end }: Leaderboard, { to }: Run): Instant {
  return to === null || to === end ? Number.MAX_SAFE_INTEGER : afterDate(to + MOST_LATER)
}

function addScored(days: ScoredDay[], { at, dating: { date } }: Entry, { entry: { value }, previous }: Scored): void {
  const before = previous !== null && isAlive(previous, at) ? previous.value : null
  if (before !== value) addDay(days, { date, at, before, value })
}

function addDay(days: ScoredDay[], { date, at, before, value }: ScoredDay): void {
  const last = days.at(-1)
  // A date may come back by a change of zone: it goes on with the day that is open.
  if (last !== undefined && date <= last.date) days[days.length - 1] = { ...last, at, value }
  else days.push({ date, at, before, value })
}
