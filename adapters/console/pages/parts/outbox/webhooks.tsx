import type { JSX } from 'preact'
import { useContext, useState } from 'preact/hooks'
import { ConsoleContext, call, route, useMayWrite } from '../../api.ts'
import { navigate, withQuery } from '../../router.ts'
import type { CreatedWebhook, Webhook, WebhookDeliveries, WebhookDelivery } from '../../types.ts'
import { useAnswer, useGet } from '../../use-answer.ts'
import { Badge } from '../badge.tsx'
import { Reload, Select } from '../controls.tsx'
import { DialogOpener, dialogColumn, Secret } from '../dialog.tsx'
import { formatNumber } from '../format.ts'
import { Card, Empty, Facts, Loaded } from '../page.tsx'
import { UserLink } from '../person.tsx'
import { type Column, Table, TableCard, useList } from '../table.tsx'
import { Time } from '../time.tsx'
import {
  EditWebhook,
  type EditWebhookProps,
  nameOf,
  WebhookDialog,
  type WebhookDone,
  type WebhookQuestion,
} from './webhook-dialog.tsx'

const NO_KEY = 'The server has no key for webhooks: give createGamification the option webhooks.secretKey.'

/** The webhooks of all tenants. `chosen`: the page shows its deliveries. */
export function WebhooksCard({ chosen }: { readonly chosen: string | null }): JSX.Element {
  const mayWrite = useMayWrite()
  const hasWebhookKey = useContext(ConsoleContext)?.hasWebhookKey === true
  const [made, setMade] = useState<CreatedWebhook | null>(null)
  const answer = useAnswer((signal) => call<readonly Webhook[]>('GET', 'admin/v1/webhooks', { signal }), [chosen])
  const done: EditWebhookProps['done'] = (webhook) => {
    if (webhook.secret !== null) setMade({ ...webhook, secret: webhook.secret })
    answer.reload()
    navigate(withQuery({ webhook: webhook.id }))
  }
  const create = (
    <DialogOpener
      key="create"
      class="primary small"
      disabled={!hasWebhookKey}
      title={hasWebhookKey ? undefined : NO_KEY}
      dialog={(close) => <EditWebhook webhook={null} done={done} close={close} />}
    >
      Create a webhook…
    </DialogOpener>
  )
  const help = hasWebhookKey ? 'Webhooks receive events as they happen.' : NO_KEY
  const title = `The secret of the webhook ${made && nameOf(made)}.`
  const secret = made && <Secret title={title} secret={made.secret} close={() => setMade(null)} />
  return (
    <TableCard
      title="Webhooks"
      actions={[<Reload key="reload" reload={answer.reload} what="webhooks" />, mayWrite && create]}
      above={secret && <div class="card-body">{secret}</div>}
      answer={answer}
      what="the webhooks"
      caption="Webhooks, the oldest first"
      columns={columnsOf(chosen)}
      rowsOf={(webhooks) => webhooks}
      empty={<Empty title="There are no webhooks">{help}</Empty>}
    />
  )
}

function columnsOf(chosen: string | null): readonly Column<Webhook>[] {
  return [
    {
      name: 'Webhook',
      isHeader: true,
      cell: ({ id, name, url }) => (
        <>
          <a href={withQuery({ webhook: id })} aria-current={id === chosen ? 'true' : undefined}>
            {name ?? url}
          </a>
          {name !== null && (
            <>
              <br />
              <small class="muted">{url}</small>
            </>
          )}
        </>
      ),
    },
    { name: 'Status', kind: 'fit', cell: ({ status }) => <WebhookStatus status={status} /> },
    { name: 'Waiting', kind: 'number', cell: ({ deliveries }) => formatNumber(deliveries.waiting) },
    { name: 'Delivered', kind: 'number', cell: ({ deliveries }) => formatNumber(deliveries.done) },
    { name: 'Given up', kind: 'number', cell: ({ deliveries }) => formatNumber(deliveries.dead) },
    { name: 'Types', cell: ({ types }) => types.join(', ') },
  ]
}

function WebhookStatus({ status }: Pick<Webhook, 'status'>): JSX.Element {
  return <Badge tone={status === 'active' ? 'good' : 'bad'}>{status}</Badge>
}

