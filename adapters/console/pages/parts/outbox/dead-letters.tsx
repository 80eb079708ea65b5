import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { DeadLetters as DeadLettersAnswer } from '../../../../../src/engine/answers/wire/subscriptions.ts'
import { call, route } from '../../api.ts'
import { useMayWrite } from '../../session.ts'
import { useAnswer } from '../../use-answer.ts'
import { Badge } from '../badge.tsx'
import { Card } from '../card.tsx'
import { Confirm } from '../confirm.tsx'
import { Empty } from '../empty.tsx'
import { formatNumber, plural } from '../format.ts'
import { Loaded } from '../page.tsx'
import { Pager, usePages } from '../pager.tsx'
import { Table } from '../table.tsx'
import { Time } from '../time.tsx'

interface DeadLettersProps {
  readonly subscription: string
}

/** What a subscription could not hand over and put aside, the newest first. */
export function DeadLetters({ subscription }: DeadLettersProps): JSX.Element {
  const mayWrite = useMayWrite()
  // What is to be handed over again: one message by its id, or all of them.
  const [asked, setAsked] = useState<{ readonly ids: readonly string[] | null } | null>(null)
  const pages = usePages<number>([subscription])
  const answer = useAnswer(
    (signal) =>
      call<DeadLettersAnswer>('GET', route`admin/v1/subscriptions/${subscription}/dead-letters`, {
        query: { limit: 50, before: pages.cursor },
        signal,
      }),
    [subscription, pages.cursor],
  )
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
  return (
    <Card
      title={`Put aside by ${subscription}`}
      padded={false}
      actions={
        mayWrite &&
        hasAny && (
          <button type="button" onClick={() => setAsked({ ids: null })}>
            Hand all over again…
          </button>
        )
      }
    >
      <Loaded answer={answer} what="what was put aside">
        {({ deadLetters, next }) =>
          deadLetters.length === 0 ? (
            <Empty title="Nothing was put aside" />
          ) : (
            <>
              <Table
                caption={`Messages that ${subscription} put aside, the newest first`}
                columns={[
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
                  { name: 'Tries', kind: 'number', cell: ({ tries }) => formatNumber(tries) },
                  { name: 'Last error', cell: ({ lastError }) => lastError ?? '' },
                  ...(mayWrite
                    ? [
                        {
                          name: 'Hand over again',
                          kind: 'fit' as const,
                          isNameHidden: true,
                          cell: ({ message, isRetried }: DeadLettersAnswer['deadLetters'][number]) =>
                            isRetried ? null : (
                              <button
                                type="button"
                                class="small"
                                aria-label={`Hand the message ${message.id} over again`}
                                onClick={() => setAsked({ ids: [message.id] })}
                              >
                                Again…
                              </button>
                            ),
                        },
                      ]
                    : []),
                ]}
                rows={deadLetters}
                keyOf={({ position }) => position}
              />
              <Pager pages={pages} next={next} />
            </>
          )
        }
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
