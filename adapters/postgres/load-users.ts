import { fromMovementRow, type MovementRow } from '../../src/sql/movements.ts'
import { type ProgressRow, toLoadedState } from '../../src/sql/read-user.ts'
import type { NoticeRow, UserRow } from '../../src/sql/user-rows.ts'
import type { LoadedUser, UserRequest } from '../../src/storage/storage.ts'
import type { Runner } from './runner.ts'
import { quoteIdentifier } from './sql-text.ts'

export interface LoadedRows {
  readonly epoch: number
  readonly users: readonly {
    /** The number of the user's request. */
    readonly n: number
    readonly user: (UserRow & NoticeRow) | null
    readonly progress: readonly ProgressRow[]
    readonly found: readonly (string | null)[]
    /** `null` unless the request names spends. */
    readonly spent: readonly MovementRow[] | null
  }[]
}

export interface LoadRow {
  readonly n: number
  readonly tenant_id: string
  readonly user_id: string
  readonly lookups: UserRequest['lookups']
  readonly spends?: UserRequest['spends']
}

export function toLoadRow({ tenant, user, lookups, spends }: UserRequest, n: number): LoadRow {
  return { n, tenant_id: tenant, user_id: user, lookups, spends }
}

function toLoadedUser({ tenant, user }: UserRequest, rows: LoadedRows['users'][number]): LoadedUser {
  const { found, spent } = rows
  const loaded = { tenant, user, found, ...toLoadedState(user, rows.user ?? undefined, rows.progress) }
  return spent === null ? loaded : { ...loaded, spent: spent.map(fromMovementRow) }
}

/** A request whose user has not been stored yet. */
export interface OpenUser {
  readonly n: number
  readonly request: UserRequest
  readonly loaded: LoadedUser
  /** True if the user was read for this batch, and not cached by an earlier one. */
  readonly isRead: boolean
}

export interface LoadedBatch {
  readonly epoch: number
  readonly open: readonly OpenUser[]
}

export type NumberedRequest = Pick<OpenUser, 'n' | 'request'>

export async function loadBatch(
  runner: Runner,
  schema: string,
  requests: readonly NumberedRequest[],
  end: number,
): Promise<LoadedBatch> {
  const rows: readonly LoadRow[] = requests.map(({ n, request }) => toLoadRow(request, n))
  const text = `select ${quoteIdentifier(schema)}.load($1::text::jsonb)::text as value`
  const answer = await runner.value<string>(text, [JSON.stringify(rows)], end)
  return toLoadedBatch(JSON.parse(answer), requests)
}

export function toLoadedBatch({ epoch, users }: LoadedRows, requests: readonly NumberedRequest[]): LoadedBatch {
  const byNumber = new Map(users.map((rows) => [rows.n, rows]))
  const open = requests.flatMap(({ n, request }) => {
    const rows = byNumber.get(n)
    return rows === undefined ? [] : [{ n, request, loaded: toLoadedUser(request, rows), isRead: true }]
  })
  return { epoch, open }
}
