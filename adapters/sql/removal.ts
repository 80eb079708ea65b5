import { sql } from 'kysely'
import type { PositionColumns } from './leaderboard-positions.ts'
import { GROUP, type LeaderboardColumns } from './leaderboard-rows.ts'
import { bindAll, type Statement, statement } from './statement.ts'
import type { ApiKeysTable, UserColumns } from './tables.ts'
import type { SqlTraits } from './traits.ts'

/** Queries to remove a user, beside those of the tables whose rows follow from a log. */
export interface RemovalQueries {
  readonly log: Statement<UserColumns, unknown>
  readonly keys: Statement<UserColumns, unknown>
  /** Positions that the user has, or had, at which blocks of leaderboards begin. */
  readonly starts: Statement<UserColumns, LeaderboardColumns & PositionColumns>
  /** The first user behind a position who shares its value and instant; null: nobody. */
  readonly tied: Statement<LeaderboardColumns & PositionColumns, { readonly user_id: string | null }>
}

const APPLICATION = sql.lit<ApiKeysTable['kind']>('application')

export function removalQueries(traits: SqlTraits): RemovalQueries {
  const { kysely } = traits
  return {
    log: statement(traits, (bind) =>
      kysely.deleteFrom('log').where('tenant_id', '=', bind('tenant_id')).where('user_id', '=', bind('user_id')),
    ),
    keys: statement(traits, (bind) =>
      kysely
        .deleteFrom('api_keys')
        // The condition of the partial index.
        .where('kind', '=', APPLICATION)
        .where('tenant_id', '=', bind('tenant_id'))
        .where('user_id', '=', bind('user_id')),
    ),
    starts: statement(traits, (bind) =>
      kysely
        .selectFrom('leaderboard_blocks')
        .select([...GROUP, 'minus_value', 'reached_at', 'user_id'])
        .distinct()
        // The condition of the partial index.
        .where('user_id', '<>', sql.lit(''))
        .where('user_id', '=', bind('user_id'))
        .where('tenant_id', '=', bind('tenant_id')),
    ),
    tied: statement(traits, (bind) =>
      kysely
        .selectFrom('leaderboard_entries')
        .select((eb) => eb.fn.min<string | null>('user_id').as('user_id'))
        .where((eb) => eb.and(bindAll(bind, [...GROUP, 'minus_value', 'reached_at'])))
        .where('user_id', '>', bind('user_id'))
        .where('until', 'is', null),
    ),
  }
}
