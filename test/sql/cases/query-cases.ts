import type { StorageCase } from '../../../src/testing/storage-suite.ts'
import { auditCases } from './audit-cases.ts'
import { deliveryCases } from './delivery-cases.ts'
import { gameCases } from './game-cases.ts'
import { keyCases } from './key-cases.ts'
import { messageCases } from './message-cases.ts'
import { overviewCases } from './overview-cases.ts'
import { pageCases } from './page-cases.ts'
import { userValuesCases } from './user-values-cases.ts'

/** The answers of the queries of `src/sql`, on any database. They run wherever the suite of storages does. */
export const queryCases: readonly StorageCase[] = [
  ...auditCases,
  ...deliveryCases,
  ...gameCases,
  ...keyCases,
  ...messageCases,
  ...overviewCases,
  ...pageCases,
  ...userValuesCases,
]
