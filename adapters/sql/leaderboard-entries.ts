import type { EntryKeyColumns } from './leaderboard-rows.ts'
import { bindAll, type Statement, statement } from './statement.ts'
import type { LeaderboardEntriesTable, UserColumns } from './tables.ts'
import type { SqlTraits } from './traits.ts'

export type EntryColumns = Omit<LeaderboardEntriesTable, keyof UserColumns>

export interface LeaderboardEntryQueries {
  readonly find: Statement<EntryKeyColumns, EntryColumns>
  /** The same entry with the name of the user. */
  readonly findNamed: Statement<EntryKeyColumns, EntryColumns & { readonly name: string | null }>
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
    findNamed: statement(traits, (bind) =>
      kysely
        .selectFrom('leaderboard_entries as e')
        .leftJoin('users as u', (join) =>
          join.onRef('u.tenant_id', '=', 'e.tenant_id').onRef('u.user_id', '=', 'e.user_id'),
        )
        .select(['e.leaderboard', 'e.run', 'e.group_key', 'e.minus_value', 'e.reached_at', 'e.until', 'e.names'])
        .select('u.name')
        .where('e.tenant_id', '=', bind('tenant_id'))
        .where('e.user_id', '=', bind('user_id'))
        .where('e.leaderboard', '=', bind('leaderboard'))
        .where('e.run', '=', bind('run')),
    ),
    ofUser: statement(traits, (bind) => entries.where((eb) => eb.and(bindAll(bind, ['tenant_id', 'user_id'])))),
    ofLeaderboard: statement(traits, (bind) =>
      entries.where((eb) => eb.and(bindAll(bind, ['tenant_id', 'user_id', 'leaderboard']))),
    ),
  }
}
