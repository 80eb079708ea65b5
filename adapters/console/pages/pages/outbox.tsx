import type { JSX } from 'preact'
import { call, route, useMayWrite } from '../api.ts'
import { Badge } from '../parts/badge.tsx'
import { Reload } from '../parts/controls.tsx'
import { type AskingProps, Confirm, DialogOpener, dialogColumn } from '../parts/dialog.tsx'
import { atMost, countOf, formatNumber } from '../parts/format.ts'
import { OneWebhook, WebhooksCard } from '../parts/outbox/webhooks.tsx'
import { ConsolePage, Empty, Figures, Loaded } from '../parts/page.tsx'
import { type Column, TableCard, useList } from '../parts/table.tsx'
import { Since, Time } from '../parts/time.tsx'
import { type PageOf, withQuery } from '../router.ts'
import type { DeadLetters as DeadLettersAnswer, StatusResponse, SubscriptionStatus } from '../types.ts'
import { useGet } from '../use-answer.ts'

/** Messages that wait, their receivers, and their deliveries. */
export function OutboxPage({ query }: PageOf): JSX.Element {
  const webhook = query.get('webhook')
  const subscription = query.get('subscription')
  const status = useGet<StatusResponse>('admin/v1/status')
  return (
    <ConsolePage title="Outbox">
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
      <WebhooksCard chosen={webhook} />
      {webhook !== null && <OneWebhook key={webhook} id={webhook} />}
      <Subscriptions chosen={subscription} />
      {subscription !== null && <DeadLetters key={subscription} subscription={subscription} />}
    </ConsolePage>
  )
}

function since(oldest: string | null): JSX.Element | string {
  return oldest === null ? 'Nothing waits.' : <Since at={oldest} />
}

/** All subscriptions and their progress. `chosen`: the page shows its dead letters. */
function Subscriptions({ chosen }: { readonly chosen: string | null }): JSX.Element {
  const answer = useGet<readonly SubscriptionStatus[]>('admin/v1/subscriptions')
  return (
    <TableCard
      title="Subscriptions"
      actions={<Reload reload={answer.reload} what="subscriptions" />}
      answer={answer}
      what="the subscriptions"
      caption="Subscriptions, and how far each is"
      columns={subscriptionColumns(chosen)}
      rowsOf={(subscriptions) => subscriptions}
      empty={<Empty title="There are no subscriptions">A process makes one by “gamification.subscribe”.</Empty>}
    />
  )
}

function subscriptionColumns(chosen: string | null): readonly Column<SubscriptionStatus>[] {
  return [
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
          aria-label={`${countOf(deadLetters, 'message')} that ${name} put aside`}
        >
          {formatNumber(deadLetters)}
        </a>
      ),
    },
    { name: 'Types', cell: ({ types }) => types.join(', ') },
  ]
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
          {lastError} ({countOf(attempts, 'attempt')}
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
function DeadLetters({ subscription }: { readonly subscription: string }): JSX.Element {
  const mayWrite = useMayWrite()
  const path = route`admin/v1/subscriptions/${subscription}/dead-letters`
  const { answer, pager } = useList<DeadLettersAnswer>(path, 'before', { limit: 50 }, ({ next }) => next)
  const retried = { subscription, done: answer.reload }
  const hasAny = (answer.data?.deadLetters.length ?? 0) > 0
  const again = dialogColumn<DeadLetter>(
    'Hand over again',
    'Again…',
    ({ message, isRetried }) => (isRetried ? null : `Hand the message ${message.id} over again`),
    ({ message }, close) => <Retry {...retried} ids={[message.id]} close={close} />,
  )
  return (
    <TableCard
      title={`Put aside by ${subscription}`}
      actions={
        mayWrite &&
        hasAny && (
          <DialogOpener dialog={(close) => <Retry {...retried} ids={null} close={close} />}>
            Hand all over again…
          </DialogOpener>
        )
      }
      answer={answer}
      what="what was put aside"
      caption={`Messages that ${subscription} put aside, the newest first`}
      columns={mayWrite ? [...DEAD_LETTERS, again] : DEAD_LETTERS}
      rowsOf={({ deadLetters }) => deadLetters}
      empty={<Empty title="Nothing was put aside" />}
      pager={pager}
    />
  )
}

interface RetryProps extends AskingProps {
  readonly subscription: string
  /** The messages. `null` for all of them. */
  readonly ids: readonly string[] | null
}

function Retry({ subscription, ids, done, close }: RetryProps): JSX.Element {
  const isAll = ids === null
  const retry = async (): Promise<string> => {
    const path = route`admin/v1/subscriptions/${subscription}/retry`
    const body = isAll ? {} : { ids }
    const { retried } = await call<{ readonly retried: number }>('POST', path, { body })
    done()
    return `${countOf(retried, 'message')} will be handed over again.`
  }
  return (
    <Confirm
      title={isAll ? `Hand over again all that ${subscription} put aside?` : 'Hand the message over again?'}
      verb="Hand over again"
      run={retry}
      close={close}
    >
      <p>
        The handler of <strong>{subscription}</strong> is called with {isAll ? 'each of them' : 'it'} once more, in the
        process that takes the subscription.
      </p>
    </Confirm>
  )
}
