import type { JSX } from 'preact'
import { call, type Query, route } from '../../api.ts'
import type { Explanation } from '../../types.ts'
import { Loaded } from '../page.tsx'
import { Badge } from '../person.tsx'
import { useOfUser } from './about.ts'

type Words = readonly [yes: string, no: string]

/** `query` has `achievement`, `event`, or `date` with or without `streak`. */
export function ExplainNow({ query, words }: { query: Query; words: Words }): JSX.Element {
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

/** `words`: for a fact that holds, and for one that does not. */
export function Explained({ explanation, words: [yes, no] }: { explanation: Explanation; words: Words }): JSX.Element {
  const { holds, reasons } = explanation
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
