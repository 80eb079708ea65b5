import type { OwnedRedemption, Redemption } from '../rules/redemption.ts'
import type { UserKey } from '../storage/rows.ts'
import type { Statement } from '../storage/statements.ts'
import type { Storage } from '../storage/storage.ts'
import { OF_USER, statement } from './database.ts'
import type { RedemptionsTable, UserColumns } from './tables.ts'
import { toUserColumns } from './user-rows.ts'

export type RedemptionRow = Omit<RedemptionsTable, keyof UserColumns>

const COLUMNS = 'redemption_id, reward, at, system, amount, stocked, status, settled_at'

/** All redemptions of a user, the newest first. */
export const REDEMPTIONS_OF_USER: Statement<UserKey, RedemptionRow> = statement(
  `select ${COLUMNS} from laurels.redemptions where ${OF_USER} order by at desc, redemption_id desc`,
)

export interface FoundRedemption extends RedemptionRow {
  readonly user: string
}

export const FIND_REDEMPTION: Statement<{ readonly tenant: string; readonly id: string }, FoundRedemption> = statement(
  `select user_id as "user", ${COLUMNS} from laurels.redemptions where redemption_id = :id and tenant_id = :tenant`,
)

interface RedemptionsPage {
  readonly tenant: string
  readonly at: number
  readonly id: string
  readonly limit: number
}

const BEFORE = '(at, redemption_id) < (:at, :id)'
const NEWEST_FIRST = 'order by at desc, redemption_id desc limit :limit'

/** One statement for each choice of filters, so that the database can use an index for each. */
const PAGES = new Map(
  ['', 'user', 'reward', 'status', 'user reward', 'user status', 'reward status', 'user reward status'].map((names) => {
    const filters = names.split(' ').filter((name) => name !== '')
    const columns: { readonly [name: string]: string } = { user: 'user_id', reward: 'reward', status: 'status' }
    const where = filters.map((name) => ` and ${columns[name]} = :${name}`).join('')
    return [
      names,
      statement<RedemptionsPage & RedemptionFilters, FoundRedemption>(
        `select user_id as "user", ${COLUMNS} from laurels.redemptions
          where tenant_id = :tenant${where} and ${BEFORE} ${NEWEST_FIRST}`,
      ),
    ]
  }),
)

export interface RedemptionFilters {
  readonly user?: string
  readonly reward?: string
  readonly status?: Redemption['status']
}

/** The place of a redemption in the list. */
export type RedemptionPlace = Pick<Redemption, 'at' | 'id'>

const FIRST: RedemptionPlace = { at: Number.MAX_SAFE_INTEGER, id: '' }

/** Redemptions of a tenant, the newest first, at most `limit` after the given place. */
export async function loadRedemptions(
  storage: Pick<Storage, 'all'>,
  tenant: string,
  filters: RedemptionFilters,
  { after = FIRST, limit }: { readonly after?: RedemptionPlace | undefined; readonly limit: number },
): Promise<readonly OwnedRedemption[]> {
  const names = (['user', 'reward', 'status'] as const).filter((name) => filters[name] !== undefined).join(' ')
  const page = PAGES.get(names)
  if (page === undefined) throw new RangeError(`There is no list by ${names}`)
  return (await storage.all(page, { ...filters, tenant, at: after.at, id: after.id, limit })).map(fromFound)
}

export function fromFound({ user, ...row }: FoundRedemption): OwnedRedemption {
  return { user, ...fromRedemptionRow(row) }
}

export function toRedemptionColumns(key: UserKey, redemption: Redemption): RedemptionsTable {
  const { id, reward, at, system, amount, isStocked, status, settledAt } = redemption
  return {
    ...toUserColumns(key),
    ...{ redemption_id: id, reward, at, system, amount, stocked: isStocked ? 1 : 0, status, settled_at: settledAt },
  }
}

export function fromRedemptionRow(row: RedemptionRow): Redemption {
  const { redemption_id: id, reward, at, system, amount, stocked, status, settled_at: settledAt } = row
  return { id, reward, at, system, amount, isStocked: stocked === 1, status, settledAt }
}
