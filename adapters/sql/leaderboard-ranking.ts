import { sql } from 'kysely'
import { PLACE, type PlaceColumns, type PlaceRange, type RankedColumns } from './leaderboard-places.ts'
import { GROUP, type LeaderboardColumns } from './leaderboard-rows.ts'
import { type Bind, bindAll, type Statement, statement } from './statement.ts'
import type { SqlTraits } from './traits.ts'

/** Asks for the entries that count at `at`, in order, from a place on but for the first `offset`. */
export interface PlacesAsked extends LeaderboardColumns, PlaceColumns {
  readonly at: number
  readonly offset: number
  readonly limit: number
}

export interface RankingQueries {
  /** How many that count at `at` come before a place; at most `limit`. */
  readonly count: Statement<Omit<PlacesAsked, 'offset'>, { readonly count: number }>
  /** Of those that always count, how many there are from one place on up to another. */
  readonly countBetween: Statement<PlaceRange, { readonly count: number }>
  readonly places: Statement<PlacesAsked, PlaceColumns & Pick<RankedColumns, 'until'>>
  /** With the names of the users. */
  readonly lines: Statement<PlacesAsked, PlaceColumns & { readonly name: string | null }>
  /** How many there are that always count. */
  readonly size: Statement<LeaderboardColumns, { readonly count: number }>
  /** Of those that always count, every `step`th from the first on. */
  readonly steps: Statement<LeaderboardColumns & { readonly step: number }, PlaceColumns>
}

export function rankingQueries(traits: SqlTraits): RankingQueries {
  return { ...counts(traits), ...reads(traits), steps: steps(traits) }
}

function counts(traits: SqlTraits): Pick<RankingQueries, 'count' | 'countBetween' | 'size'> {
  const { kysely } = traits
  return {
    count: statement(traits, (bind) => {
      const better = kysely
        .selectFrom('leaderboard_entries')
        .select(sql.lit(1).as('one'))
        .where((eb) => eb.and(bindAll(bind, GROUP)))
        .where((eb) =>
          eb(eb.refTuple(...PLACE), '<', eb.tuple(bind('minus_value'), bind('reached_at'), bind('user_id'))),
        )
        .where((eb) => eb('until', 'is', null).or('until', '>', bind('at')))
        .limit(bind('limit'))
      return kysely.selectFrom(better.as('better')).select((eb) => eb.fn.countAll<number>().as('count'))
    }),
    countBetween: statement(traits, (bind: Bind<PlaceRange>) =>
      kysely
        .selectFrom('leaderboard_entries')
        .select((eb) => eb.fn.countAll<number>().as('count'))
        .where((eb) => eb.and(bindAll(bind, GROUP)))
        .where('until', 'is', null)
        .where((eb) =>
          eb(eb.refTuple(...PLACE), '>=', eb.tuple(bind('minus_value'), bind('reached_at'), bind('user_id'))),
        )
        .where((eb) =>
          eb(
            eb.refTuple(...PLACE),
            '<',
            eb.tuple(bind('end_minus_value'), bind('end_reached_at'), bind('end_user_id')),
          ),
        ),
    ),
    size: statement(traits, (bind) =>
      kysely
        .selectFrom('leaderboard_entries')
        .select((eb) => eb.fn.countAll<number>().as('count'))
        .where((eb) => eb.and(bindAll(bind, GROUP)))
        .where('until', 'is', null),
    ),
  }
}

function reads(traits: SqlTraits): Pick<RankingQueries, 'places' | 'lines'> {
  const { kysely } = traits
  const asked = (bind: Bind<PlacesAsked>) =>
    kysely
      .selectFrom('leaderboard_entries')
      .select([...PLACE, 'until'])
      .where((eb) => eb.and(bindAll(bind, GROUP)))
      .where((eb) =>
        eb(eb.refTuple(...PLACE), '>=', eb.tuple(bind('minus_value'), bind('reached_at'), bind('user_id'))),
      )
      .where((eb) => eb('until', 'is', null).or('until', '>', bind('at')))
      .orderBy('minus_value')
      .orderBy('reached_at')
      .orderBy('user_id')
      .limit(bind('limit'))
      .offset(bind('offset'))
  return {
    places: statement(traits, asked),
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
      .select(PLACE)
      .select((eb) =>
        eb.fn
          .agg<number>('row_number')
          .over((over) => over.orderBy('minus_value').orderBy('reached_at').orderBy('user_id'))
          .as('number'),
      )
      .where((eb) => eb.and(bindAll(bind, GROUP)))
      .where('until', 'is', null)
    return kysely
      .selectFrom(numbered.as('n'))
      .select(PLACE)
      .where((eb) => eb(eb('n.number', '%', bind('step')), '=', 1))
      .orderBy('n.number')
  })
}
