import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { call, route, useMayWrite } from '../../api.ts'
import type { DeadLetters as DeadLettersAnswer, Webhook, WebhookDeliveries, WebhookDelivery } from '../../types.ts'
import { useGet } from '../../use-answer.ts'
import { Button, Field, Select } from '../controls.tsx'
import { Confirm } from '../dialog.tsx'
import { formatNumber, plural } from '../format.ts'
import { Card, Empty, Loaded } from '../page.tsx'
import { Badge, Time, UserLink } from '../person.tsx'
import { type Column, Pager, Table, usePages } from '../table.tsx'
import type { WebhookQuestion } from './webhook-dialog.tsx'

interface DeliveriesProps {
  readonly webhook: Webhook
  /** `null`: without write access. */
  readonly ask: ((question: WebhookQuestion) => void) | null
}

/** The deliveries of a webhook, the newest first. */
export function Deliveries({ webhook: { id }, ask }: DeliveriesProps): JSX.Element {
  const [state, setState] = useState('')
  const pages = usePages<number>([id, state])
  const answer = useGet<WebhookDeliveries>(route`admin/v1/webhooks/${id}/deliveries`, {
    limit: 25,
    state,
    before: pages.cursor,
  })
  return (
    <section aria-label="Deliveries">
      <div class="card-body row choices">
        <Field name="Deliveries">
          <Select value={state} change={setState} choices={STATE_CHOICES} />
        </Field>
      </div>
      <Loaded answer={answer} what="the deliveries">
        {({ deliveries, before }) => (
          <Table
            caption="Deliveries, the newest first"
            columns={columnsOf(ask)}
            rows={deliveries}
            keyOf={(delivery) => delivery.id}
            empty={<Empty title="There are no such deliveries" />}
          >
            <Pager pages={pages} next={before} />
          </Table>
        )}
      </Loaded>
    </section>
  )
}

const STATE_CHOICES = [
  { key: '', name: 'All' },
  { key: 'waiting', name: 'Waiting' },
  { key: 'done', name: 'Delivered' },
  { key: 'dead', name: 'Given up' },
]

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
    { name: 'User', cell: ({ userId }) => (userId === null ? '' : <UserLink id={userId} />) },
    { name: 'State', kind: 'fit', cell: ({ state }) => <Badge tone={STATES[state][0]}>{STATES[state][1]}</Badge> },
    { name: 'Attempts', kind: 'number', cell: ({ attempts }) => formatNumber(attempts) },
    { name: 'Last attempt', cell: (delivery) => <LastAttempt {...delivery} /> },
  ]
  if (ask === null) return columns
  const again: Column<WebhookDelivery> = {
    name: 'Send again',
    kind: 'fit',
    isNameHidden: true,
    cell: ({ id, state }) =>
      state === 'waiting' ? null : (
        <Button
          class="small"
          aria-label={`Send the message ${id} again`}
          onClick={() => ask({ type: 'replay', ids: [id] })}
        >
          Again…
        </Button>
      ),
  }
  return [...columns, again]
}

function LastAttempt({ lastAttempt, nextAttemptAt }: WebhookDelivery): JSX.Element {
  return (
    <div class="stack tight">
      {lastAttempt !== null && (
        <>
          <span>
            {lastAttempt.status ?? 'no answer'} in {formatNumber(lastAttempt.durationMs)} ms,{' '}
            <Time at={lastAttempt.at} />
          </span>
          {lastAttempt.error !== null && <span class="bad">{lastAttempt.error}</span>}
          {lastAttempt.answer !== '' && (
            <details>
              <summary>What was answered</summary>
              <pre class="answer">{lastAttempt.answer}</pre>
            </details>
          )}
        </>
      )}
      {nextAttemptAt !== null && (
        <span class="muted">
          next <Time at={nextAttemptAt} />
        </span>
      )}
    </div>
  )
}

type DeadLetter = DeadLettersAnswer['deadLetters'][number]

const DEAD_LETTERS: readonly Column<DeadLetter>[] = [
  {
    name: 'Message',
    isHeader: true,
    cell: ({ message, isRetried }) => (
      <>
        {message.type} {isRetried && <Badge tone="ice">waits again</Badge>}
        <br />
        <small class="muted">{message.id}</small>
      </>
    ),
  },
  { name: 'Happened', cell: ({ message }) => <Time at={message.at} /> },
  { name: 'Attempts', kind: 'number', cell: ({ attempts }) => formatNumber(attempts) },
  { name: 'Last error', cell: ({ lastError }) => lastError ?? '' },
]

/** Messages that a subscription put aside after its attempts, the newest first. */
export function DeadLetters({ subscription }: { readonly subscription: string }): JSX.Element {
  const mayWrite = useMayWrite()
  // The messages to deliver again: one by its id, or all.
  const [asked, setAsked] = useState<{ readonly ids: readonly string[] | null } | null>(null)
  const pages = usePages<number>([subscription])
  const answer = useGet<DeadLettersAnswer>(route`admin/v1/subscriptions/${subscription}/dead-letters`, {
    limit: 50,
    before: pages.cursor,
  })
  const retry = async (): Promise<string> => {
    const ids = asked?.ids ?? null
    const { retried } = await call<{ readonly retried: number }>(
      'POST',
      route`admin/v1/subscriptions/${subscription}/retry`,
      { body: ids === null ? {} : { ids } },
    )
    answer.reload()
    return `${plural(retried, 'message')} will be handed over again.`
  }
  const hasAny = (answer.data?.deadLetters.length ?? 0) > 0
  const again: Column<DeadLetter> = {
    name: 'Hand over again',
    kind: 'fit',
    isNameHidden: true,
    cell: ({ message, isRetried }) =>
      isRetried ? null : (
        <Button
          class="small"
          aria-label={`Hand the message ${message.id} over again`}
          onClick={() => setAsked({ ids: [message.id] })}
        >
          Again…
        </Button>
      ),
  }
  return (
    <Card
      title={`Put aside by ${subscription}`}
      padded={false}
      actions={mayWrite && hasAny && <Button onClick={() => setAsked({ ids: null })}>Hand all over again…</Button>}
    >
      <Loaded answer={answer} what="what was put aside">
        {({ deadLetters, next }) => (
          <Table
            caption={`Messages that ${subscription} put aside, the newest first`}
            columns={mayWrite ? [...DEAD_LETTERS, again] : DEAD_LETTERS}
            rows={deadLetters}
            keyOf={({ position }) => position}
            empty={<Empty title="Nothing was put aside" />}
          >
            <Pager pages={pages} next={next} />
          </Table>
        )}
      </Loaded>
      {asked !== null && (
        <Confirm
          title={
            asked.ids === null ? `Hand over again all that ${subscription} put aside?` : 'Hand the message over again?'
          }
          verb="Hand over again"
          run={retry}
          close={() => setAsked(null)}
        >
          <p>
            The handler of <strong>{subscription}</strong> is called with {asked.ids === null ? 'each of them' : 'it'}{' '}
            once more, in the process that takes the subscription.
          </p>
        </Confirm>
      )}
    </Card>
  )
}
