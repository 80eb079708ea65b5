import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { Webhook } from '../../../../../src/engine/answers/wire/webhooks.ts'
import { call, route } from '../../api.ts'
import { navigate, withQuery } from '../../router.ts'
import { useMayWrite } from '../../session.ts'
import { useAnswer } from '../../use-answer.ts'
import { Card } from '../card.tsx'
import { Facts } from '../facts.tsx'
import { Loaded } from '../page.tsx'
import { Secret } from '../secret.tsx'
import { Time } from '../time.tsx'
import { Deliveries } from './deliveries.tsx'
import { WebhookDialog, type WebhookQuestion } from './webhook-dialog.tsx'
import { WebhookStatus } from './webhooks.tsx'

/** One webhook: how it is, what may be done with it, and what it was sent. */
export function OneWebhook({ id }: { readonly id: string }): JSX.Element {
  const mayWrite = useMayWrite()
  const [asked, setAsked] = useState<WebhookQuestion | null>(null)
  const [secret, setSecret] = useState<string | null>(null)
  const [round, setRound] = useState(0)
  const answer = useAnswer((signal) => call<Webhook>('GET', route`admin/v1/webhooks/${id}`, { signal }), [id])
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
                  ['Order', webhook.order === 'user' ? 'the messages of one user in their order' : 'each by itself'],
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

interface ActionsProps {
  readonly webhook: Webhook
  readonly ask: (question: WebhookQuestion) => void
}

function Actions({ webhook, ask }: ActionsProps): JSX.Element {
  const isActive = webhook.status === 'active'
  return (
    <div class="row">
      <button type="button" onClick={() => ask({ type: 'change' })}>
        Change…
      </button>
      <button type="button" onClick={() => ask({ type: isActive ? 'disable' : 'activate' })}>
        {isActive ? 'Disable…' : 'Make active…'}
      </button>
      <button type="button" onClick={() => ask({ type: 'rotate' })}>
        Rotate the secret…
      </button>
      <button type="button" disabled={webhook.deliveries.dead === 0} onClick={() => ask({ type: 'replay', ids: null })}>
        Send again what was given up…
      </button>
      <button type="button" onClick={() => ask({ type: 'delete' })}>
        Delete…
      </button>
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
