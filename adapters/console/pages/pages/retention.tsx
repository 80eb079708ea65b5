import type { JSX } from 'preact'
import { formatDate, formatNumber, toDate } from '../parts/format.ts'
import { Card, ConsolePage, Empty, Loaded } from '../parts/page.tsx'
import { Table } from '../parts/table.tsx'
import type { RetentionGroup, RetentionResponse } from '../types.ts'
import { useGet } from '../use-answer.ts'

/** The newest users whose 30 days are over in every time zone. */
const NEWEST = 32
/** The days on which the compared users were created. */
const CREATED_DAYS = 30

/** The control group of the experiment beside all other users. */
export function RetentionPage(): JSX.Element {
  const [from, to] = [toDate(new Date(), 1 - NEWEST - CREATED_DAYS), toDate(new Date(), -NEWEST)]
  const answer = useGet<RetentionResponse>('admin/v1/activity/retention', { from, to })
  return (
    <ConsolePage title="Retention">
      <Card title={`Users created from ${formatDate(from)} to ${formatDate(to)}`} padded={false}>
        <Loaded answer={answer} what="the users">
          {(data) => <Comparison answer={data} />}
        </Loaded>
      </Card>
    </ConsolePage>
  )
}

const MEASURES: readonly { readonly name: string; readonly of: (group: RetentionGroup) => string }[] = [
  { name: 'Users', of: ({ users }) => formatNumber(users) },
  { name: 'Users with an event', of: ({ users, activeUsers }) => share(activeUsers, users) },
  ...[1, 7, 14, 30].map((day, index) => ({
    name: day === 1 ? 'Came back after 1 day' : `Came back after ${day} days`,
    of: ({ days }: RetentionGroup) => share(days[index]?.returned ?? 0, days[index]?.users ?? 0),
  })),
  { name: 'Active days per user', of: ({ users, activeDays }) => ratio(activeDays, users) },
  { name: 'Events per active user', of: ({ activeUsers, events }) => ratio(events, activeUsers) },
]

function Comparison({ answer: { groups, isWhole } }: { readonly answer: RetentionResponse }): JSX.Element {
  const [others, control] = groups
  if (control === undefined || others === undefined || control.users + others.users === 0) {
    return <Empty title="There are no users of these dates" />
  }
  return (
    <>
      <Table
        caption="The control group beside all other users"
        columns={[
          { name: 'In the 30 days after the first', isHeader: true, cell: ({ name }) => name },
          { name: 'Control group', kind: 'number', cell: ({ of }) => of(control) },
          { name: 'All others', kind: 'number', cell: ({ of }) => of(others) },
        ]}
        rows={MEASURES}
      />
      {!isWhole && <p class="card-body muted">There are more users. These were created first.</p>}
      {control.users === 0 && (
        <p class="card-body muted">
          No user is in a control group. Give the game <code>experiment: {'{ controlRatio: 0.1 }'}</code> to have one.
        </p>
      )}
    </>
  )
}

function share(part: number, whole: number): string {
  return whole === 0 ? '–' : `${formatNumber(Math.round((1_000 * part) / whole) / 10)} %`
}

function ratio(sum: number, count: number): string {
  return count === 0 ? '–' : formatNumber(Math.round((10 * sum) / count) / 10)
}
