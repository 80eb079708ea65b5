import type { RemovedUser, RemoveUserOptions } from '../../src/storage.ts'
import type { UserKey } from '../../src/storage-rows.ts'
import type { SqlTraits } from '../sql/traits.ts'
import { toVersion } from '../sql/user-rows.ts'
import { toLoadRow } from './load.ts'
import { quote } from './quote.ts'
import type { Runner } from './runner.ts'
import { addSave, SaveRows } from './save-rows.ts'

/** What `remove_user_v1` takes: JSON texts, the second null where nobody is put in the user's place. */
export function toRemoval(
  traits: SqlTraits,
  { tenant, user }: UserKey,
  { version, replacement }: RemoveUserOptions,
  place: { readonly own: boolean; readonly slot: number },
): readonly [input: string, save: string | null] {
  const input = JSON.stringify({ tenant, user, ...(version === undefined ? {} : { version }), ...place })
  if (replacement === undefined) return [input, null]
  const other = { tenant, user: replacement.user, lookups: [] }
  const rows = new SaveRows()
  addSave(rows, traits, 0, { ...other, state: null, version: 0, found: [] }, replacement.save, toVersion())
  const document = { ...rows.toObject(), epoch: replacement.epoch, users: [toLoadRow(other, 0)], slot: place.slot }
  return [input, JSON.stringify(document)]
}

/** Asked once: a second time it would remove whoever has come under the id meanwhile. */
export async function removeUser(
  runner: Runner,
  schema: string,
  removal: ReturnType<typeof toRemoval>,
): Promise<RemovedUser> {
  const text = `select ${quote(schema)}.remove_user_v1($1, $2) as outcome`
  const toValues = (values: ReturnType<typeof toRemoval>) => [...values]
  const [row] = await runner.once<typeof removal, { readonly outcome: RemovedUser }>({ text, toValues }, removal)
  return row?.outcome ?? 'unknown'
}
