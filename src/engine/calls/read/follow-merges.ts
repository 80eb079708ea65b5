import type { UserState } from '../../../rules/state.ts'
import type { Storage } from '../../../storage.ts'
import type { UserKey } from '../../../storage-rows.ts'

/** A user by its own id, where the one that is given is another name: its own is that of the user it was merged into. */
export async function followMerges(
  storage: Pick<Storage, 'readUser'>,
  key: UserKey,
): Promise<{ readonly key: UserKey; readonly state: UserState | null }> {
  const { state } = await storage.readUser(key)
  const into = state?.mergedInto ?? null
  return into === null ? { key, state } : followMerges(storage, { tenant: key.tenant, user: into })
}
