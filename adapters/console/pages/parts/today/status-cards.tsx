import type { JSX } from 'preact'
import type { StatusResponse } from '../../../../../src/api/operate/types.ts'
import { toPath } from '../../router.ts'
import { formatDate, formatNumber, plural } from '../format.ts'
import { Card, Empty, Facts } from '../page.tsx'
import { Badge, Time } from '../person.tsx'
import { Table } from '../table.tsx'

/** Whether the engine does its work, and what waits for it. */
export function HealthCard({ status }: { readonly status: StatusResponse }): JSX.Element {
  const { health, game, due, messages, storage } = status
  return (
    <Card
      title="State"
      actions={health.status === 'ok' ? <Badge tone="good">Working</Badge> : <Badge tone="bad">Failing</Badge>}
    >
      {health.message !== null && <p class="failure">{health.message}</p>}
      <Facts
        facts={[
          ['Storage', `${storage}, answers in ${formatNumber(health.storageMs)} ms`],
          [
            'Game',
            <>
              <a href={toPath(['game'])}>Epoch {formatNumber(game.epoch)}</a>{' '}
              {game.isNewest ? (
                <Badge tone="good">newest</Badge>
              ) : (
                <Badge tone="warn">behind: epoch {formatNumber(game.newestEpoch)} is stored</Badge>
              )}
            </>,
          ],
          ['Pending notifications', <Waiting count={due.users} one="user" since={due.oldest} />],
          ['Undelivered messages', <Waiting count={messages.waiting} one="message" since={messages.oldest} />],
        ]}
      />
    </Card>
  )
}

/** How many wait, and since when. More are not counted. */
const MOST_COUNTED = 10_000

interface WaitingProps {
  readonly count: number
  readonly one: string
  readonly since: string | null
}

function Waiting({ count, one, since }: WaitingProps): JSX.Element {
  if (count === 0) return <span>0</span>
  return (
    <>
      {count >= MOST_COUNTED ? `${formatNumber(MOST_COUNTED)} ${one}s or more` : plural(count, one)}
      {since !== null && (
        <span class="muted">
          {' '}
          since <Time at={since} />
        </span>
      )}
    </>
  )
}

/** The leaderboards that go on now. */
export function RunsCard({ leaderboards }: Pick<StatusResponse, 'leaderboards'>): JSX.Element {
  return (
    <Card title="Active leaderboards" padded={false}>
      {leaderboards.length === 0 ? (
        <Empty title="There are no active leaderboards." />
      ) : (
        <Table
          caption="Active leaderboards, with the dates of the run and its users"
          columns={[
            {
              name: 'Leaderboard',
              isHeader: true,
              cell: ({ key, name }) => (
                <a href={toPath(['leaderboards', key])} dir="auto">
                  {name}
                </a>
              ),
            },
            {
              name: 'Run',
              cell: ({ run: { start, end } }) =>
                end === null ? `since ${formatDate(start)}` : `${formatDate(start)} to ${formatDate(end)}`,
            },
            {
              name: 'Users',
              kind: 'number',
              cell: ({ users }) => (users >= MOST_COUNTED ? `${formatNumber(MOST_COUNTED)}+` : formatNumber(users)),
            },
          ]}
          rows={leaderboards}
          keyOf={({ key }) => key}
        />
      )}
    </Card>
  )
}
