import type { LeaderboardUser } from '../../src/storage.ts'
import type { SqlDatabase } from './database.ts'
import { type EntryKeyColumns, fromLeaderboardEntriesRow, toKeyText } from './leaderboard-rows.ts'
import { bindAll, type Statement, statement } from './statement.ts'
import type { LeaderboardEntriesTable, UserColumns } from './tables.ts'
import type { SqlTraits } from './traits.ts'

export type EntryColumns = Omit<LeaderboardEntriesTable, keyof UserColumns>

type NamedRow = EntryColumns & { readonly user_id: string; readonly name: string | null }
type UsersRead = Omit<EntryKeyColumns, 'user_id'> & { readonly users: string }

export interface LeaderboardEntryQueries {
  readonly find: Statement<EntryKeyColumns, EntryColumns>
  /** The entries of the users in a JSON list, with their names. */
  readonly ofUsers: Statement<UsersRead, NamedRow>
  readonly ofUser: Statement<UserColumns, EntryColumns>
  readonly ofLeaderboard: Statement<UserColumns & Pick<EntryKeyColumns, 'leaderboard'>, EntryColumns>
}

const KEY = ['tenant_id', 'user_id', 'leaderboard', 'run'] as const
const COLUMNS = ['leaderboard', 'run', 'group_key', 'minus_value', 'reached_at', 'until', 'names'] as const

export function leaderboardEntryQueries(traits: SqlTraits): LeaderboardEntryQueries {
  const { kysely } = traits
  const entries = kysely.selectFrom('leaderboard_entries').select(COLUMNS)
  return {
    find: statement(traits, (bind) => entries.where((eb) => eb.and(bindAll(bind, KEY)))),
    ofUsers: statement(traits, (bind) =>
      kysely
        .selectFrom('leaderboard_entries as e')
        .leftJoin('users as u', (join) =>
          join.onRef('u.tenant_id', '=', 'e.tenant_id').onRef('u.user_id', '=', 'e.user_id'),
        )
        .select(['e.leaderboard', 'e.run', 'e.group_key', 'e.minus_value', 'e.reached_at', 'e.until', 'e.names'])
        .select(['e.user_id', 'u.name'])
        .where('e.tenant_id', '=', bind('tenant_id'))
        .where('e.user_id', 'in', traits.jsonList(bind('users')))
        .where('e.leaderboard', '=', bind('leaderboard'))
        .where('e.run', '=', bind('run')),
    ),
    ofUser: statement(traits, (bind) => entries.where((eb) => eb.and(bindAll(bind, ['tenant_id', 'user_id'])))),
    ofLeaderboard: statement(traits, (bind) =>
      entries.where((eb) => eb.and(bindAll(bind, ['tenant_id', 'user_id', 'leaderboard']))),
    ),
  }
}

export async function findEntries(
  queries: LeaderboardEntryQueries,
  { all }: SqlDatabase,
  tenant: string,
  leaderboard: string,
  run: string,
  users: readonly string[],
): Promise<readonly LeaderboardUser[]> {
  const asked = { tenant_id: tenant, leaderboard: toKeyText(leaderboard), run, users: JSON.stringify(users) }
  return (await all(queries.ofUsers, asked)).map(({ user_id: user, name, ...row }) => {
    const { group, value, reachedAt, until } = fromLeaderboardEntriesRow(row)
    return { user, name, run, group, value, reachedAt, until }
  })
}
