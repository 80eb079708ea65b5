import { type ComponentChildren, createElement, type JSX } from 'preact'
import { useEffect, useId, useLayoutEffect, useRef } from 'preact/hooks'
import { navigate, toPath, withQuery } from '../router.ts'
import type { Loadable } from '../use-answer.ts'
import { Button } from './controls.tsx'

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

/** A page. Its heading gets the focus, so that a screen reader announces it. */
export function ConsolePage({ title, before, below, actions, children }: PageProps): JSX.Element {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    document.title = `${title} · laurels`
  }, [title])
  useEffect(() => heading.current?.focus({ preventScroll: true }), [])
  return (
    <>
      <header class="page-head">
        <div class="row">
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
      <div class="stack">{children}</div>
    </>
  )
}

interface LoadedProps<T> {
  readonly answer: Loadable<T>
  /** The content, in words: `the users`. */
  readonly what: string
  readonly children: (data: T) => ComponentChildren
}

/** Shows the loaded data, the loading state, or the error with a button to retry. */
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

export function Failure({ error, what, retry }: { error: unknown; what: string; retry?: () => void }): JSX.Element {
  const text = error instanceof Error ? error.message : String(error)
  return (
    <div class="failure" role="alert">
      <p>
        <strong>{`Could not load ${what}.`}</strong> {text}
      </p>
      {retry !== undefined && <Button onClick={retry}>Try again</Button>}
    </div>
  )
}

interface CardProps {
  readonly title: string
  /** Beside the heading. */
  readonly actions?: ComponentChildren
  /** `false` if the content reaches the edges, as tables do. */
  readonly padded?: boolean
  readonly children: ComponentChildren
}

export function Card({ title, actions, padded = true, children }: CardProps): JSX.Element {
  const id = useId()
  return (
    <section class="card" aria-labelledby={id}>
      <div class="card-head">
        <h2 id={id}>{title}</h2>
        {actions !== undefined && <div class="row">{actions}</div>}
      </div>
      {padded ? <div class="card-body stack">{children}</div> : children}
    </section>
  )
}

/** `children` say how to fill it. */
export function Empty({ title, children }: { title: string; children?: ComponentChildren }): JSX.Element {
  return (
    <div class="empty">
      <strong>{title}</strong>
      {children !== undefined && <div>{children}</div>}
    </div>
  )
}

export function NoSuch({ what, id }: { what: 'achievement' | 'challenge' | 'leaderboard'; id: string }): JSX.Element {
  return (
    <Empty title={`The game has no ${what} with the key ${id}`}>
      <a href={toPath([`${what}s`])}>All {what}s</a>
    </Empty>
  )
}

/** Names with their values. Omits `null` and `undefined`. */
export function Facts({ facts }: { readonly facts: readonly (readonly [string, ComponentChildren])[] }): JSX.Element {
  return (
    <dl class="facts">
      {facts
        .filter(([, value]) => value !== null && value !== undefined)
        .map(([name, value]) => [<dt key={name}>{name}</dt>, <dd key={`${name} value`}>{value}</dd>])}
    </dl>
  )
}

interface Figure {
  readonly name: string
  readonly value: ComponentChildren
  /** Below it, small. */
  readonly note?: ComponentChildren
  /** For programs that read the page. */
  readonly id?: string
}

export function Figures({ figures }: { readonly figures: readonly Figure[] }): JSX.Element {
  return (
    <dl class="figures">
      {figures.map(({ name, value, note, id }) => (
        <div key={id ?? name} data-figure={id}>
          <dt>{name}</dt>
          <dd class="value">{value}</dd>
          {note !== undefined && <dd class="note">{note}</dd>}
        </div>
      ))}
    </dl>
  )
}

interface Tab {
  /** In the address, as `?tab=log`. The first tab is the default. */
  readonly key: string
  readonly name: string
  readonly content: () => ComponentChildren
}

/** Tabs with the selection in the address, so that a link leads to one. `label` is for screen readers. */
export function Tabs({ label, tabs, query }: { label: string; tabs: Tab[]; query: URLSearchParams }): JSX.Element {
  const id = useId()
  const list = useRef<HTMLDivElement>(null)
  const wanted = tabs.findIndex(({ key }) => key === query.get('tab'))
  const shown = Math.max(0, wanted)
  const choose = (index: number): void => {
    const at = (index + tabs.length) % tabs.length
    navigate(withQuery({ tab: at === 0 ? null : (tabs[at]?.key ?? null) }), { replace: true })
    list.current?.querySelectorAll<HTMLElement>('[role=tab]')[at]?.focus()
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    const targets = new Map(Object.entries({ ArrowRight: shown + 1, ArrowLeft: shown - 1, Home: 0, End: -1 }))
    const target = targets.get(event.key)
    if (target === undefined) return
    event.preventDefault()
    choose(target)
  }
  return (
    <>
      <div class="tabs" role="tablist" aria-label={label} ref={list} onKeyDown={onKeyDown}>
        {tabs.map(({ key, name }, index) => (
          <Button
            key={key}
            role="tab"
            id={`${id}-${key}`}
            aria-selected={index === shown}
            aria-controls={`${id}-panel`}
            tabIndex={index === shown ? 0 : -1}
            onClick={() => choose(index)}
          >
            {name}
          </Button>
        ))}
      </div>
      <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${tabs[shown]?.key}`} key={tabs[shown]?.key}>
        {tabs[shown]?.content()}
      </div>
    </>
  )
}

interface ElementProps {
  /** As `laurels-streak`. */
  readonly name: string
  /** The answer of the API that it shows. */
  readonly data: unknown
  /** Other properties of the element, as `highlight`. */
  readonly with?: { readonly [property: string]: unknown }
  /** Its attributes, as `images`. */
  readonly attributes?: { readonly [attribute: string]: string }
}

/** An element of `laurels/elements`, with data that is loaded already. */
export function Element({ name, data, with: more, attributes }: ElementProps): JSX.Element {
  const element = useRef<HTMLElement>(null)
  const properties = JSON.stringify(more)
  useLayoutEffect(() => {
    if (element.current !== null) Object.assign(element.current, more, { data })
  }, [data, properties])
  return createElement(name, { ...attributes, ref: element, class: 'plain-element' })
}
