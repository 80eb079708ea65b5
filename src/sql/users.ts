import type { UserState } from '../rules/state.ts'
import { type UserKey, userKeyText } from '../storage/rows.ts'
import type { Statement } from '../storage/statements.ts'
import type { LoadedUser } from '../storage/storage.ts'
import { assign, insertText, OF_USER, same, statement } from './database.ts'
import { COLUMNS, type StateTable, type UserColumns } from './tables.ts'
import { FREQUENT_COLUMNS, type FrequentRow, type NoticeRow, type StateRow, type UserRow } from './user-rows.ts'

/** The columns of a user's row that a state is made of. */
export const USER_COLUMNS: readonly (keyof UserRow)[] = Object.keys(COLUMNS.users).filter(isOfState)

function isOfState(column: string): column is keyof UserRow {
  return !['tenant_id', 'user_id', 'notices_sent_until', 'next_notice_at'].includes(column)
}

export const LOAD_USER: Statement<UserKey, UserRow & NoticeRow> = statement(
  `select ${[...USER_COLUMNS, 'notices_sent_until', 'next_notice_at'].join(', ')} from laurels.users where ${OF_USER}`,
)

/** The users who are other names of one user. */
export const OTHER_NAMES: Statement<UserKey, Pick<UserKey, 'user'>> = statement(
  'select user_id as "user" from laurels.users where tenant_id = :tenant and merged_into = :user',
)

export const INSERT_USER: Statement<StateTable, unknown> = statement(
  insertText('users', ['tenant_id', 'user_id', ...USER_COLUMNS]),
)

/** Changes no row if the version is no longer `read_version`. */
export const UPDATE_USER: Statement<StateRow, unknown> = updateOf(USER_COLUMNS)

/** As `UPDATE_USER`, of all columns but those that only a merge or a rebuild changes. */
export const UPDATE_MOST: Statement<StateRow, unknown> = updateOf(
  USER_COLUMNS.filter((column) => column !== 'created' && column !== 'merged_into'),
)

/**
 * As `UPDATE_USER`, of `FREQUENT_COLUMNS`. It names no column of an index: SQLite writes an index again if a statement names
 * one of its columns.
 */
export const UPDATE_FREQUENT: Statement<FrequentRow, unknown> = updateOf(FREQUENT_COLUMNS)

export const WRITE_NOTICES: Statement<UserKey & NoticeRow, unknown> = statement(
  `update laurels.users set ${assign(['notices_sent_until', 'next_notice_at'])} where ${OF_USER}`,
)

function updateOf<Row extends UserColumns>(columns: readonly string[]): Statement<Row, unknown> {
  const key: readonly (keyof UserColumns)[] = ['tenant_id', 'user_id']
  return statement(`update laurels.users set ${assign(columns)} where ${same(key)} and version = :read_version`)
}

/** A user as this process wrote or read it last. */
export type CachedUser = Pick<LoadedUser, 'state' | 'version' | 'notices'>

/** The users written last, so that they need not be read before they are written again. */
export interface CachedUsers {
  get(key: UserKey): CachedUser | undefined
  put(key: UserKey, user: CachedUser): void
  remove(key: UserKey): void
  clear(): void
}

/** The memory that the cached users of a storage may take. */
export const MOST_CACHED_BYTES: number = 64 * 2 ** 20

/** Keeps users of about `mostBytes` in memory. */
export function createCachedUsers(mostBytes: number): CachedUsers {
  // The map is ordered by the last writes.
  const users = new Map<string, { readonly user: CachedUser; readonly bytes: number }>()
  let bytes = 0
  const remove = (id: string): void => {
    bytes -= users.get(id)?.bytes ?? 0
    users.delete(id)
  }
  return {
    get: (key) => users.get(userKeyText(key))?.user,
    put: (key, user) => {
      const id = userKeyText(key)
      remove(id)
      const own = bytesOf(user.state)
      users.set(id, { user, bytes: own })
      bytes += own
      for (const oldest of users.keys()) {
        if (bytes <= mostBytes) break
        remove(oldest)
      }
    },
    remove: (key) => remove(userKeyText(key)),
    clear: () => {
      users.clear()
      bytes = 0
    },
  }
}

const STATE_BYTES = 1_500
const VALUE_BYTES = 120
const QUEST_BYTES = 500

/** About as many bytes as a state takes in memory. */
function bytesOf(state: UserState | null): number {
  if (state === null) return STATE_BYTES
  const { totals, tallies, completions, points, profile } = state
  let values = totals.size + tallies.size + completions.size + points.size + profile.attributes.size
  for (const lists of [state.leaderboards, state.dateSums, state.caps, state.earlierDays, state.resets]) {
    for (const list of lists.values()) values += list.length
  }
  for (const list of [state.streaks, state.timers, state.cooldowns]) values += list.size
  values += state.boosts.length + state.pauses.length
  let quests = 0
  for (const { windows } of state.challenges.values()) for (const window of windows) quests += 1 + window.quests.length
  for (const { lots, pending, holds } of state.wallets.values()) {
    values += 1 + lots.length + pending.length + holds.reduce((sum, hold) => sum + 1 + hold.lots.length, 0)
  }
  let letters = 0
  for (const text of profile.attributes.values()) letters += text.length
  if (profile.deviceTokens !== null) for (const token of profile.deviceTokens) letters += token.length
  return STATE_BYTES + VALUE_BYTES * values + QUEST_BYTES * quests + letters
}
