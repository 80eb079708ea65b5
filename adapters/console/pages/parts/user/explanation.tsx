import type { JSX } from 'preact'
import { useCallback, useEffect, useState } from 'preact/hooks'
import { call, type Query, route } from '../../api.ts'
import type { Explanation } from '../../types.ts'
import { Loaded } from '../page.tsx'
import { Badge } from '../person.tsx'
import { useAbout, useOfUser } from './about.ts'

/** The words if the explained fact holds, and if it does not. */
type Words = readonly [yes: string, no: string]

interface ExplainNowProps {
  /** `achievement`, `event`, or `date` with or without `streak`. */
  readonly query: Query
  readonly words: Words
}

export function ExplainNow({ query, words }: ExplainNowProps): JSX.Element {
  const answer = useOfUser((id, signal) => loadExplanation(id, query, signal), [query])
  return (
    <Loaded answer={answer} what="the explanation">
      {(explanation) => <Explained explanation={explanation} words={words} />}
    </Loaded>
  )
}

export function loadExplanation(id: string, query: Query, signal: AbortSignal): Promise<Explanation> {
  return call('GET', route`admin/v1/users/${id}/explain`, { query, signal })
}

interface ExplainedProps {
  readonly explanation: Explanation
  readonly words: Words
}

export function Explained({ explanation: { holds, reasons }, words: [yes, no] }: ExplainedProps): JSX.Element {
  return (
    <div class="stack tight">
      <div>{holds ? <Badge tone="good">{yes}</Badge> : <Badge tone="warn">{no}</Badge>}</div>
      <ul class="reasons">
        {reasons.map(({ sentence }, index) => (
          <li key={index}>{sentence}</li>
        ))}
      </ul>
    </div>
  )
}

export interface Explanations {
  /** By the id of the event. `null`: loading failed. */
  readonly of: ReadonlyMap<string, Explanation | null>
  /** Loads one before the others, or again after a failure. */
  readonly ask: (event: string) => void
}

/**
 * Loads explanations one after the other, because each replays the user's log. `automatic`: events that load without a request.
 */
export function useExplanations(automatic: readonly string[]): Explanations {
  const { user, version } = useAbout()
  const [of, setOf] = useState<ReadonlyMap<string, Explanation | null>>(new Map())
  const [asked, setAsked] = useState<readonly string[]>([])
  const wanted = [...asked, ...automatic]
  const key = `${user.id} ${version}`
  useEffect(() => setOf(new Map()), [key])

  const next = wanted.find((event) => !of.has(event))
  useEffect(() => {
    if (next === undefined) return
    const abort = new AbortController()
    const set = (explanation: Explanation | null): void => setOf((before) => new Map(before).set(next, explanation))
    loadExplanation(user.id, { event: next }, abort.signal).then(
      (explanation) => abort.signal.aborted || set(explanation),
      () => abort.signal.aborted || set(null),
    )
    return () => abort.abort()
  }, [next, key])

  const ask = useCallback((event: string) => {
    setOf((before) => new Map([...before].filter(([id, explanation]) => id !== event || explanation !== null)))
    setAsked((before) => [event, ...before.filter((id) => id !== event)])
  }, [])
  return { of, ask }
}
