import type { Told } from '../../src/storage-outbox.ts'
import type { ToldColumn, UserColumns, UsersTable } from './tables.ts'

export type ToldRow = Pick<UsersTable, ToldColumn>

export function toTold({ told_until, due_at }: ToldRow): Told | null {
  return told_until === null ? null : { until: told_until, due: due_at }
}

export function toToldRow(told: Told | null): ToldRow {
  return { told_until: told?.until ?? null, due_at: told?.due ?? null }
}

/** The parameters of `UserQueries.tell`. */
export interface ToldChange extends ToldRow, UserColumns {}
