import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { LogEntry } from '../../../../../src/engine/answers/wire/users.ts'
import type { Explanation } from '../../../../../src/explain/facts.ts'
import { useMayWrite } from '../../session.ts'
import { Badge } from '../badge.tsx'
import { Json } from '../json.tsx'
import { Failure } from '../page.tsx'
import { Time } from '../time.tsx'
import { ApproveEvent } from './actions/approve-event.tsx'
import { VoidEvent } from './actions/void-event.tsx'
import { describeEntry, type Names } from './entry-words.ts'
import { Explained } from './explanation.tsx'
import { Outcome } from './outcome.tsx'

interface LogLineProps {
  readonly entry: LogEntry
  readonly names: Names
  /** undefined: nobody has asked, or it is on its way. null: it could not be had. */
  readonly explanation: Explanation | null | undefined
  readonly ask: () => void
}

/** One line of the log, with what it led to and, folded away, why, and all that is stored of it. */
export function LogLine({ entry, names, explanation, ask }: LogLineProps): JSX.Element {
  const [isOpen, setIsOpen] = useState(false)
  const isEvent = entry.kind === 'eventRecorded'
  const isHeld = entry.held === true
  const isVoid = entry.voidedBy !== undefined
  const what = describeEntry(entry, names)
  return (
    <li class={isVoid ? 'void' : undefined} data-entry={entry.id}>
      <div class="when">
        <Time at={entry.at} zone={entry.zone} />
      </div>
      <div class="row">
        <strong class="what">{what}</strong>
        {isHeld && <Badge tone="warn">held back</Badge>}
        {isVoid && <Badge tone="bad">void</Badge>}
        {Object.entries(entry.attributes ?? {}).map(([name, value]) => (
          <Badge key={name}>
            <span dir="auto">
              {name}: {value}
            </span>
          </Badge>
        ))}
        {explanation && !isVoid && !isHeld && <Outcome reasons={explanation.reasons} names={names} />}
      </div>
      <div class="row end actions">
        <button
          type="button"
          class="quiet small"
          aria-expanded={isOpen}
          aria-label={`${isEvent ? 'Explain' : 'Details of'}: ${what}`}
          onClick={() => {
            setIsOpen(!isOpen)
            if (isEvent && !isOpen) ask()
          }}
        >
          {isEvent ? 'Explain' : 'Details'}
        </button>
        {isEvent && <Changes entry={entry} what={what} isHeld={isHeld} isVoid={isVoid} />}
      </div>
      {isOpen && (
        <div class="more stack">
          {isEvent && explanation === undefined && (
            <p class="muted" role="status">
              Loading the explanation…
            </p>
          )}
          {explanation === null && <Failure error="Perhaps the server is gone." what="the explanation" retry={ask} />}
          {explanation && <Explained explanation={explanation} words={['It counts', 'It does not count']} />}
          <Json value={entry} label="The entry as it is stored" />
        </div>
      )}
    </li>
  )
}

interface ChangesProps {
  readonly entry: LogEntry
  readonly what: string
  readonly isHeld: boolean
  readonly isVoid: boolean
}

/** What may be done to an event. */
function Changes({ entry, what, isHeld, isVoid }: ChangesProps): JSX.Element | null {
  const mayWrite = useMayWrite()
  const [chosen, setChosen] = useState<'void' | 'approve' | null>(null)
  const close = (): void => setChosen(null)
  if (!mayWrite || isVoid) return null
  return (
    <>
      {isHeld && (
        <button type="button" class="small" aria-label={`Approve: ${what}`} onClick={() => setChosen('approve')}>
          Approve
        </button>
      )}
      <button type="button" class="small" aria-label={`Void: ${what}`} onClick={() => setChosen('void')}>
        Void
      </button>
      {chosen === 'void' && <VoidEvent event={entry.id} what={what} close={close} />}
      {chosen === 'approve' && <ApproveEvent event={entry.id} what={what} close={close} />}
    </>
  )
}
