import type { JSX } from 'preact'
import { formatDate } from './format.ts'
import { Badge } from './person.tsx'

interface RunDatesProps {
  /** `YYYY-MM-DD`, both included; an end of null: it never ends. */
  readonly start: string
  readonly end: string | null
}

/** The dates of a run of a leaderboard: local dates of each participant. */
export function RunDates({ start, end }: RunDatesProps): JSX.Element {
  return <span>{toRunText({ start, end })}</span>
}

export function toRunText({ start, end }: RunDatesProps): string {
  if (end === null) return `since ${formatDate(start)}`
  return start === end ? formatDate(start) : `${formatDate(start)} – ${formatDate(end)}`
}

interface StatusBadgeProps {
  readonly status: 'scheduled' | 'active' | 'finished'
}

export function StatusBadge({ status }: StatusBadgeProps): JSX.Element {
  return <Badge tone={status === 'active' ? 'good' : status === 'scheduled' ? 'ice' : 'quiet'}>{status}</Badge>
}
