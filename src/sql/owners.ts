import type { Storage } from '../storage/storage.ts'
import { type SqlTraits, statement } from './database.ts'

/** The user who has a pause or a boost. */
export interface Owner {
  readonly id: string
  readonly user: string
}

/** `ids`: a JSON list. */
const ownersIn = (table: string, id: string) =>
  statement<{ readonly tenant: string; readonly ids: string }, Owner>(
    ({ jsonList }: SqlTraits) => `select ${id} as id, user_id as "user" from laurels.${table}
      where tenant_id = :tenant and ${id} in ${jsonList(':ids')}`,
  )
const OWNERS = { pauses: ownersIn('streak_pauses', 'pause_id'), boosts: ownersIn('given_boosts', 'boost_id') }

const BOOSTS = statement<{ readonly tenant: string } & BoostsPage, Owner>(
  `select boost_id as id, user_id as "user" from laurels.given_boosts
    where tenant_id = :tenant and system = :system order by boost_id limit :limit offset :skip`,
)

interface BoostsPage {
  readonly system: string
  readonly skip: number
  readonly limit: number
}

/** The users who have these pauses or boosts (`UserState`), in no order. Omits unknown ids. */
export function loadOwners(
  storage: Storage,
  tenant: string,
  of: 'pauses' | 'boosts',
  ids: readonly string[],
): Promise<readonly Owner[]> {
  return storage.all(OWNERS[of], { tenant, ids: JSON.stringify(ids) })
}

/** The boosts of a points system that users have, in order of id: the order in which they were given. */
export function loadGivenBoosts(storage: Storage, tenant: string, page: BoostsPage): Promise<readonly Owner[]> {
  return storage.all(BOOSTS, { tenant, ...page })
}
