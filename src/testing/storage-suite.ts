import type { StorageCase } from './storage/case.ts'
import { commitCases } from './storage/commit-cases.ts'
import { derivedCases } from './storage/derived-cases.ts'
import { leaderboardCases } from './storage/leaderboard-cases.ts'
import { logCases } from './storage/log-cases.ts'
import { rankCases } from './storage/rank-cases.ts'
import { removalCases } from './storage/removal-cases.ts'
import { stateCases } from './storage/state-cases.ts'
import { stockCases } from './storage/stock-cases.ts'
import { textCases } from './storage/text-cases.ts'
import { transactionCases } from './storage/transaction-cases.ts'

export type { StorageCase } from './storage/case.ts'

/**
 * The contract of every storage, for any test runner. Queries of `src/sql` have tests of their own. Give each case a new storage that is empty and migrated. A case
 * rejects if the storage breaks a promise of the interface. Close the storage afterwards, even if the case closed it.
 *
 * @example
 * for (const { name, run } of storageSuite) {
 *   test(name, async () => {
 *     const storage = await openEmptyStorage()
 *     await run(storage).finally(() => storage.close())
 *   })
 * }
 */
export const storageSuite: readonly StorageCase[] = [
  ...commitCases,
  ...derivedCases,
  ...stockCases,
  ...leaderboardCases,
  ...logCases,
  ...rankCases,
  ...removalCases,
  ...stateCases,
  ...textCases,
  ...transactionCases,
]
