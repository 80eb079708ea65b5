import { sql } from 'kysely'
import { POSITION, type PositionColumns, type PositionRange, type RankedColumns } from './leaderboard-positions.ts'
import { GROUP, type LeaderboardColumns } from './leaderboard-rows.ts'
import { type Bind, bindAll, type Statement, statement } from './statement.ts'
import type { SqlTraits } from './traits.ts'

/** Asks for the entries that count at `at`, in order, from a position on, without the first `offset` of them. */
export interface PositionsAsked extends LeaderboardColumns, PositionColumns {
  readonly at: number
  readonly offset: number
  readonly limit: number
}

export interface RankingQueries {
  /** How many entries that count at `at` come before a position; at most `limit`. */
  readonly count: Statement<Omit<PositionsAsked, 'offset'>, { readonly count: number }>
  /** How many entries that always count lie in a range. */
  readonly countBetween: Statement<PositionRange, { readonly count: number }>
  readonly positions: Statement<PositionsAsked, PositionColumns & Pick<RankedColumns, 'until'>>
  /** The same entries with the names of their users. */
  readonly lines: Statement<PositionsAsked, PositionColumns & { readonly name: string | null }>
  /** Every `step`th of the entries that always count in a range, from the first on. */
  readonly steps: Statement<PositionRange & { readonly step: number }, PositionColumns>
}

export function rankingQueries(traits: SqlTraits): RankingQueries {
  return { ...counts(traits), ...reads(traits), steps: steps(traits) }
}

function counts(traits: SqlTraits): Pick<RankingQueries, 'count' | 'countBetween'> {
  const { kysely } = traits
  return {
    count: statement(traits, (bind) => {
      const better = kysely
        .selectFrom('leaderboard_entries')
        .select(sql.lit(1).as('one'))
        .where((eb) => eb.and(bindAll(bind, GROUP)))
        .where((eb) =>
          eb(eb.refTuple(...POSITION), '<', eb.tuple(bind('minus_value'), bind('reached_at'), bind('user_id'))),
        )
        .where((eb) => eb('until', 'is', null).or('until', '>', bind('at')))
        .limit(bind('limit'))
      return kysely.selectFrom(better.as('better')).select((eb) => eb.fn.countAll<number>().as('count'))
    }),
    countBetween: statement(traits, (bind: Bind<PositionRange>) =>
      kysely
        .selectFrom('leaderboard_entries')
        .select((eb) => eb.fn.countAll<number>().as('count'))
        .where((eb) => eb.and(bindAll(bind, GROUP)))
        .where('until', 'is', null)
        .where((eb) =>
          eb(eb.refTuple(...POSITION), '>=', eb.tuple(bind('minus_value'), bind('reached_at'), bind('user_id'))),
        )
        .where((eb) =>
          eb(
            eb.refTuple(...POSITION),
            '<',
            eb.tuple(bind('end_minus_value'), bind('end_reached_at'), bind('end_user_id')),
          ),
        ),
    ),
  }
}

function reads(traits: SqlTraits): Pick<RankingQueries, 'positions' | 'lines'> {
  const { kysely } = traits
  const asked = (bind: Bind<PositionsAsked>) =>
    kysely
      .selectFrom('leaderboard_entries')
      .select([...POSITION, 'until'])
      .where((eb) => eb.and(bindAll(bind, GROUP)))
      .where((eb) =>
        eb(eb.refTuple(...POSITION), '>=', eb.tuple(bind('minus_value'), bind('reached_at'), bind('user_id'))),
      )
      .where((eb) => eb('until', 'is', null).or('until', '>', bind('at')))
      .orderBy('minus_value')
      .orderBy('reached_at')
      .orderBy('user_id')
      .limit(bind('limit'))
      .offset(bind('offset'))
  return {
    positions: statement(traits, asked),
    lines: statement(traits, (bind) =>
      kysely
        .selectFrom(asked(bind).as('p'))
        .leftJoin('users as u', (join) =>
          join.on('u.tenant_id', '=', bind('tenant_id')).onRef('u.user_id', '=', 'p.user_id'),
        )
        .select(['p.minus_value', 'p.reached_at', 'p.user_id', 'u.name'])
        .orderBy('p.minus_value')
        .orderBy('p.reached_at')
        .orderBy('p.user_id'),
    ),
  }
}

function steps(traits: SqlTraits): RankingQueries['steps'] {
  const { kysely } = traits
  return statement(traits, (bind) => {
    const numbered = kysely
      .selectFrom('leaderboard_entries')
      .select(POSITION)
      .select((eb) =>
        eb.fn
          .agg<number>('row_number')
          .over((over) => over.orderBy('minus_value').orderBy('reached_at').orderBy('user_id'))
          .as('number'),
      )
      .where((eb) => eb.and(bindAll(bind, GROUP)))
      .where('until', 'is', null)
      .where((eb) =>
        eb(eb.refTuple(...POSITION), '>=', eb.tuple(bind('minus_value'), bind('reached_at'), bind('user_id'))),
      )
      .where((eb) =>
        eb(
          eb.refTuple(...POSITION),
          '<',
          eb.tuple(bind('end_minus_value'), bind('end_reached_at'), bind('end_user_id')),
        ),
      )
    return kysely
      .selectFrom(numbered.as('n'))
      .select(POSITION)
      .where(sql<boolean>`(n.number - 1) % ${bind('step')} = 0`)
      .orderBy('n.number')
  })
}
