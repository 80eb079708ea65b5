import type { ComponentChildren, JSX } from 'preact'
import type { WhatIfPoints, WhatIfReport, WhatIfUser } from '../../types.ts'
import { DamagedUsers } from '../drift.tsx'
import { formatChange, formatNumber } from '../format.ts'
import { Card, Empty, Figures } from '../page.tsx'
import { UserLink } from '../person.tsx'
import { type Column, Table } from '../table.tsx'

interface ReportProps {
  readonly report: WhatIfReport
  /** Names of both games, by key or id. */
  readonly names: WhatIfNames
}

export interface WhatIfNames {
  readonly achievement: (key: string) => string
  readonly system: (key: string) => string
  readonly trigger: (system: string, id: string) => string
  readonly leaderboard: (key: string) => string
}

export function Report({ report, names }: ReportProps): JSX.Element {
  const { users, changed, achievements, points, triggers, levels, leaderboards, largest, damaged } = report
  return (
    <div class="stack">
      <Figures
        figures={[
          { name: 'Users checked', value: formatNumber(users), id: 'users' },
          { name: 'Would gain or lose something', value: formatNumber(changed), id: 'changed' },
        ]}
      />
      <DamagedUsers damaged={damaged} />
      {changed === 0 && leaderboards.length === 0 && <Empty title="No user would gain or lose anything" />}
      <ChangeTable
        title="Achievements"
        of="Achievement"
        rows={achievements}
        keyOf={({ key }) => key}
        name={({ key }) => names.achievement(key)}
        more={({ gained }) => gained}
        less={({ lost }) => lost}
        figures={[
          ['Users gain', ({ gained }) => gained],
          ['Users lose', ({ lost }) => lost],
        ]}
      />
      <ChangeTable
        title="Points"
        of="Points system"
        rows={points}
        keyOf={({ system }) => system}
        name={({ system }) => names.system(system)}
        more={({ minted }) => minted}
        less={({ gone }) => gone}
        figures={POINTS}
      />
      <ChangeTable
        title="Triggers"
        of="Trigger"
        rows={triggers}
        keyOf={({ system, trigger }) => `${system} ${trigger}`}
        name={({ system, trigger }) => `${names.system(system)}: ${names.trigger(system, trigger)}`}
        more={({ minted }) => minted}
        less={({ gone }) => gone}
        figures={POINTS}
      />
      <ChangeTable
        title="Levels"
        of="Points system"
        rows={levels}
        keyOf={({ system }) => system}
        name={({ system }) => names.system(system)}
        more={({ up }) => up}
        less={({ down }) => down}
        figures={[
          ['Users up', ({ up }) => up],
          ['Users down', ({ down }) => down],
        ]}
      />
      <ChangeTable
        title="Leaderboards"
        of="Leaderboard"
        rows={leaderboards}
        keyOf={({ key }) => key}
        name={({ key }) => names.leaderboard(key)}
        more={({ entered, up }) => entered + up}
        less={({ left, down }) => left + down}
        figures={[
          ['Users enter', ({ entered }) => entered],
          ['Leave', ({ left }) => left],
          ['Go up', ({ up }) => up],
          ['Go down', ({ down }) => down],
        ]}
      />
      {largest.length > 0 && <Largest users={largest} names={names} />}
    </div>
  )
}

const POINTS: readonly (readonly [string, (row: Omit<WhatIfPoints, 'system'>) => number])[] = [
  ['Users gain', ({ gains }) => gains],
  ['Minted', ({ minted }) => minted],
  ['Users lose', ({ loses }) => loses],
  ['Gone', ({ gone }) => gone],
]

/** As on the command line. */
const AT_FIRST = 10

function Largest({ users, names }: { users: readonly WhatIfUser[]; names: WhatIfNames }): JSX.Element {
  const hasTenants = users.some(({ tenant }) => tenant !== '')
  const columns: readonly Column<WhatIfUser>[] = [
    { name: 'User', isHeader: true, cell: ({ user }) => <UserLink id={user} /> },
    ...(hasTenants ? [{ name: 'Tenant', cell: ({ tenant }: WhatIfUser) => tenant }] : []),
    {
      name: 'Points',
      kind: 'number',
      cell: ({ points }) =>
        Object.entries(points)
          .map(([system, by]) => `${names.system(system)} ${formatChange(by)}`)
          .join(', '),
    },
    { name: 'Gains', cell: ({ gained }) => gained.map(names.achievement).join(', ') },
    { name: 'Loses', cell: ({ lost }) => lost.map(names.achievement).join(', ') },
  ]
  return (
    <Card title="The largest differences" padded={false}>
      <Table
        caption="The users with the largest differences: of points, then of achievements"
        columns={columns}
        rows={users}
        keyOf={({ tenant, user }) => `${tenant} ${user}`}
        most={AT_FIRST}
      />
    </Card>
  )
}

interface ChangeTableProps<Row> {
  readonly title: string
  /** What a row is about: `Achievement`. */
  readonly of: string
  readonly rows: readonly Row[]
  readonly keyOf: (row: Row) => string
  readonly name: (row: Row) => ComponentChildren
  /** What the chart shows to the right and to the left. */
  readonly more: (row: Row) => number
  readonly less: (row: Row) => number
  /** The figures, each with the name of its column. */
  readonly figures: readonly (readonly [name: string, figure: (row: Row) => number])[]
}

/** Gains and losses as a chart and as figures. Renders nothing if there are none. */
function ChangeTable<Row>(props: ChangeTableProps<Row>): JSX.Element | null {
  const { title, of, rows, keyOf, name, more, less, figures } = props
  if (rows.length === 0) return null
  const most = Math.max(...rows.map((row) => Math.max(more(row), less(row))))
  const columns: readonly Column<Row>[] = [
    { name: of, isHeader: true, cell: name },
    { name: 'Less | more', cell: (row) => <Diverging more={more(row)} less={less(row)} most={most} /> },
    ...figures.map(([column, figure]) => ({
      name: column,
      kind: 'number' as const,
      cell: (row: Row) => formatNumber(figure(row)),
    })),
  ]
  return (
    <Card title={title} padded={false}>
      <Table caption={title} columns={columns} rows={rows} keyOf={keyOf} most={25} />
    </Card>
  )
}

interface DivergingProps {
  /** To the right. */
  readonly more: number
  /** To the left. */
  readonly less: number
  /** The largest of the whole chart, which fills one side. */
  readonly most: number
}

/** A bar to the left for losses and one to the right for gains. */
function Diverging({ more, less, most }: DivergingProps): JSX.Element {
  const [right, left] = [toWidth(more, most), toWidth(less, most)]
  return (
    <svg class="diverging" viewBox="-100 0 200 16" preserveAspectRatio="none" aria-hidden="true">
      <line x1="0" x2="0" y1="0" y2="16" class="axis" />
      <rect x={-left} y="3" width={left} height="10" class="less" />
      <rect x="0" y="3" width={right} height="10" class="more" />
    </svg>
  )
}

/** The smallest bar is visible. */
function toWidth(count: number, most: number): number {
  return count === 0 || most === 0 ? 0 : Math.max(1, (count / most) * 100)
}
