import { type Statement, statement } from './statement.ts'
import type { SnapshotsTable, UserColumns } from './tables.ts'
import type { SqlTraits } from './traits.ts'

export type SnapshotRow = Omit<SnapshotsTable, keyof UserColumns>

export interface SnapshotQueries {
  /** The snapshot of the most lines whose last line is at an instant or before it. */
  readonly newest: Statement<UserColumns & { readonly until: number }, SnapshotRow>
  /** Removes the snapshots of more lines than `lines`. */
  readonly removeAfter: Statement<UserColumns & { readonly lines: number }, unknown>
}

export function snapshotQueries(traits: SqlTraits): SnapshotQueries {
  return {
    newest: statement(traits, (bind) =>
      traits.kysely
        .selectFrom('snapshots')
        .select(['lines', 'at', 'seq', 'since', 'state'])
        .where('tenant_id', '=', bind('tenant_id'))
        .where('user_id', '=', bind('user_id'))
        .where('at', '<=', bind('until'))
        .orderBy('lines', 'desc')
        .limit(1),
    ),
    removeAfter: statement(traits, (bind) =>
      traits.kysely
        .deleteFrom('snapshots')
        .where('tenant_id', '=', bind('tenant_id'))
        .where('user_id', '=', bind('user_id'))
        .where('lines', '>', bind('lines')),
    ),
  }
}
