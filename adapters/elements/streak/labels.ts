import { LOADING_LABELS, type LoadingLabels } from '../parts/element.ts'
import type { Label } from '../parts/label.ts'

/** The texts of `<laurels-streak>`; in braces stands what is put in. */
export interface StreakLabels extends LoadingLabels {
  /** `{count}` */
  readonly daily: Label
  readonly weekly: Label
  readonly monthly: Label
  readonly noStreak: Label
  /** `{date}`: the last on which the streak can be extended. */
  readonly extendBy: Label
  readonly extendToday: Label
  /** The current period is done; `{date}`: until then comes the next. */
  readonly done: Label
  /** `{count}` and `{max}` */
  readonly freezes: Label
  /** `{dates}` */
  readonly pause: Label
  /** Of the calendar, `{dates}`. */
  readonly history: Label
  readonly legend: Label
  readonly kept: Label
  readonly frozen: Label
  readonly paused: Label
  readonly lost: Label
  /** The current day; `openWeek` and `openMonth` for streaks of weeks and months. */
  readonly open: Label
  readonly openWeek: Label
  readonly openMonth: Label
  readonly none: Label
  /** Of a period: `{date}`, `{state}` and the length as `{streak}`. */
  readonly period: Label
  /** Of a period without a streak: `{date}` and `{state}`. */
  readonly emptyPeriod: Label
}

export const STREAK_LABELS: StreakLabels = {
  ...LOADING_LABELS,
  daily: { one: '{count} day', other: '{count} days' },
  weekly: { one: '{count} week', other: '{count} weeks' },
  monthly: { one: '{count} month', other: '{count} months' },
  noStreak: 'No active streak. Start a new one any time.',
  extendBy: 'Extend it by {date} to keep it.',
  extendToday: 'Extend it today to keep it.',
  done: 'Done for now. Come back by {date}.',
  freezes: { one: '{count} of {max} freezes', other: '{count} of {max} freezes' },
  pause: 'Paused: {dates}',
  history: 'Streak, {dates}',
  legend: 'Legend',
  kept: 'kept',
  frozen: 'saved by a freeze',
  paused: 'paused',
  lost: 'lost',
  open: 'today',
  openWeek: 'this week',
  openMonth: 'this month',
  none: 'no streak',
  period: '{date}: {state}, {streak}',
  emptyPeriod: '{date}: {state}',
}