/** One webhook with its state, actions and deliveries. */
export function OneWebhook({ id }: { readonly id: string }): JSX.Element {
  const mayWrite = useMayWrite()
  const [secret, setSecret] = useState<string | null>(null)
  const [round, setRound] = useState(0)
  const answer = useGet<Webhook>(route`admin/v1/webhooks/${id}`)
  const done = ({ secret: made, isDeleted }: WebhookDone): void => {
    if (made !== undefined) setSecret(made)
    if (isDeleted === true) navigate(withQuery({ webhook: null }))
    else answer.reload()
    setRound(round + 1)
  }
  return (
    <Card title={answer.data === null ? 'Webhook' : nameOf(answer.data)} padded={false}>
      <Loaded answer={answer} what="the webhook">
        {(webhook) => (
          <>
            <div class="card-body stack">
              {secret !== null && <Secret title="Its new secret." secret={secret} close={() => setSecret(null)} />}
              <WebhookFacts webhook={webhook} />
              {mayWrite && <Actions webhook={webhook} done={done} />}
            </div>
            <Deliveries key={round} webhook={webhook} done={done} />
          </>
        )}
      </Loaded>
    </Card>
  )
}

function WebhookFacts({ webhook: { url, status, disabled, order, created } }: { webhook: Webhook }): JSX.Element {
  return (
    <Facts
      facts={[
        ['Address', url],
        ['Status', <WebhookStatus key="status" status={status} />],
        [
          'Disabled',
          disabled && (
            <>
              <Time at={disabled.at} />, {disabled.because === 'gone' ? 'for it answered 410' : 'by a call'}
            </>
          ),
        ],
        ['Order', order === 'user' ? 'the messages of one user in their order' : 'independent deliveries'],
        ['Created', <Time key="created" at={created} />],
      ]}
    />
  )
}

interface OfWebhook {
  readonly webhook: Webhook
  readonly done: (what: WebhookDone) => void
}

function Actions({ webhook, done }: OfWebhook): JSX.Element {
  const buttons: readonly (readonly [text: string, question: WebhookQuestion])[] = [
    ['Change…', { type: 'change' }],
    webhook.status === 'active' ? ['Disable…', { type: 'disable' }] : ['Make active…', { type: 'activate' }],
    ['Rotate the secret…', { type: 'rotate' }],
    ['Send dead deliveries again…', { type: 'replay', ids: null }],
    ['Delete…', { type: 'delete' }],
  ]
  return (
    <div class="row">
      {buttons.map(([text, question]) => (
        <DialogOpener
          key={text}
          disabled={question.type === 'replay' && webhook.deliveries.dead === 0}
          dialog={(close) => <WebhookDialog webhook={webhook} question={question} done={done} close={close} />}
        >
          {text}
        </DialogOpener>
      ))}
    </div>
  )
}

/** The deliveries of a webhook, the newest first. */
function Deliveries({ webhook, done }: OfWebhook): JSX.Element {
  const mayWrite = useMayWrite()
  const [state, setState] = useState('')
  const path = route`admin/v1/webhooks/${webhook.id}/deliveries`
  const again = dialogColumn<WebhookDelivery>(
    'Send again',
    'Again…',
    ({ id, state: now }) => (now === 'waiting' ? null : `Send the message ${id} again`),
    ({ id }, close) => (
      <WebhookDialog webhook={webhook} question={{ type: 'replay', ids: [id] }} done={done} close={close} />
    ),
  )
  const { answer, pager } = useList<WebhookDeliveries>(path, 'before', { limit: 25, state }, ({ before }) => before)
  return (
    <section aria-label="Deliveries">
      <div class="card-body row choices">
        <Select label="Deliveries" value={state} change={setState} choices={STATE_CHOICES} />
      </div>
      <Loaded answer={answer} what="the deliveries">
        {({ deliveries }) => (
          <Table
            caption="Deliveries, the newest first"
            columns={mayWrite ? [...DELIVERY_COLUMNS, again] : DELIVERY_COLUMNS}
            rows={deliveries}
            empty={<Empty title="There are no such deliveries" />}
          >
            {pager}
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

const DELIVERY_COLUMNS: readonly Column<WebhookDelivery>[] = [
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
