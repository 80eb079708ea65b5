import type { JSX } from 'preact'
import { useContext, useState } from 'preact/hooks'
import type { CreatedWebhook, Webhook } from '../../../../../src/engine/answers/wire/webhooks.ts'
import { call } from '../../api.ts'
import { navigate, withQuery } from '../../router.ts'
import { Session, useMayWrite } from '../../session.ts'
import { useAnswer } from '../../use-answer.ts'
import { Badge } from '../badge.tsx'
import { Card } from '../card.tsx'
import { Empty } from '../empty.tsx'
import { formatNumber } from '../format.ts'
import { Loaded } from '../page.tsx'
import { Secret } from '../secret.tsx'
import { type Column, Table } from '../table.tsx'
import { EditWebhook } from './edit-webhook.tsx'
import { Reload } from './subscriptions.tsx'
import { Types } from './types.tsx'

interface WebhooksProps {
  /** Whose deliveries are shown. */
  readonly chosen: string | null
}

const NO_KEY = 'The server has no key for webhooks: give createGamification the option webhooks.secretKey.'

/** The webhooks of all tenants. */
export function Webhooks({ chosen }: WebhooksProps): JSX.Element {
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
            <button
              type="button"
              class="primary small"
              disabled={!hasWebhookKey}
              title={hasWebhookKey ? undefined : NO_KEY}
              onClick={() => setIsCreating(true)}
            >
              Create a webhook…
            </button>
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
        {(webhooks) =>
          webhooks.length === 0 ? (
            <Empty title="There are no webhooks">
              {hasWebhookKey ? 'Webhooks receive events as they happen.' : NO_KEY}
            </Empty>
          ) : (
            <Table
              caption="Webhooks, the oldest first"
              columns={columnsOf(chosen)}
              rows={webhooks}
              keyOf={({ id }) => id}
            />
          )
        }
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

export function WebhookStatus({ status }: Pick<Webhook, 'status'>): JSX.Element {
  return <Badge tone={status === 'active' ? 'good' : 'bad'}>{status}</Badge>
}
