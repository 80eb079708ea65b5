import type { JSX } from 'preact'
import { useContext, useState } from 'preact/hooks'
import { call, route, Session, useMayWrite } from '../../api.ts'
import { navigate, withQuery } from '../../router.ts'
import type { CreatedWebhook, Webhook } from '../../types.ts'
import { useAnswer, useGet } from '../../use-answer.ts'
import { Button } from '../controls.tsx'
import { Secret } from '../dialog.tsx'
import { formatNumber } from '../format.ts'
import { Card, Empty, Facts, Loaded } from '../page.tsx'
import { Badge, Time } from '../person.tsx'
import { type Column, Table } from '../table.tsx'
import { Deliveries } from './deliveries.tsx'
import { Reload } from './subscriptions.tsx'
import { EditWebhook, Types, WebhookDialog, type WebhookQuestion } from './webhook-dialog.tsx'

const NO_KEY = 'The server has no key for webhooks: give createGamification the option webhooks.secretKey.'

/** The webhooks of all tenants. `chosen`: the page shows its deliveries. */
export function Webhooks({ chosen }: { readonly chosen: string | null }): JSX.Element {
  const mayWrite = useMayWrite()
  const { hasWebhookKey } = useContext(Session)
  const [isCreating, setIsCreating] = useState(false)
  const [made, setMade] = useState<CreatedWebhook | null>(null)
  const answer = useAnswer((signal) => call<readonly Webhook[]>('GET', 'admin/v1/webhooks', { signal }), [chosen])
  return (
    <Card
      title="Webhooks"
      padded={false}
      actions={
        <>
          <Reload reload={answer.reload} what="webhooks" />
          {mayWrite && (
            <Button
              class="primary small"
              disabled={!hasWebhookKey}
              title={hasWebhookKey ? undefined : NO_KEY}
              onClick={() => setIsCreating(true)}
            >
              Create a webhook…
            </Button>
          )}
        </>
      }
    >
      {made !== null && (
        <div class="card-body">
          <Secret
            title={`The secret of the webhook ${made.name ?? made.url}.`}
            secret={made.secret}
            close={() => setMade(null)}
          />
        </div>
      )}
      <Loaded answer={answer} what="the webhooks">
        {(webhooks) => (
          <Table
            caption="Webhooks, the oldest first"
            columns={columnsOf(chosen)}
            rows={webhooks}
            keyOf={({ id }) => id}
            empty={
              <Empty title="There are no webhooks">
                {hasWebhookKey ? 'Webhooks receive events as they happen.' : NO_KEY}
              </Empty>
            }
          />
        )}
      </Loaded>
      {isCreating && (
        <EditWebhook
          webhook={null}
          done={(webhook) => {
            if (webhook.secret !== null) setMade({ ...webhook, secret: webhook.secret })
            answer.reload()
            navigate(withQuery({ webhook: webhook.id }))
          }}
          close={() => setIsCreating(false)}
        />
      )}
    </Card>
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
    { name: 'Types', cell: ({ types }) => <Types types={types} /> },
  ]
}

function WebhookStatus({ status }: Pick<Webhook, 'status'>): JSX.Element {
  return <Badge tone={status === 'active' ? 'good' : 'bad'}>{status}</Badge>
}

/** One webhook with its state, actions and deliveries. */
export function OneWebhook({ id }: { readonly id: string }): JSX.Element {
  const mayWrite = useMayWrite()
  const [asked, setAsked] = useState<WebhookQuestion | null>(null)
  const [secret, setSecret] = useState<string | null>(null)
  const [round, setRound] = useState(0)
  const answer = useGet<Webhook>(route`admin/v1/webhooks/${id}`)
  const reload = (): void => {
    answer.reload()
    setRound(round + 1)
  }
  return (
    <Card title={answer.data === null ? 'Webhook' : (answer.data.name ?? answer.data.url)} padded={false}>
      <Loaded answer={answer} what="the webhook">
        {(webhook) => (
          <>
            <div class="card-body stack">
              {secret !== null && <Secret title="Its new secret." secret={secret} close={() => setSecret(null)} />}
              <Facts
                facts={[
                  ['Address', webhook.url],
                  ['Status', <WebhookStatus key="status" status={webhook.status} />],
                  ['Disabled', webhook.disabled === null ? null : <Disabled key="disabled" of={webhook.disabled} />],
                  [
                    'Order',
                    webhook.order === 'user' ? 'the messages of one user in their order' : 'independent deliveries',
                  ],
                  ['Created', <Time key="created" at={webhook.created} />],
                ]}
              />
              {mayWrite && <Actions webhook={webhook} ask={setAsked} />}
            </div>
            <Deliveries key={round} webhook={webhook} ask={mayWrite ? setAsked : null} />
            {asked !== null && (
              <WebhookDialog
                webhook={webhook}
                question={asked}
                done={({ secret: made = null, isDeleted = false }) => {
                  if (made !== null) setSecret(made)
                  if (isDeleted) navigate(withQuery({ webhook: null }))
                  else reload()
                }}
                close={() => setAsked(null)}
              />
            )}
          </>
        )}
      </Loaded>
    </Card>
  )
}

function Actions({ webhook, ask }: { webhook: Webhook; ask: (question: WebhookQuestion) => void }): JSX.Element {
  const isActive = webhook.status === 'active'
  return (
    <div class="row">
      <Button onClick={() => ask({ type: 'change' })}>Change…</Button>
      <Button onClick={() => ask({ type: isActive ? 'disable' : 'activate' })}>
        {isActive ? 'Disable…' : 'Make active…'}
      </Button>
      <Button onClick={() => ask({ type: 'rotate' })}>Rotate the secret…</Button>
      <Button disabled={webhook.deliveries.dead === 0} onClick={() => ask({ type: 'replay', ids: null })}>
        Send again what was given up…
      </Button>
      <Button onClick={() => ask({ type: 'delete' })}>Delete…</Button>
    </div>
  )
}

function Disabled({ of: { at, because } }: { readonly of: NonNullable<Webhook['disabled']> }): JSX.Element {
  return (
    <>
      <Time at={at} />, {because === 'gone' ? 'for it answered 410' : 'by a call'}
    </>
  )
}
