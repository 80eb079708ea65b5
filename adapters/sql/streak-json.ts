import { toDateText } from '../../src/rules/calendar.ts'
import type { LostStreak, Pause, UserState } from '../../src/rules/state.ts'
import { toDay } from './stored-text.ts'

type LostJson = Omit<LostStreak, 'started'> & { readonly started: string | null }

/** The column `streak_lost` of a user's row. Its members have one order, because rows are compared by their text. */
export function toLostJson(lost: LostStreak | null): string | null {
  if (lost === null) return null
  const { length, last, missed, started, firstAt, extendedAt } = lost
  const date = started === null ? null : toDateText(started)
  const json: LostJson = { length, last, missed, started: date, firstAt, extendedAt }
  return JSON.stringify(json)
}

export function fromLostJson(text: string | null): LostStreak | null {
  if (text === null) return null
  const json = JSON.parse(text) as LostJson
  return { ...json, started: json.started === null ? null : toDay(json.started) }
}

interface PauseJson {
  readonly id: string
  readonly start: string
  readonly end: string
}

export function toPausesJson(pauses: UserState['pauses']): string {
  if (pauses.length === 0) return '[]'
  const json: PauseJson[] = pauses.map(({ id, start, end }) => ({ id, start: toDateText(start), end: toDateText(end) }))
  return JSON.stringify(json)
}

export function fromPausesJson(text: string): UserState['pauses'] {
  const json = JSON.parse(text) as readonly PauseJson[]
  return json.map(({ id, start, end }): Pause => ({ id, start: toDay(start), end: toDay(end) }))
}
