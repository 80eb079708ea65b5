import type { Frequency, WeekStart } from './calendar.ts'
import { type Day, firstDayOf, lastDayOf, type Period } from './calendar.ts'
import type { Pause } from './state.ts'

/** In dates. A longer pause is made of several. */
export const LONGEST_PAUSE = 366

/**
 * For how many days a pause is kept after its end: no rule looks back further than two months and what zones differ by.
 */
const KEPT_DAYS = 70

/** Whether any date of a period is paused: then the period cannot be missed. */
export function isPaused(
  pauses: readonly Pause[],
  frequency: Frequency,
  weekStartsOn: WeekStart,
  period: Period,
): boolean {
  if (pauses.length === 0) return false
  const first = firstDayOf(frequency, weekStartsOn, period)
  const last = lastDayOf(frequency, weekStartsOn, period)
  return pauses.some(({ start, end }) => start <= last && end >= first)
}

/** The pauses with one more, without those that are long over. */
export function addPause(pauses: readonly Pause[], pause: Pause, today: Day): readonly Pause[] {
  return [...pauses.filter(({ end }) => end >= today - KEPT_DAYS), pause]
}

/** The pauses without one. Its dates before today stay, since past periods were judged by them. */
export function removePause(pauses: readonly Pause[], id: string, today: Day): readonly Pause[] {
  return pauses.flatMap((pause) => {
    if (pause.id !== id || pause.end < today) return [pause]
    return pause.start < today ? [{ ...pause, end: today - 1 }] : []
  })
}
