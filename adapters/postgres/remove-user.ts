import type { RemovedUser, RemoveUserOptions } from '../../src/storage.ts'
import type { UserKey } from '../../src/storage-rows.ts'
import type { SqlTraits } from '../sql/traits.ts'
import { toVersion } from '../sql/user-rows.ts'
import { toLoadRow } from './load.ts'
import { quote } from './quote.ts'
import type { Runner } from './runner.ts'
import { SaveRows, toSavedLists } from './save-rows.ts'

type Removal = readonly [input: string, save: string | null]

/** What `remove_user` takes: JSON texts, the second null where nothing is stored in the same step. */
export async function toRemoval(
  traits: SqlTraits,
  { tenant, user }: UserKey,
  { version, keepsNames = false, replacement }: RemoveUserOptions,
  place: { readonly own: boolean; readonly slot: number },
): Promise<Removal> {
  const removal = { tenant, user, keep: keepsNames, ...(version === undefined ? {} : { version }), ...place }
  const input = JSON.stringify(removal)
  if (replacement === undefined) return [input, null]
  const users = replacement.users.map((other, n) => toLoadRow({ tenant, user: other.user, lookups: [] }, n))
  const saves = replacement.users.map(({ user: other, version: read, save }, n) => {
    const loaded = { tenant, user: other, state: save.before, version: read, found: [], told: null }
    return { n, loaded, save, version: toVersion() }
  })
  const document = {
    ...toSavedLists(new SaveRows(), traits, saves),
    epoch: replacement.epoch,
    users,
    slot: place.slot,
  }
  return [input, JSON.stringify(document)]
}

/** Asked once: a second time it would remove whoever has come under the id meanwhile. */
export async function removeUser(runner: Runner, schema: string, removal: Removal): Promise<RemovedUser> {
  const text = `select ${quote(schema)}.remove_user($1, $2) as outcome`
  const toValues = (values: Removal) => [...values]
  const [row] = await runner.once<Removal, { readonly outcome: RemovedUser }>({ text, toValues }, removal)
  return row?.outcome ?? 'unknown'
}
