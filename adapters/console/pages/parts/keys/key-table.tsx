import type { JSX } from 'preact'
import type { ApplicationKey } from '../../../../../src/engine/answers/wire/keys.ts'
import { toPath } from '../../router.ts'
import { Badge } from '../badge.tsx'
import { type Column, Table } from '../table.tsx'
import { Time } from '../time.tsx'

interface KeyTableProps {
  readonly keys: readonly ApplicationKey[]
  /** null: nothing may be deleted. */
  readonly remove: ((key: ApplicationKey) => void) | null
}

const COLUMNS: readonly Column<ApplicationKey>[] = [
  { name: 'Key', isHeader: true, cell: ({ prefix }) => <code>{prefix}.…</code> },
  {
    name: 'User',
    cell: ({ userId }) => (
      <a href={toPath(['users', userId])} dir="auto">
        {userId}
      </a>
    ),
  },
  { name: 'May', cell: ({ can }) => <Can can={can} /> },
  { name: 'Created', cell: ({ createdAt }) => <Time at={createdAt} /> },
  { name: 'Ends', cell: ({ expiresAt }) => (expiresAt === null ? 'never' : <Time at={expiresAt} />) },
]

/** Application keys without their secrets. */
export function KeyTable({ keys, remove }: KeyTableProps): JSX.Element {
  const deleting: Column<ApplicationKey> = {
    name: 'Delete',
    kind: 'fit',
    isNameHidden: true,
    cell: (key) => (
      <button type="button" class="small" aria-label={`Delete the key ${key.prefix}`} onClick={() => remove?.(key)}>
        Delete…
      </button>
    ),
  }
  return (
    <Table
      caption="Application keys, without their secrets"
      columns={remove === null ? COLUMNS : [...COLUMNS, deleting]}
      rows={keys}
      keyOf={({ id }) => id}
    />
  )
}

function Can({ can }: Pick<ApplicationKey, 'can'>): JSX.Element {
  if (can === null) return <>all that the game lets clients do</>
  if (can.length === 0) return <Badge tone="bad">nothing: what is stored cannot be read</Badge>
  return (
    <span class="row">
      {can.map((each) => (
        <Badge key={each}>{each}</Badge>
      ))}
    </span>
  )
}
