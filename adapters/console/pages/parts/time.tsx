import type { JSX } from 'preact'

interface TimeProps {
  /** ISO 8601. */
  readonly at: string
  /** The user's zone, an IANA name; its time stands beside the viewer's where they differ. */
  readonly zone?: string | null
}

const formats = new Map<string, Intl.DateTimeFormat>()
const WHOLE = { dateStyle: 'medium', timeStyle: 'short' } as const
const DAY = { month: 'short', day: 'numeric' } as const
const HOUR = { timeStyle: 'short' } as const

/** An instant in the viewer's zone, and in the user's where that is another. */
export function Time({ at, zone = null }: TimeProps): JSX.Element {
  const instant = new Date(at)
  const theirs = zone === null ? null : toTheirs(instant, zone)
  return (
    <time dateTime={at} title={at}>
      {formatOf(WHOLE, null).format(instant)}
      {theirs !== null && <span class="muted theirs"> ({theirs})</span>}
    </time>
  )
}

/** The time in a zone, with the day where that is another; null: the zone makes no difference. */
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

/** The date, `YYYY-MM-DD`, that an instant has in a zone; null: in UTC. */
export function toLocalDate(instant: Date, zone: string | null): string {
  const parts = { year: 'numeric', month: '2-digit', day: '2-digit' } as const
  return formatOf(parts, zone ?? 'UTC', 'en-CA').format(instant)
}

/** `zone` null: the viewer's. A zone that this browser does not know reads as UTC. */
function formatOf(options: Intl.DateTimeFormatOptions, zone: string | null, locale = 'en-GB'): Intl.DateTimeFormat {
  const name = JSON.stringify([options, zone])
  const known = formats.get(name)
  if (known !== undefined) return known
  const made = makeFormat(options, zone, locale)
  if (formats.size < 1_000) formats.set(name, made)
  return made
}

function makeFormat(options: Intl.DateTimeFormatOptions, zone: string | null, locale: string): Intl.DateTimeFormat {
  if (zone === null) return new Intl.DateTimeFormat(locale, options)
  try {
    return new Intl.DateTimeFormat(locale, { ...options, timeZone: zone })
  } catch {
    return new Intl.DateTimeFormat(locale, { ...options, timeZone: 'UTC' })
  }
}
