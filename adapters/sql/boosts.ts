import { toDateText } from '../../src/rules/calendar.ts'
import type { BoostChanged, BoostGiven } from '../../src/rules/entry.ts'
import { type SqlTraits, type Statement, statement } from './database.ts'
import { toDay } from './stored-text.ts'
import type { GivenBoostsTable } from './tables.ts'

type OwnerRow = Pick<GivenBoostsTable, 'boost_id' | 'user_id'>

export interface GivenBoostQueries {
  /** The owners of the boosts in a JSON list of ids. */
  readonly find: Statement<{ readonly tenant_id: string; readonly ids: string }, OwnerRow>
  /** A page of the boosts of a points system, in order of id. */
  readonly list: Statement<BoostPage, OwnerRow>
}

export interface BoostPage {
  readonly tenant_id: string
  readonly system: string
  readonly skip: number
  readonly limit: number
}

export function givenBoostQueries(traits: SqlTraits): GivenBoostQueries {
  const { kysely } = traits
  return {
    find: statement(traits, (bind) =>
      kysely
        .selectFrom('given_boosts')
        .select(['boost_id', 'user_id'])
        .where('tenant_id', '=', bind('tenant_id'))
        .where('boost_id', 'in', traits.jsonList(bind('ids'))),
    ),
    list: statement(traits, (bind) =>
      kysely
        .selectFrom('given_boosts')
        .select(['boost_id', 'user_id'])
        .where('tenant_id', '=', bind('tenant_id'))
        .where('system', '=', bind('system'))
        .orderBy('boost_id')
        .limit(bind('limit'))
        .offset(bind('skip')),
    ),
  }
}

export function toBoostOwner({ boost_id, user_id }: OwnerRow): { readonly id: string; readonly user: string } {
  return { id: boost_id, user: user_id }
}

type Dates<Body> = Omit<Body, 'kind' | 'start' | 'end'> & { readonly start?: string; readonly end?: string | null }

/** The column `data` of an entry about a boost: dates are texts, members that a change left out are absent. */
export function toBoostJson({ kind, start, end, ...rest }: BoostGiven | BoostChanged): string {
  const first = start === undefined ? {} : { start: toDateText(start) }
  const last = end === undefined ? {} : { end: end === null ? null : toDateText(end) }
  return JSON.stringify({ ...rest, ...first, ...last })
}

export function fromBoostGivenJson(data: unknown): BoostGiven {
  const { start = '', end = null, ...rest } = data as Dates<BoostGiven>
  return { kind: 'boostGiven', ...rest, start: toDay(start), end: end === null ? null : toDay(end) }
}

export function fromBoostChangedJson(data: unknown): BoostChanged {
  const { start, end, ...rest } = data as Dates<BoostChanged>
  const first = start === undefined ? {} : { start: toDay(start) }
  const last = end === undefined ? {} : { end: end === null ? null : toDay(end) }
  return { kind: 'boostChanged', ...rest, ...first, ...last }
}
