import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type {
  Webhook,
  WebhookDeliveries,
  WebhookDelivery,
  WebhookTry,
} from '../../../../../src/engine/answers/wire/webhooks.ts'
import { call, route } from '../../api.ts'
import { toPath } from '../../router.ts'
import { useAnswer } from '../../use-answer.ts'
import { Badge } from '../badge.tsx'
import { Empty } from '../empty.tsx'
import { Field } from '../field.tsx'
import { formatNumber } from '../format.ts'
import { Loaded } from '../page.tsx'
import { Pager, usePages } from '../pager.tsx'
import { type Column, Table } from '../table.tsx'
import { Time } from '../time.tsx'
import type { WebhookQuestion } from './webhook-dialog.tsx'

interface DeliveriesProps {
  readonly webhook: Webhook
  /** null: nothing may be sent again. */
  readonly ask: ((question: WebhookQuestion) => void) | null
}

/** What waits for a webhook, and what became of the rest, the newest first. */
export function Deliveries({ webhook: { id }, ask }: DeliveriesProps): JSX.Element {
  const [state, setState] = useState('')
  const pages = usePages<number>([id, state])
  const answer = useAnswer(
    (signal) =>
      call<WebhookDeliveries>('GET', route`admin/v1/webhooks/${id}/deliveries`, {
        query: { limit: 25, state, before: pages.cursor },
        signal,
      }),
    [id, state, pages.cursor],
  )
  return (
    <section aria-label="Deliveries">
      <div class="card-body row choices">
        <Field name="Deliveries">
          <select value={state} onChange={(event) => setState(event.currentTarget.value)}>
            <option value="">All</option>
            <option value="waiting">Waiting</option>
            <option value="done">Delivered</option>
            <option value="dead">Given up</option>
          </select>
        </Field>
      </div>
      <Loaded answer={answer} what="the deliveries">
        {({ deliveries, before }) =>
          deliveries.length === 0 ? (
            <Empty title="There are no such deliveries" />
          ) : (
            <>
              <Table
                caption="Deliveries, the newest first"
                columns={columnsOf(ask)}
                rows={deliveries}
                keyOf={(delivery) => delivery.id}
              />
              <Pager pages={pages} next={before} />
            </>
          )
        }
      </Loaded>
    </section>
  )
}

const STATES = { waiting: ['ice', 'waiting'], done: ['good', 'delivered'], dead: ['bad', 'given up'] } as const

function columnsOf(ask: DeliveriesProps['ask']): readonly Column<WebhookDelivery>[] {
  const columns: readonly Column<WebhookDelivery>[] = [
    {
      name: 'Message',
      isHeader: true,
      cell: ({ id, type }) => (
        <>
          {type}
          <br />
          <small class="muted">{id}</small>
        </>
      ),
    },
    { name: 'Happened', cell: ({ at }) => <Time at={at} /> },
    {
      name: 'User',
      cell: ({ userId }) =>
        userId === null ? (
          ''
        ) : (
          <a href={toPath(['users', userId])} dir="auto">
            {userId}
          </a>
        ),
    },
    {
      name: 'State',
      kind: 'fit',
      cell: ({ state }) => <Badge tone={STATES[state][0]}>{STATES[state][1]}</Badge>,
    },
    { name: 'Tries', kind: 'number', cell: ({ tries }) => formatNumber(tries) },
    { name: 'Last try', cell: ({ lastTry, nextTryAt }) => <LastTry lastTry={lastTry} nextTryAt={nextTryAt} /> },
  ]
  if (ask === null) return columns
  const again: Column<WebhookDelivery> = {
    name: 'Send again',
    kind: 'fit',
    isNameHidden: true,
    cell: ({ id, state }) =>
      state === 'waiting' ? null : (
        <button
          type="button"
          class="small"
          aria-label={`Send the message ${id} again`}
          onClick={() => ask({ type: 'replay', ids: [id] })}
        >
          Again…
        </button>
      ),
  }
  return [...columns, again]
}

interface LastTryProps {
  readonly lastTry: WebhookTry | null
  readonly nextTryAt: string | null
}

function LastTry({ lastTry, nextTryAt }: LastTryProps): JSX.Element {
  return (
    <div class="stack tight">
      {lastTry !== null && (
        <>
          <span>
            {lastTry.status ?? 'no answer'} in {formatNumber(lastTry.durationMs)} ms, <Time at={lastTry.at} />
          </span>
          {lastTry.error !== null && <span class="bad">{lastTry.error}</span>}
          {lastTry.answer !== '' && (
            <details>
              <summary>What was answered</summary>
              <pre class="answer">{lastTry.answer}</pre>
            </details>
          )}
        </>
      )}
      {nextTryAt !== null && (
        <span class="muted">
          next <Time at={nextTryAt} />
        </span>
      )}
    </div>
  )
}
