import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { ApiError } from '../../../client/send.ts'
import type { StreamState } from '../use-answer.ts'
import { Button } from './controls.tsx'
import { countOf } from './format.ts'

interface Notice {
  readonly id: number
  readonly text: string
}

const SHOWN_MS = 6_000
let latest = 0
let notices: readonly Notice[] = []
let redraw: (notices: readonly Notice[]) => void = () => undefined

/** Shows a notice for some seconds. Screen readers announce it. */
export function showNotice(text: string): void {
  const id = ++latest
  show([...notices.slice(-2), { id, text }])
  setTimeout(() => show(notices.filter((notice) => notice.id !== id)), SHOWN_MS)
}

function show(next: readonly Notice[]): void {
  notices = next
  redraw(next)
}

/** The notices, shown once in the frame. */
export function Notices(): JSX.Element {
  const [shown, setShown] = useState(notices)
  useEffect(() => {
    redraw = setShown
  }, [])
  return (
    <div class="notices" role="status">
      {shown.map(({ id, text }) => (
        <p key={id}>{text}</p>
      ))}
    </div>
  )
}

export function ErrorText({ text }: { readonly text: string | null }): JSX.Element | null {
  if (text === null) return null
  return (
    <p class="failure" role="alert">
      {text}
    </p>
  )
}

interface StreamProgressProps {
  readonly stream: StreamState<unknown>
  /** The activity: `Verifying`. */
  readonly what: string
  /** The state after a stop. */
  readonly after: string
}

/** Shows the progress with a button to stop, then the error or that it was stopped. */
export function ShowProgress({ stream, what, after }: StreamProgressProps): JSX.Element | null {
  const { state, progress, error, cancel } = stream
  if (state === 'idle' || state === 'done') return null
  const done =
    progress === null ? '' : `${countOf(progress.users, 'user')}, ${countOf(progress.entries, 'entry', 'entries')}`
  if (state === 'running') {
    const of = progress?.of ?? null
    return (
      <section class="progress" aria-label={what}>
        <progress aria-label={what} {...(of === null ? {} : { max: Math.max(1, of), value: progress?.users ?? 0 })} />
        <span>
          {what}… {done}
          {of !== null && ` of about ${countOf(of, 'user')}`}
        </span>
        <Button onClick={cancel}>Stop</Button>
      </section>
    )
  }
  const so = done === '' ? 'before the first user' : `after ${done}`
  if (state === 'cancelled') return <p role="status">{`Stopped ${so}. ${after}`}</p>
  return (
    <div class="failure" role="alert">
      <p>
        <strong>{progress === null ? 'Not started.' : `It broke off ${so}.`}</strong> {toText(error)}{' '}
        {progress !== null && after}
      </p>
      <Issues error={error} />
    </div>
  )
}

/** The mistakes in the request, as the server reports them. */
function Issues({ error }: { readonly error: unknown }): JSX.Element | null {
  if (!(error instanceof ApiError) || error.issues.length === 0) return null
  return (
    <ul>
      {error.issues.map(({ path, message }) => (
        <li key={`${path} ${message}`}>
          {path !== '' && <code class="wrap">{path}</code>} {message}
        </li>
      ))}
    </ul>
  )
}

/** The message names the first mistake after a colon. The list below has all of them. */
function toText(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error)
  const [beginning = text] = text.split(':')
  return error instanceof ApiError && error.issues.length > 0 ? `${beginning}:` : text
}
