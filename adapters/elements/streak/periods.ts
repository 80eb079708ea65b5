import type { UserStreak } from '../../../src/api/streaks/types.ts'

/** `open`: the current period, in which the streak can still be extended. `none`: there was no streak, and none was lost. */
export type PeriodState = 'kept' | 'frozen' | 'paused' | 'lost' | 'open' | 'none'

export interface ShownPeriod {
  readonly start: string
  readonly end: string
  /** Of the streak, in periods. */
  readonly length: number
  readonly state: PeriodState
}

/** An answer of the API has no more. */
const MOST_PERIODS = 400

/** What became of each period of the history, the oldest first. The last is the user's own today, this week or this month. */
export function toPeriods({
  streakHistory,
  pauses,
  expires,
}: Pick<UserStreak, 'streakHistory' | 'pauses' | 'expires'>): readonly ShownPeriod[] {
  return streakHistory
    .map((item, index): ShownPeriod => {
      const { periodStart: start, periodEnd: end, length } = item
      const before = streakHistory[index - 1]?.length
      const isCurrent = index === streakHistory.length - 1
      const state = (): PeriodState => {
        if (item.usedFreeze === true) return 'frozen'
        if (item.usedPause) return 'paused'
        if (!isCurrent) return length > 0 ? 'kept' : (before ?? 0) > 0 ? 'lost' : 'none'
        // Until it is extended the current period has the length of the one before.
        const isExtended = before === undefined ? expires !== null && expires > end : length !== before
        if (length > 0 && isExtended) return 'kept'
        return pauses.some((pause) => pause.start <= start && start <= pause.end) ? 'paused' : 'open'
      }
      return { start, end, length, state: state() }
    })
    .slice(-MOST_PERIODS)
}
