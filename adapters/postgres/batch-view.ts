import { GamificationError } from '../../src/errors.ts'
import type { Decide, LoadedUser, UserRequest, UserSave } from '../../src/storage.ts'
import { toVersion } from '../sql/user-rows.ts'
import { type LoadedRows, type LoadRow, toLoadedUser, toLoadRow } from './load.ts'
import { quote } from './quote.ts'
import type { Runner } from './runner.ts'

/** A request whose user has not been stored yet. */
export interface OpenUser {
  readonly n: number
  readonly request: UserRequest
  readonly loaded: LoadedUser
}

export interface DecidedUser extends OpenUser {
  readonly save: UserSave
  /** The version of the user once it is stored. */
  readonly version: number
}

export interface BatchView {
  readonly epoch: number
  readonly open: readonly OpenUser[]
  /** Whether the users were read for this batch, and not remembered from earlier ones. */
  readonly isRead: boolean
}

export type NumberedRequest = Pick<OpenUser, 'n' | 'request'>

/** Reads the users of a batch. */
export async function loadBatch(
  runner: Runner,
  schema: string,
  requests: readonly NumberedRequest[],
  end: number,
): Promise<BatchView> {
  const rows: readonly LoadRow[] = requests.map(({ n, request }) => toLoadRow(request, n))
  const text = `select ${quote(schema)}.load($1::text::jsonb)::text as value`
  const answer = await runner.value<string>(text, [JSON.stringify(rows)], end)
  return toBatchView(JSON.parse(answer), requests)
}

export function toBatchView({ epoch, users }: LoadedRows, requests: readonly NumberedRequest[]): BatchView {
  const byNumber = new Map(users.map((rows) => [rows.n, rows]))
  const open = requests.flatMap(({ n, request }) => {
    const rows = byNumber.get(n)
    return rows === undefined ? [] : [{ n, request, loaded: toLoadedUser(request, rows) }]
  })
  return { epoch, open, isRead: true }
}

export function decideAll({ epoch, open }: BatchView, decide: Decide): readonly DecidedUser[] {
  const saves = decide(
    open.map(({ loaded }) => loaded),
    epoch,
  )
  if (saves.length !== open.length) {
    throw new GamificationError('internal', `decide answered ${saves.length} of ${open.length} users.`)
  }
  return open.flatMap((user, index) => {
    const save = saves[index]
    return save ? [{ ...user, save, version: toVersion() }] : []
  })
}
