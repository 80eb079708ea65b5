import type { JSX } from 'preact'
import { formatDate } from './format.ts'

interface TimeProps {
  /** ISO 8601. */
  readonly at: string
  /** The user's zone, an IANA name. If its time differs from the viewer's, both are shown. */
  readonly zone?: string | null
  readonly class?: string
}

const WHOLE = { dateStyle: 'medium', timeStyle: 'short' } as const
const DAY = { month: 'short', day: 'numeric' } as const
const HOUR = { timeStyle: 'short' } as const

/** An instant in the viewer's zone, and in the user's if that is another. */
export function Time({ at, zone = null, class: name }: TimeProps): JSX.Element {
  const instant = new Date(at)
  const theirs = zone === null ? null : toTheirs(instant, zone)
  return (
    <time class={name} dateTime={at} title={at}>
      {formatOf(WHOLE, null).format(instant)}
      {theirs !== null && <span class="muted theirs"> ({theirs})</span>}
    </time>
  )
}

export function Since({ at }: Pick<TimeProps, 'at'>): JSX.Element {
  return (
    <span class="muted">
      since <Time at={at} />
    </span>
  )
}

/** The time in a zone, with the day if it differs. Returns `null` if it is the viewer's time. */
function toTheirs(instant: Date, zone: string): string | null {
  const [own, other] = [null, zone].map((each) => formatOf(WHOLE, each).format(instant))
  if (own === other) return null
  const [day, otherDay] = [null, zone].map((each) => formatOf(DAY, each).format(instant))
  const time = formatOf(HOUR, zone).format(instant)
  return `${day === otherDay ? '' : `${otherDay}, `}${time} ${toPlace(zone)}`
}

/** `Sao Paulo` of `America/Sao_Paulo`. */
function toPlace(zone: string): string {
  return (zone.split('/').at(-1) ?? zone).replaceAll('_', ' ')
}

/** The local date, `YYYY-MM-DD`. `zone` `null`: UTC. */
export function toLocalDate(instant: Date, zone: string | null): string {
  const parts = { year: 'numeric', month: '2-digit', day: '2-digit' } as const
  return formatOf(parts, zone ?? 'UTC', 'en-CA').format(instant)
}

/** `zone` `null`: the viewer's. Zones that the browser does not know become UTC. */
function formatOf(options: Intl.DateTimeFormatOptions, zone: string | null, locale = 'en-GB'): Intl.DateTimeFormat {
  try {
    return new Intl.DateTimeFormat(locale, zone === null ? options : { ...options, timeZone: zone })
  } catch {
    return new Intl.DateTimeFormat(locale, { ...options, timeZone: 'UTC' })
  }
}

/** The dates of a run of a leaderboard, `YYYY-MM-DD`, both included. They are local dates of each participant. */
export function toRunText({ start, end }: { readonly start: string; readonly end: string | null }): string {
  if (end === null) return `since ${formatDate(start)}`
  return start === end ? formatDate(start) : `${formatDate(start)} – ${formatDate(end)}`
}
