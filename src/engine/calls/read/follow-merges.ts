import type { UserState } from '../../../rules/state.ts'
import type { Storage } from '../../../storage.ts'
import type { UserKey } from '../../../storage-rows.ts'

/** The user that an id leads to: in place of a merged user the one into whom it was merged. */
export async function followMerges(
  storage: Pick<Storage, 'readUser'>,
  key: UserKey,
): Promise<{ readonly key: UserKey; readonly state: UserState | null }> {
  const { state } = await storage.readUser(key)
  const into = state?.mergedInto ?? null
  return into === null ? { key, state } : followMerges(storage, { tenant: key.tenant, user: into })
}
