import { achievementFaults } from './achievements.ts'
import { boostFaults } from './boosts.ts'
import { callFaults } from './calls.ts'
import { capsFaults } from './caps.ts'
import { clientFaults } from './clients.ts'
import { commandLineFaults } from './command-line.ts'
import { configurationFaults } from './configuration.ts'
import { consoleFaults } from './console.ts'
import { consolePageFaults } from './console-pages.ts'
import { consoleRulesFaults } from './console-rules.ts'
import { contractFaults } from './contract.ts'
import { dayFaults } from './days.ts'
import { deadlineFaults } from './deadlines.ts'
import { definitionFaults } from './definitions.ts'
import { driverFaults } from './drivers.ts'
import { elementFaults } from './elements.ts'
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
import { messageFaults } from './messages.ts'
import { migrationFaults } from './migrations.ts'
import { namedStreakFaults } from './named-streaks.ts'
import { newerNoticeFaults } from './newer-notices.ts'
import { outcomeFaults } from './outcomes.ts'
import { overviewFaults } from './overview.ts'
import { packedFaults } from './packed.ts'
import { pointsFaults } from './points.ts'
import { refusalFaults } from './refusals.ts'
import { reviewFaults } from './reviews.ts'
import { sessionFaults } from './sessions.ts'
import { snapshotFaults } from './snapshots.ts'
import { sqliteFaults } from './sqlite.ts'
import { streakFaults } from './streaks.ts'
import { subscriptionFaults } from './subscriptions.ts'
import { survivingFaults } from './survivors.ts'
import { tierFaults } from './tiers.ts'
import { timeFaults } from './time.ts'
import { transactionFaults } from './transactions.ts'
import { userFaults } from './users.ts'
import { viewFaults } from './views.ts'
import { watchingFaults } from './watching.ts'
import { webhookFaults } from './webhooks.ts'

export const faults: readonly Fault[] = [
  ...pointsFaults,
  ...boostFaults,
  ...capsFaults,
  ...achievementFaults,
  ...definitionFaults,
  ...exactRuleFaults,
  ...streakFaults,
  ...freezeFaults,
  ...timeFaults,
  ...newerNoticeFaults,
  ...namedStreakFaults,
  ...leaderboardFaults,
  ...leaderboardReadFaults,
  ...callFaults,
  ...lateFaults,
  ...dayFaults,
  ...snapshotFaults,
  ...limitFaults,
  ...sqliteFaults,
  ...driverFaults,
  ...migrationFaults,
  ...messageFaults,
  ...viewFaults,
  ...watchingFaults,
  ...consolePageFaults,
  ...consoleRulesFaults,
  ...contractFaults,
  ...outcomeFaults,
  ...deadlineFaults,
  ...keyFaults,
  ...clientFaults,
  ...httpFaults,
  ...sessionFaults,
  ...consoleFaults,
  ...configurationFaults,
  ...refusalFaults,
  ...subscriptionFaults,
  ...survivingFaults,
  ...hostFaults,
  ...reviewFaults,
  ...commandLineFaults,
  ...tierFaults,
  ...transactionFaults,
  ...userFaults,
  ...mergingFaults,
  ...webhookFaults,
  ...elementFaults,
  ...overviewFaults,
  ...packedFaults,
]
