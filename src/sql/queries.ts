import type { CounterKind, UserKey } from '../storage/rows.ts'
import type { Statement } from '../storage/statements.ts'
import { wait } from '../storage/steps.ts'
import type { Storage } from '../storage/storage.ts'
import { insertText, OF_USER, same, statement } from './database.ts'
import type { CountersTable } from './tables.ts'

// Statements that count users, or that remove users and tenants.

export type Counters = readonly { readonly kind: CounterKind; readonly key: string; readonly count: number }[]

type OfTenant = Pick<UserKey, 'tenant'>

const COUNTER = ['tenant_id', 'kind', 'key', 'slot']

export const ADD_TO_COUNTER: Statement<CountersTable, unknown> = statement(
  `${insertText('counters as c', [...COUNTER, 'count'])}
    on conflict (${COUNTER.join(', ')}) do update set count = c.count + excluded.count`,
)

/** Deletes a counter that is 0 again, so that the rows do not depend on their history. */
export const REMOVE_EMPTY_COUNTER: Statement<Omit<CountersTable, 'count'>, unknown> = statement(
  `delete from laurels.counters where ${same(COUNTER)} and count = 0`,
)

const COUNTERS_OF_TENANT: Statement<OfTenant, Counters[number]> = statement(
  `select kind, key, sum(count) as count from laurels.counters where tenant_id = :tenant
    group by kind, key having sum(count) <> 0 order by kind, key`,
)

// The condition on the kind matches the condition of partial indexes.
const removeKeys = <Owner>(owner: string): Statement<Owner, unknown> =>
  statement(`delete from laurels.api_keys where kind = 'application' and ${owner}`)

const removeRest = <Owner>(owner: string): readonly Statement<Owner, unknown>[] => [
  removeKeys(owner),
  statement(`delete from laurels.messages where ${owner}`),
  statement(`delete from laurels.deliveries where ${owner}`),
]

/** The rows of a user that do not follow from its log, beside the log. */
export const REMOVE_LOG: Statement<UserKey, unknown> = statement(`delete from laurels.log where ${OF_USER}`)
export const REMOVE_KEYS: Statement<UserKey, unknown> = removeKeys(OF_USER)
export const REMOVE_NAMES: readonly Statement<UserKey, unknown>[] = removeRest(OF_USER)

/** The statements that clear a tenant, in order. The lock prevents changes of the sums until the transaction ends. */
const CLEAR_TENANT: readonly Statement<OfTenant, unknown>[] = [
  ...removeRest<OfTenant>('tenant_id = :tenant'),
  statement('delete from laurels.reward_stock where tenant_id = :tenant'),
  statement(
    ({ locking }) => `select kind from laurels.counters where tenant_id = :tenant order by kind, key, slot
      ${locking('for update')}`,
  ),
  statement(
    `delete from laurels.counters where tenant_id = :tenant and (kind, key) in (
      select kind, key from laurels.counters where tenant_id = :tenant group by kind, key having sum(count) = 0
    )`,
  ),
]

/** All counters of a tenant that are not 0. */
export function loadCounters(storage: Storage, tenant: string): Promise<Counters> {
  return storage.all(COUNTERS_OF_TENANT, { tenant })
}

/** Removes in one step a tenant's application keys, messages, deliveries, stocks, and counters that are 0. */
export function clearTenant(storage: Storage, tenant: string): Promise<void> {
  return storage.transaction(function* (tx) {
    for (const statement of CLEAR_TENANT) yield* wait(tx.run(statement, { tenant }))
  })
}
