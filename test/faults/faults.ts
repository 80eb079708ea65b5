import { achievementFaults } from './achievements.ts'
import { callFaults } from './calls.ts'
import { clientFaults } from './clients.ts'
import { commandLineFaults } from './command-line.ts'
import { configurationFaults } from './configuration.ts'
import { contractFaults } from './contract.ts'
import { deadlineFaults } from './deadlines.ts'
import { driverFaults } from './drivers.ts'
import { exactRuleFaults } from './exact-rules.ts'
import type { Fault } from './fault.ts'
import { freezeFaults } from './freezes.ts'
import { hostFaults } from './host.ts'
import { httpFaults } from './http.ts'
import { keyFaults } from './keys.ts'
import { lateFaults } from './late-events.ts'
import { leaderboardReadFaults } from './leaderboard-reads.ts'
import { leaderboardFaults } from './leaderboards.ts'
import { limitFaults } from './limits.ts'
import { mergingFaults } from './merging.ts'
import { migrationFaults } from './migrations.ts'
import { outcomeFaults } from './outcomes.ts'
import { pointsFaults } from './points.ts'
import { refusalFaults } from './refusals.ts'
import { reviewFaults } from './reviews.ts'
import { sessionFaults } from './sessions.ts'
import { sqliteFaults } from './sqlite.ts'
import { streakFaults } from './streaks.ts'
import { survivingFaults } from './survivors.ts'
import { transactionFaults } from './transactions.ts'
import { userFaults } from './users.ts'
import { viewFaults } from './views.ts'
import { watchingFaults } from './watching.ts'

export const faults: readonly Fault[] = [
  ...pointsFaults,
  ...achievementFaults,
  ...exactRuleFaults,
  ...streakFaults,
  ...freezeFaults,
  ...leaderboardFaults,
  ...leaderboardReadFaults,
  ...callFaults,
  ...lateFaults,
  ...limitFaults,
  ...sqliteFaults,
  ...driverFaults,
  ...migrationFaults,
  ...viewFaults,
  ...watchingFaults,
  ...contractFaults,
  ...outcomeFaults,
  ...deadlineFaults,
  ...keyFaults,
  ...clientFaults,
  ...httpFaults,
  ...sessionFaults,
  ...configurationFaults,
  ...refusalFaults,
  ...survivingFaults,
  ...hostFaults,
  ...reviewFaults,
  ...commandLineFaults,
  ...transactionFaults,
  ...userFaults,
  ...mergingFaults,
]
