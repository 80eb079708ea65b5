import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { toPath } from '../../router.ts'
import { DamagedUsers } from '../drift.tsx'
import { formatChange, formatNumber } from '../format.ts'
import { Card, Empty, Figures } from '../page.tsx'
import { Table } from '../table.tsx'
import { ChangeTable } from './change-table.tsx'
import type { WhatIfReport, WhatIfUser } from './types.ts'

interface ReportProps {
  readonly report: WhatIfReport
  /** What people call things of both games, by key or id. */
  readonly names: WhatIfNames
}

export interface WhatIfNames {
  readonly achievement: (key: string) => string
  readonly system: (key: string) => string
  readonly trigger: (system: string, id: string) => string
  readonly leaderboard: (key: string) => string
}

/** What would be different, for whom, and by how much. */
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
      {changed === 0 && leaderboards.length === 0 && <Empty title="Nobody would gain or lose anything" />}
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

interface PointsRow {
  readonly gains: number
  readonly minted: number
  readonly loses: number
  readonly gone: number
}

const POINTS: readonly (readonly [string, (row: PointsRow) => number])[] = [
  ['Users gain', ({ gains }) => gains],
  ['Minted', ({ minted }) => minted],
  ['Users lose', ({ loses }) => loses],
  ['Gone', ({ gone }) => gone],
]

/** So many users at first, as on the command line. */
const AT_FIRST = 10

interface LargestProps {
  readonly users: readonly WhatIfUser[]
  readonly names: WhatIfNames
}

function Largest({ users, names }: LargestProps): JSX.Element {
  const [isAll, setIsAll] = useState(false)
  const hasTenants = users.some(({ tenant }) => tenant !== '')
  return (
    <Card title="The largest differences" padded={false}>
      <Table
        caption="The users with the largest differences: of points, then of achievements"
        columns={[
          {
            name: 'User',
            isHeader: true,
            cell: ({ user }) => (
              <a href={toPath(['users', user])} dir="auto">
                {user}
              </a>
            ),
          },
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
        ]}
        rows={isAll ? users : users.slice(0, AT_FIRST)}
        keyOf={({ tenant, user }) => `${tenant} ${user}`}
      />
      {users.length > AT_FIRST && !isAll && (
        <div class="pager">
          <span class="muted">
            {formatNumber(AT_FIRST)} of {formatNumber(users.length)}
          </span>
          <button type="button" class="small" onClick={() => setIsAll(true)}>
            Show all
          </button>
        </div>
      )}
    </Card>
  )
}
