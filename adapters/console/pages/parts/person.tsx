import type { ComponentChildren, JSX } from 'preact'
import { useState } from 'preact/hooks'
import { initialsOf } from '../../../elements/parts/frame.ts'
import { navigate, toPath, withQuery } from '../router.ts'
import { Button, Form, Input } from './controls.tsx'
import { formatDate } from './format.ts'

/** A user with initials, name and id, as a link to its page. */
export function Person({ id, name }: { readonly id: string; readonly name: string | null }): JSX.Element {
  const hasName = name !== null && name !== ''
  return (
    <span class="row">
      <Initials name={hasName ? name : id} />
      <span>
        <PageLink to={['users', id]}>{hasName ? name : id}</PageLink>
        {hasName && (
          <small class="below" dir="auto">
            {id}
          </small>
        )}
      </span>
    </span>
  )
}

export function UserLink({ id }: { readonly id: string }): JSX.Element {
  return <PageLink to={['users', id]}>{id}</PageLink>
}

/** A link whose text is a name that a user or an author gave. `to`: segments of the address. */
export function PageLink({ to, children }: { to: readonly string[]; children: ComponentChildren }): JSX.Element {
  return (
    <a href={toPath(to)} dir="auto">
      {children}
    </a>
  )
}

/** Initials in place of a picture: the console loads no pictures of users. */
export function Initials({ name }: { readonly name: string }): JSX.Element {
  return (
    <span class="initials" aria-hidden="true">
      {initialsOf(name)}
    </span>
  )
}

interface ShowUserProps {
  /** The name of the field. */
  readonly name: string
  /** The id that is shown. `null` if there is none. */
  readonly chosen: string | null
  /** The text of the button that leads back to all users. */
  readonly back: string
}

/** Asks for a user's id, which the address keeps as `user`. */
export function ShowUser({ name, chosen, back }: ShowUserProps): JSX.Element {
  const [id, setId] = useState(chosen ?? '')
  const show = (user: string | null): void => navigate(withQuery({ user, offset: null }))
  return (
    <Form class="row choices" submit={() => show(id.trim() === '' ? null : id.trim())}>
      <Input label={name} value={id} placeholder="Id of the user" change={setId} />
      <button type="submit">Show</button>
      {chosen !== null && (
        <Button
          onClick={() => {
            setId('')
            show(null)
          }}
        >
          {back}
        </Button>
      )}
    </Form>
  )
}

/** Colours by the meaning of a state. */
const TONES = { good: 'accent', bad: 'danger', warn: 'gold', ice: 'ice' }
export type Tone = keyof typeof TONES | 'quiet'

/** A state in a word: `active`, `void`. */
export function Badge({ tone = 'quiet', children }: { tone?: Tone; children: ComponentChildren }): JSX.Element {
  const colour = tone === 'quiet' ? null : TONES[tone]
  const style = colour === null ? {} : { color: `var(--${colour})`, background: `var(--${colour}-soft)` }
  return (
    <span class="badge" style={style}>
      {children}
    </span>
  )
}

/** A percentage from 0 to 100, with a bar. */
export function Share({ percent }: { readonly percent: number }): JSX.Element {
  return (
    <span class="share">
      <meter max="100" value={percent} aria-hidden="true" />
      <span>{percent.toLocaleString(undefined, { maximumFractionDigits: 2 })} %</span>
    </span>
  )
}

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

export function StatusBadge({ status }: { readonly status: 'scheduled' | 'active' | 'finished' }): JSX.Element {
  return <Badge tone={status === 'active' ? 'good' : status === 'scheduled' ? 'ice' : 'quiet'}>{status}</Badge>
}
