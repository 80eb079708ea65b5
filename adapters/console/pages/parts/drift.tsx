import type { JSX } from 'preact'
import { toPath } from '../router.ts'
import type { AuditReport, DamagedUser } from '../types.ts'
import { Copy } from './dialog.tsx'
import { countOf } from './format.ts'
import { Card } from './page.tsx'
import { scrolls, Table } from './table.tsx'

type Drift = AuditReport['drift'][number]
type DriftRow = Drift['key']

interface DriftReportProps {
  readonly title: string
  readonly report: AuditReport
  readonly isRepaired: boolean
}

/** The number of checked users, and each row that differs. */
export function DriftReport({ title, report, isRepaired }: DriftReportProps): JSX.Element {
  const { users, entries, drift, damaged } = report
  const looked = `${countOf(users, 'user')} with ${countOf(entries, 'entry', 'entries')} looked at`
  const rows = countOf(drift.length, 'row')
  const found =
    drift.length === 0
      ? 'every row is what the logs say.'
      : `${rows} ${drift.length === 1 ? 'was' : 'were'} not what the logs say${isRepaired ? ', and now they are' : ''}.`
  return (
    <Card title={title} padded={false}>
      <p class="card-body" role="status">
        {looked}: {found}
      </p>
      <DamagedUsers damaged={damaged} />
      {drift.length > 0 && (
        <Table
          caption="Rows that were not what the logs say"
          columns={[
            { name: 'Table', isHeader: true, cell: ({ table }) => <code>{table}</code> },
            { name: 'Row', cell: ({ key }) => <Key row={key} /> },
            { name: 'Stored', cell: (row) => <Side row={row.stored} columns={differing(row)} /> },
            { name: 'By the log', cell: (row) => <Side row={row.expected} columns={differing(row)} /> },
          ]}
          rows={drift}
          most={100}
        />
      )}
    </Card>
  )
}

/** The damaged users and the reasons. Renders nothing if there are none. */
export function DamagedUsers({ damaged }: { readonly damaged: readonly DamagedUser[] }): JSX.Element | null {
  if (damaged.length === 0) return null
  return (
    <Table
      caption="Damaged users"
      columns={[
        {
          name: 'Damaged user',
          isHeader: true,
          cell: ({ tenant, user }) => <code>{tenant === '' ? user : `${tenant} / ${user}`}</code>,
        },
        { name: 'What is damaged', cell: ({ message }) => message },
      ]}
      rows={damaged}
    />
  )
}

/** The columns outside the key in which the rows differ. If there is only one row: all of them. */
function differing({ key, stored, expected }: Drift): readonly string[] {
  const columns = new Set([...Object.keys(stored ?? {}), ...Object.keys(expected ?? {})])
  return [...columns].filter(
    (column) =>
      !Object.hasOwn(key, column) && (stored === null || expected === null || stored[column] !== expected[column]),
  )
}

function Key({ row }: { readonly row: DriftRow }): JSX.Element {
  return (
    <ul class="plain-list">
      {Object.entries(row)
        .filter(([column, value]) => !(column === 'tenant_id' && value === ''))
        .map(([column, value]) => (
          <li key={column}>
            <code>{column}</code>{' '}
            {column === 'user_id' && typeof value === 'string' ? (
              <a href={toPath(['users', value])}>{value}</a>
            ) : (
              String(value)
            )}
          </li>
        ))}
    </ul>
  )
}

function Side({ row, columns }: { readonly row: DriftRow | null; readonly columns: readonly string[] }): JSX.Element {
  if (row === null) return <span class="muted">no row</span>
  if (columns.length === 0) return <span class="muted">a row</span>
  return <code>{columns.map((column) => `${column} ${JSON.stringify(row[column] ?? null)}`).join(', ')}</code>
}

/** Indented JSON, with a button that copies it. `label` is for screen readers: `The definition of the game`. */
export function JsonView({ value, label }: { value: unknown; label: string }): JSX.Element {
  const text = JSON.stringify(value, null, 2) ?? 'undefined'
  return (
    <div class="stack tight">
      <div class="row end">
        <Copy text={text} name="Copy JSON" />
      </div>
      <pre class="json" {...scrolls(label)}>
        {text}
      </pre>
    </div>
  )
}
