import type { ReadUserOptions, UserView } from '../../src/storage.ts'
import type { UserKey } from '../../src/storage-rows.ts'
import { areAll, MOST_AT_ONCE, readAwardsInPages } from '../sql/all-awards.ts'
import { toUserColumns } from '../sql/user-rows.ts'
import type { Use } from './database.ts'
import { loadAwardsAfter, loadView } from './load.ts'
import { queries } from './queries.ts'

/** A user as of one moment; of one with many lines all awards are read in turns of the event loop. */
export async function readUser(
  read: Use,
  key: UserKey,
  asked: ReadUserOptions,
  deadline: number | undefined,
): Promise<UserView> {
  const whole = (): Promise<UserView> => read((connection) => loadView(connection, key, asked), deadline)
  if (!areAll(asked)) return whole()
  const lines = await read((connection) => connection.get(queries.users.load, toUserColumns(key))?.seq ?? 0, deadline)
  if (lines <= MOST_AT_ONCE) return whole()
  const { awards: _, ...others } = asked
  return readAwardsInPages({
    view: () => read((connection) => loadView(connection, key, others), deadline),
    page: (after, limit) => read((connection) => loadAwardsAfter(connection, key, after, limit), deadline),
    whole,
  })
}
