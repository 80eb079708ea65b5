import type { JSX } from 'preact'
import type { Explanation } from '../../../../../src/api/explain/facts.ts'
import { call, type Query, route } from '../../api.ts'
import { Loaded } from '../page.tsx'
import { Badge } from '../person.tsx'
import { useOfUser } from './about.ts'

/** What is said where it holds, and where it does not. */
type Words = readonly [yes: string, no: string]

interface ExplainNowProps {
  /** `achievement`, `event`, or `date` with or without `streak`. */
  readonly query: Query
  readonly words: Words
}

/** Asks why, and says it. */
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
