import type { JSX } from 'preact'
import { atMost } from '../parts/format.ts'
import { DeadLetters } from '../parts/outbox/deliveries.tsx'
import { Subscriptions } from '../parts/outbox/subscriptions.tsx'
import { OneWebhook, Webhooks } from '../parts/outbox/webhooks.tsx'
import { Figures, Loaded, Page } from '../parts/page.tsx'
import { Since } from '../parts/person.tsx'
import type { PageOf } from '../router.ts'
import type { StatusResponse } from '../types.ts'
import { useGet } from '../use-answer.ts'

/** Messages that wait, their receivers, and their deliveries. */
export function Outbox({ query }: PageOf): JSX.Element {
  const webhook = query.get('webhook')
  const subscription = query.get('subscription')
  const status = useGet<StatusResponse>('admin/v1/status')
  return (
    <Page title="Outbox">
      <div class="stack">
        <Loaded answer={status} what="what waits">
          {({ messages, due }) => (
            <Figures
              figures={[
                { name: 'Messages waiting', value: atMost(messages.waiting), note: since(messages.oldest) },
                { name: 'Users to whom something is due', value: atMost(due.users), note: since(due.oldest) },
              ]}
            />
          )}
        </Loaded>
        <Webhooks chosen={webhook} />
        {webhook !== null && <OneWebhook key={webhook} id={webhook} />}
        <Subscriptions chosen={subscription} />
        {subscription !== null && <DeadLetters key={subscription} subscription={subscription} />}
      </div>
    </Page>
  )
}

function since(oldest: string | null): JSX.Element | string {
  return oldest === null ? 'Nothing waits.' : <Since at={oldest} />
}
