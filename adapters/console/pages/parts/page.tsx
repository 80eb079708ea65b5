import type { ComponentChildren, JSX } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import type { Answer } from '../use-answer.ts'

interface PageProps {
  readonly title: string
  /** Before the heading, as a picture. */
  readonly before?: ComponentChildren
  /** Below the heading, small. */
  readonly below?: ComponentChildren
  /** Beside the heading. */
  readonly actions?: ComponentChildren
  readonly children: ComponentChildren
}

/** A page: its heading has the focus when it opens, so that a screen reader says where one is. */
export function Page({ title, before, below, actions, children }: PageProps): JSX.Element {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    document.title = `${title} · laurels`
  }, [title])
  useEffect(() => heading.current?.focus({ preventScroll: true }), [])
  return (
    <>
      <header class="page-head">
        <div class="page-title">
          {before}
          <div>
            <h1 ref={heading} tabIndex={-1}>
              <bdi>{title}</bdi>
            </h1>
            {below}
          </div>
        </div>
        {actions}
      </header>
      {children}
    </>
  )
}

interface LoadedProps<T> {
  readonly answer: Answer<T>
  /** What it is, in words: `the users`. */
  readonly what: string
  readonly children: (data: T) => ComponentChildren
}

/** What was loaded; until then that it is being loaded, and what went wrong with a button to try again. */
export function Loaded<T>({ answer, what, children }: LoadedProps<T>): JSX.Element {
  const { data, error, isLoading, reload } = answer
  return (
    <>
      {error !== null && <Failure error={error} what={what} retry={reload} />}
      {data === null && error === null && isLoading && (
        <p class="loading" role="status">
          Loading {what}…
        </p>
      )}
      {data !== null && <div aria-busy={isLoading}>{children(data)}</div>}
    </>
  )
}

interface FailureProps {
  readonly error: unknown
  readonly what: string
  readonly retry?: () => void
}

export function Failure({ error, what, retry }: FailureProps): JSX.Element {
  const text = error instanceof Error ? error.message : String(error)
  return (
    <div class="failure" role="alert">
      <p>
        <strong>{`Could not load ${what}.`}</strong> {text}
      </p>
      {retry !== undefined && (
        <button type="button" onClick={retry}>
          Try again
        </button>
      )}
    </div>
  )
}
