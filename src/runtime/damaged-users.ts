import { GamificationError, isGamificationError, reasonsOf } from '../errors.ts'
import type { Entry } from '../rules/entry.ts'
import type { DamagedUser } from '../shapes/users.ts'
import type { UserKey } from '../storage/rows.ts'
import type { StoredUser } from '../storage/storage.ts'

export function damageOf({ tenant, user }: UserKey, error: unknown): DamagedUser {
  if (isGamificationError(error) && error.code === 'user_damaged') return { tenant, user, message: error.message }
  throw error
}

export const MISSING_ROW = "The user's own row is missing: npx laurels rebuild makes it again."

export function missingLines(lines: number, expected: number): string {
  return (
    `The user's log has ${lines} ${lines === 1 ? 'line' : 'lines'}, but should have ${expected}. ` +
    'The user takes new events, but no late ones and no voids. Restore the log from a backup.'
  )
}

export function unknownEpoch({ seq, epoch }: Pick<Entry, 'seq' | 'epoch'>): string {
  return `The row with seq ${seq} of the user's log names the epoch ${epoch}, which has no stored game.`
}

/** Runs pure work on one line of a log. An error shows that the line is damaged. */
export function withLine<T>({ seq }: Pick<Entry, 'seq'>, work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (isGamificationError(error)) throw error
    const message = `The row with seq ${seq} of the user's log is damaged: ${reasonsOf(error).join(': ')}. Restore it from a backup.`
    throw new GamificationError('user_damaged', message, { cause: error })
  }
}

/** Throws `user_damaged` if the user has not changed since the last attempt, so that no write explains the failure. */
export function startDamageCheck(user: string): (storedUser: StoredUser) => void {
  let before: StoredUser | null = null
  return (storedUser) => {
    if (before?.version === storedUser.version && before.epoch === storedUser.epoch) throw damagedLog(user)
    before = storedUser
  }
}

/** The error of a change of the past if the user's log does not lead to the stored rows. */
export function damagedLog(user: string): GamificationError {
  const message =
    `The log of the user ${JSON.stringify(user)} lacks lines, or a line names a game that is not stored. ` +
    'Nothing was saved. Run npx laurels verify, and restore the rows that it names from a backup.'
  return new GamificationError('user_damaged', message)
}
