import type { ComponentChildren, JSX } from 'preact'
import { useState } from 'preact/hooks'
import { call, type QueryValues, route } from '../../api.ts'
import type { Explanation } from '../../types.ts'
import { Badge } from '../badge.tsx'
import { Field, Form } from '../controls.tsx'
import { Dialog } from '../dialog.tsx'
import { Loaded } from '../page.tsx'
import { useOfUser } from './page-user.ts'

/** For a fact that holds, and for one that does not. */
type Words = readonly [yes: string, no: string]

interface AskedProps {
  /** `achievement`, or `date` with or without `streak`. */
  readonly query: QueryValues
  readonly words: Words
}

interface ExplainFormProps extends AskedProps {
  readonly name: string
  /** The title of the dialog that explains. */
  readonly title: string
  /** The input. */
  readonly children: ComponentChildren
}

/** A button that opens a dialog with the explanation of the input. */
export function ExplainForm({ name, title, children, ...asked }: ExplainFormProps): JSX.Element {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <Form class="row" submit={() => setIsOpen(true)}>
      <Field name={name} isInline>
        {children}
      </Field>
      <button type="submit">Explain</button>
      {isOpen && (
        <Dialog title={title} isForReading close={() => setIsOpen(false)}>
          <ExplainNow {...asked} />
        </Dialog>
      )}
    </Form>
  )
}

export function ExplainNow({ query, words }: AskedProps): JSX.Element {
  const answer = useOfUser((id, signal) => loadExplanation(id, query, signal), [query])
  return (
    <Loaded answer={answer} what="the explanation">
      {(explanation) => <Explained explanation={explanation} words={words} />}
    </Loaded>
  )
}

export function loadExplanation(id: string, query: QueryValues, signal: AbortSignal): Promise<Explanation> {
  return call('GET', route`admin/v1/users/${id}/explain`, { query, signal })
}

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
