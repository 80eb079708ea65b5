import type { RemovedUser, RemoveUserOptions } from '../../src/storage.ts'
import type { UserKey } from '../../src/storage-rows.ts'
import type { SqlTraits } from '../sql/traits.ts'
import { toVersion } from '../sql/user-rows.ts'
import { toLoadRow } from './load.ts'
import { quote } from './quote.ts'
import type { Runner } from './runner.ts'
import { addSave, SaveRows } from './save-rows.ts'

/** What `remove_user_v8` takes: JSON texts, the second null where nothing is stored in the same step. */
export function toRemoval(
  traits: SqlTraits,
  { tenant, user }: UserKey,
  { version, keepsNames = false, replacement }: RemoveUserOptions,
  place: { readonly own: boolean; readonly slot: number },
): readonly [input: string, save: string | null] {
  const removal = { tenant, user, keep: keepsNames, ...(version === undefined ? {} : { version }), ...place }
  const input = JSON.stringify(removal)
  if (replacement === undefined) return [input, null]
  const rows = new SaveRows()
  const users = replacement.users.map((other, n) => {
    const { before } = other.save
    addSave(
      rows,
      traits,
      n,
      { tenant, user: other.user, state: before, version: other.version, found: [], told: null },
      other.save,
      toVersion(),
    )
    return toLoadRow({ tenant, user: other.user, lookups: [] }, n)
  })
  const document = { ...rows.toObject(), epoch: replacement.epoch, users, slot: place.slot }
  return [input, JSON.stringify(document)]
}

/** Asked once: a second time it would remove whoever has come under the id meanwhile. */
export async function removeUser(
  runner: Runner,
  schema: string,
  removal: ReturnType<typeof toRemoval>,
): Promise<RemovedUser> {
  const text = `select ${quote(schema)}.remove_user_v8($1, $2) as outcome`
  const toValues = (values: ReturnType<typeof toRemoval>) => [...values]
  const [row] = await runner.once<typeof removal, { readonly outcome: RemovedUser }>({ text, toValues }, removal)
  return row?.outcome ?? 'unknown'
}
