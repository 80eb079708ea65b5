import { type Statement, statement } from './statement.ts'
import type { GivenBoostsTable } from './tables.ts'
import type { SqlTraits } from './traits.ts'

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
