import type { JSX } from 'preact'
import type { WhatIfReport, WhatIfUser } from '../../types.ts'
import { DamagedUsers } from '../drift.tsx'
import { formatChange, formatNumber } from '../format.ts'
import { Card, Empty, Figures } from '../page.tsx'
import { UserLink } from '../person.tsx'
import { type Column, Table } from '../table.tsx'

/** Names of both games, by key or id. */
export interface WhatIfNames {
  readonly achievement: (key: string) => string
  readonly system: (key: string) => string
  readonly trigger: (system: string, id: string) => string
  readonly challenge: (key: string) => string
  readonly leaderboard: (key: string) => string
}

export function Report({ report, names }: { report: WhatIfReport; names: WhatIfNames }): JSX.Element {
  const { users, changed, achievements, points, triggers, levels, challenges, leaderboards, largest, damaged } = report
  const ofAchievement = ({ key }: { key: string }): string => names.achievement(key)
  const ofChallenge = ({ key }: { key: string }): string => names.challenge(key)
  const ofLeaderboard = ({ key }: { key: string }): string => names.leaderboard(key)
  const ofSystem = ({ system }: { system: string }): string => names.system(system)
  const ofTrigger = ({ system, trigger }: { system: string; trigger: string }): string =>
    `${names.system(system)}: ${names.trigger(system, trigger)}`
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
      <ChangeTable title="Achievements" of="Achievement" rows={achievements} name={ofAchievement} figures={GAINED} />
      <ChangeTable title="Points" of="Points system" rows={points} name={ofSystem} figures={POINTS} />
      <ChangeTable title="Triggers" of="Trigger" rows={triggers} name={ofTrigger} figures={POINTS} />
      <ChangeTable title="Levels" of="Points system" rows={levels} name={ofSystem} figures={LEVELS} />
      <ChangeTable title="Challenges" of="Challenge" rows={challenges} name={ofChallenge} figures={GAINED} />
      <ChangeTable title="Leaderboards" of="Leaderboard" rows={leaderboards} name={ofLeaderboard} figures={PLACES} />
      {largest.length > 0 && <Largest users={largest} names={names} />}
    </div>
  )
}

const GAINED = { 'Users gain': 'gained', 'Users lose': 'lost' } as const
const LEVELS = { 'Users up': 'up', 'Users down': 'down' } as const
const PLACES = { 'Users enter': 'entered', Leave: 'left', 'Go up': 'up', 'Go down': 'down' } as const
const POINTS = { 'Users gain': 'gains', Minted: 'minted', 'Users lose': 'loses', Gone: 'gone' } as const

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
        most={AT_FIRST}
      />
    </Card>
  )
}

interface ChangeTableProps<Row> {
  readonly title: string
  /** The kind of rule that the row is about: `Achievement`. */
  readonly of: string
  readonly rows: readonly Row[]
  readonly name: (row: Row) => string
  /** The fields that have the figures, by the names of their columns. */
  readonly figures: { readonly [column: string]: keyof Row }
}

/** Gains and losses. Renders nothing if there are none. */
function ChangeTable<Row>({ title, of, rows, name, figures }: ChangeTableProps<Row>): JSX.Element | null {
  if (rows.length === 0) return null
  const columns: readonly Column<Row>[] = [
    { name: of, isHeader: true, cell: name },
    ...Object.entries(figures).map(([column, field]) => ({
      name: column,
      kind: 'number' as const,
      cell: (row: Row) => formatNumber(Number(row[field])),
    })),
  ]
  return (
    <Card title={title} padded={false}>
      <Table caption={title} columns={columns} rows={rows} most={25} />
    </Card>
  )
}
