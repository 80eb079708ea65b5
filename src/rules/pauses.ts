import { type Day, type Frequency, firstDayOf, lastDayOf, type Period, type WeekStart } from './calendar.ts'
import type { Pause } from './state.ts'

export const LONGEST_PAUSE = 366

/** No rule looks back further than two months and what zones differ by. */
const KEPT_DAYS = 70

/** True if any date of a period is paused: then the period cannot be missed. */
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

export function addPause(pauses: readonly Pause[], { id, start, end }: Pause, today: Day): readonly Pause[] {
  return [...pauses.filter((each) => each.end >= today - KEPT_DAYS), { id, start, end }]
}

/** The pauses without one. Its dates before today stay, since past periods were judged by them. */
export function removePause(pauses: readonly Pause[], id: string, today: Day): readonly Pause[] {
  return pauses.flatMap((pause) => {
    if (pause.id !== id || pause.end < today) return [pause]
    return pause.start < today ? [{ ...pause, end: today - 1 }] : []
  })
}
