import { GamificationError } from '../../src/errors.ts'
import type { LoadedUser, UserSave } from '../../src/storage.ts'
import type { UserKey } from '../../src/storage-rows.ts'

/** Throws `internal` where a save does not follow from what was loaded. */
export function checkSave(loaded: LoadedUser, { before, after, appended }: UserSave): void {
  const seq = loaded.state?.seq ?? 0
  if ((before?.seq ?? 0) !== seq) fail(loaded, 'does not start from the stored state')
  if (after.seq !== seq + appended.length) fail(loaded, 'counts its entries wrongly')
  if (appended.some((entry, index) => entry.seq !== seq + index + 1)) fail(loaded, 'has a gap in its entries')
}

/** Throws `internal` for the save of a user. */
export function fail({ tenant, user }: UserKey, what: string): never {
  throw new GamificationError('internal', `The save of user ${JSON.stringify([tenant, user])} ${what}.`)
}
