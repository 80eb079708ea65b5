import { toDateText } from '../rules/calendar.ts'
import type { ChallengeMark } from '../rules/state.ts'
import type { UserKey } from '../storage/rows.ts'
import type { Statement } from '../storage/statements.ts'
import type { Storage } from '../storage/storage.ts'
import { OF_USER, statement } from './database.ts'
import { toDay } from './stored-text.ts'
import type { ChallengeWindowsTable, UserColumns } from './tables.ts'
import { toUserColumns } from './user-rows.ts'

export type WindowRow = Omit<ChallengeWindowsTable, keyof UserColumns>

/** The windows of a user, the newest first. */
export const WINDOWS: Statement<UserKey & { readonly limit: number }, WindowRow> = statement(
  `select challenge, start_date, quest, end_date, started_at, completed_at, entry_id, claim_until, claimed_at
    from laurels.challenge_windows where ${OF_USER} order by start_date desc, challenge, quest limit :limit`,
)

export function toWindowColumns(key: UserKey, mark: ChallengeMark): ChallengeWindowsTable {
  return {
    ...toUserColumns(key),
    ...{ challenge: mark.challenge, start_date: toDateText(mark.start), quest: mark.quest },
    end_date: mark.end === null ? null : toDateText(mark.end),
    ...{ started_at: mark.startedAt, completed_at: mark.completedAt, entry_id: mark.entryId },
    claim_until: mark.claimUntil === null ? null : toDateText(mark.claimUntil),
    claimed_at: mark.claimedAt,
  }
}

export function fromWindowRow(row: WindowRow): ChallengeMark {
  return {
    ...{ challenge: row.challenge, quest: row.quest, start: toDay(row.start_date) },
    end: row.end_date === null ? null : toDay(row.end_date),
    ...{ startedAt: row.started_at, completedAt: row.completed_at, entryId: row.entry_id },
    claimUntil: row.claim_until === null ? null : toDay(row.claim_until),
    claimedAt: row.claimed_at,
  }
}

/** How many users began a window of a challenge, and how many completed one. */
export interface ChallengeCounts {
  readonly challenge: string
  readonly participants: number
  readonly completed: number
}

const COUNTS: Statement<{ readonly tenant: string }, ChallengeCounts> = statement(
  `select challenge, count(distinct user_id) as participants,
      count(distinct case when completed_at is not null then user_id end) as completed
    from laurels.challenge_windows where tenant_id = :tenant group by challenge`,
)

export async function countChallenges(
  storage: Pick<Storage, 'all'>,
  tenant: string,
): Promise<ReadonlyMap<string, ChallengeCounts>> {
  const counts = await storage.all(COUNTS, { tenant })
  return new Map(counts.map((each) => [each.challenge, each]))
}
