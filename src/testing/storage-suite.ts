import { auditCases } from './storage/audit-cases.ts'
import type { StorageCase } from './storage/case.ts'
import { commitCases } from './storage/commit-cases.ts'
import { deliveryCases } from './storage/delivery-cases.ts'
import { derivedCases } from './storage/derived-cases.ts'
import { keyCases } from './storage/key-cases.ts'
import { leaderboardCases } from './storage/leaderboard-cases.ts'
import { logCases } from './storage/log-cases.ts'
import { messageCases } from './storage/message-cases.ts'
import { overviewCases } from './storage/overview-cases.ts'
import { pageCases } from './storage/page-cases.ts'
import { rankCases } from './storage/rank-cases.ts'
import { removalCases } from './storage/removal-cases.ts'
import { stateCases } from './storage/state-cases.ts'
import { textCases } from './storage/text-cases.ts'
import { transactionCases } from './storage/transaction-cases.ts'
import { userValuesCases } from './storage/user-values-cases.ts'

export type { StorageCase } from './storage/case.ts'

/**
 * The contract of every storage, for any test runner. Give each case a new storage that is empty and migrated. A case
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
  ...auditCases,
  ...commitCases,
  ...deliveryCases,
  ...derivedCases,
  ...keyCases,
  ...leaderboardCases,
  ...logCases,
  ...messageCases,
  ...overviewCases,
  ...pageCases,
  ...rankCases,
  ...removalCases,
  ...stateCases,
  ...textCases,
  ...transactionCases,
  ...userValuesCases,
]
