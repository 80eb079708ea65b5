import type { JSX } from 'preact'
import { withQuery } from '../../router.ts'
import type { SubscriptionStatus } from '../../types.ts'
import { useGet } from '../../use-answer.ts'
import { Button } from '../controls.tsx'
import { atMost, formatNumber, plural } from '../format.ts'
import { Card, Empty, Loaded } from '../page.tsx'
import { Badge, Time } from '../person.tsx'
import { Table } from '../table.tsx'
import { Types } from './webhook-dialog.tsx'

/** All subscriptions and their progress. `chosen`: the page shows its dead letters. */
export function Subscriptions({ chosen }: { readonly chosen: string | null }): JSX.Element {
  const answer = useGet<readonly SubscriptionStatus[]>('admin/v1/subscriptions')
  return (
    <Card title="Subscriptions" padded={false} actions={<Reload reload={answer.reload} what="subscriptions" />}>
      <Loaded answer={answer} what="the subscriptions">
        {(subscriptions) => (
          <Table
            caption="Subscriptions, and how far each is"
            columns={[
              { name: 'Subscription', isHeader: true, cell: ({ name }) => name },
              { name: 'State', cell: (subscription) => <State subscription={subscription} /> },
              { name: 'Behind', kind: 'number', cell: ({ behind }) => atMost(behind) },
              {
                name: 'Put aside',
                kind: 'number',
                cell: ({ name, deadLetters }) => (
                  <a
                    href={withQuery({ subscription: name })}
                    aria-current={name === chosen ? 'true' : undefined}
                    aria-label={`${plural(deadLetters, 'message')} that ${name} put aside`}
                  >
                    {formatNumber(deadLetters)}
                  </a>
                ),
              },
              { name: 'Types', cell: ({ types }) => <Types types={types} /> },
            ]}
            rows={subscriptions}
            keyOf={({ name }) => name}
            empty={<Empty title="There are no subscriptions">A process makes one by “gamification.subscribe”.</Empty>}
          />
        )}
      </Loaded>
    </Card>
  )
}

function State({ subscription }: { readonly subscription: SubscriptionStatus }): JSX.Element {
  const { isActive, isCatchingUp, attempts, nextAttemptAt, lastError } = subscription
  return (
    <div class="stack tight">
      <span class="row">
        {isActive ? <Badge tone="good">active</Badge> : <Badge tone="warn">no process takes it</Badge>}
        {isCatchingUp && <Badge tone="ice">catching up</Badge>}
      </span>
      {lastError !== null && (
        <span class="bad">
          {lastError} ({plural(attempts, 'attempt')}
          {nextAttemptAt !== null && (
            <>
              , next <Time at={nextAttemptAt} />
            </>
          )}
          )
        </span>
      )}
    </div>
  )
}

export function Reload({ reload, what }: { readonly reload: () => void; readonly what: string }): JSX.Element {
  return (
    <Button class="small" aria-label={`Reload the ${what}`} onClick={reload}>
      Reload
    </Button>
  )
}
