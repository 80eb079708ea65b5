import { auditCases } from './storage/audit-cases.ts'
import { auditMemberCases } from './storage/audit-member-cases.ts'
import { awardedCases } from './storage/awarded-cases.ts'
import { commitCases } from './storage/commit-cases.ts'
import { deliveryCases } from './storage/delivery-cases.ts'
import { derivedCases } from './storage/derived-cases.ts'
import { gameCases } from './storage/game-cases.ts'
import { heldCases } from './storage/held-cases.ts'
import { holdCases } from './storage/hold-cases.ts'
import { keyCases } from './storage/key-cases.ts'
import { keyChangeCases } from './storage/key-change-cases.ts'
import { largeCases } from './storage/large-cases.ts'
import { leaderboardCases } from './storage/leaderboard-cases.ts'
import { leaderboardReplacedCases } from './storage/leaderboard-replaced-cases.ts'
import { logCases } from './storage/log-cases.ts'
import { longestStreakCases } from './storage/longest-streak-cases.ts'
import { messageCases } from './storage/message-cases.ts'
import { overviewCases } from './storage/overview-cases.ts'
import { pointsTotalCases } from './storage/points-total-cases.ts'
import { rankCases } from './storage/rank-cases.ts'
import { removalCases } from './storage/removal-cases.ts'
import { runCases } from './storage/run-cases.ts'
import type { StorageCase } from './storage/samples.ts'
import { snapshotCases } from './storage/snapshot-cases.ts'
import { stateCases } from './storage/state-cases.ts'
import { textCases } from './storage/text-cases.ts'
import { toldCases } from './storage/told-cases.ts'
import { transactCases } from './storage/transact-cases.ts'
import { userValuesCases } from './storage/user-values-cases.ts'
import { writtenByCases } from './storage/written-by-cases.ts'

export type { StorageCase } from './storage/samples.ts'

/**
 * What every storage keeps to, for any test runner: each case gets a storage of its own that is empty and migrated, and
 * rejects where a promise of the interface is broken; its id stays when it is worded anew. Close the storage afterwards; a case may have closed it already.
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
  ...gameCases,
  ...stateCases,
  ...logCases,
  ...writtenByCases,
  ...heldCases,
  ...derivedCases,
  ...awardedCases,
  ...longestStreakCases,
  ...userValuesCases,
  ...pointsTotalCases,
  ...commitCases,
  ...largeCases,
  ...leaderboardCases,
  ...leaderboardReplacedCases,
  ...rankCases,
  ...textCases,
  ...keyCases,
  ...keyChangeCases,
  ...auditCases,
  ...auditMemberCases,
  ...removalCases,
  ...holdCases,
  ...snapshotCases,
  ...messageCases,
  ...toldCases,
  ...deliveryCases,
  ...transactCases,
  ...overviewCases,
  ...runCases,
]
