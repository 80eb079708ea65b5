import { auditOptions } from '../../../requests/audit.ts'
import { parse } from '../../../requests/input.ts'
import type { Drift } from '../../../storage-audit.ts'
import type { UserKey } from '../../../storage-rows.ts'
import { type DamagedUser, damageOf } from '../../damage.ts'
import { foreseen } from '../../fault.ts'
import type { Context } from '../../types.ts'
import { auditBlocks } from './audit-blocks.ts'
import { addCounts, auditCounters } from './audit-counters.ts'
import { type AuditedUser, auditUser } from './audit-user.ts'
import { namedUsers, ownersOf } from './walk-users.ts'

export interface AuditReport {
  readonly users: number
  readonly entries: number
  /** Every derived row that is not what the logs say. */
  readonly drift: readonly Drift[]
  /** Users of whom a row cannot be read, or lines of the log are missing. Such a row is left as it is. */
  readonly damaged: readonly DamagedUser[]
}

interface Progress {
  users: number
  entries: number
  readonly drift: Drift[]
  readonly damaged: DamagedUser[]
}

/**
 * Folds the log of every user and compares all that was derived from it, while others write; a damaged user is reported,
 * and the others are looked at. Then counters and blocks
 * of leaderboards, beside the rows they count, unless only some users are asked for. So a missing row may be reported a
 * second time, as drift of its counter or its block. Nothing is locked.
 */
export async function verify(context: Context, options: unknown = {}): Promise<AuditReport> {
  return audit(context, options, false)
}

/**
 * Mends rows user by user, then counters and blocks, each in one step that is right beside other writers. A call that
 * is interrupted leaves mended what it has mended; the next call finds the rest.
 */
export async function rebuild(context: Context, options: unknown = {}): Promise<AuditReport> {
  return audit(context, options, true)
}

async function audit(context: Context, options: unknown, isMending: boolean): Promise<AuditReport> {
  const { users: only, tenant, after, onProgress, signal } = parse(auditOptions, options, 'options')
  const { storage, games } = context
  const progress: Progress = { users: 0, entries: 0, drift: [], damaged: [] }
  const counted = new Map<string, number>()
  const tell = (last: UserKey | null): void => onProgress?.({ users: progress.users, entries: progress.entries, last })

  for await (const key of only === undefined ? ownersOf(storage, after) : namedUsers(storage, only, tenant)) {
    signal?.throwIfAborted()
    progress.users += 1
    try {
      const audited = await foreseen('internal', () => auditUser(storage, games, key))
      progress.entries += audited.lines
      for (const row of audited.audit.drift) progress.drift.push(row)
      if (audited.lines !== audited.expectedLines) progress.damaged.push(wrongLines(key, audited))
      if (isMending && isToMend(audited)) await mendUser(context, key, audited)
      if (only === undefined) addCounts(counted, key.tenant, audited.facts)
    } catch (error) {
      progress.damaged.push(damageOf(key, error))
    }
    tell(key)
  }
  if (only === undefined) {
    // After the rows they count, which are mended by now where that is asked.
    progress.drift.push(...(await auditCounters(storage, after === undefined ? counted : null, isMending)))
    progress.drift.push(...(await auditBlocks(storage, isMending, signal)))
    tell(null)
  }
  return progress
}

function wrongLines({ tenant, user }: UserKey, { lines, expectedLines }: AuditedUser): DamagedUser {
  const message =
    `The user's log has ${lines} ${lines === 1 ? 'line' : 'lines'} where it should have ${expectedLines}. ` +
    'The user takes new events, but no late ones and no voids. Restore the log from a backup.'
  return { tenant, user, message }
}

/** Missing snapshots are mended too, though they are no drift: without them reads of old days only take longer. */
function isToMend({ audit: { drift, snapshots }, facts }: AuditedUser): boolean {
  return drift.length > 0 || snapshots < (facts?.snapshots?.length ?? 0)
}

async function mendUser({ storage, games }: Context, key: UserKey, first: AuditedUser): Promise<void> {
  let audited = first
  while (isToMend(audited)) {
    if (await storage.repair(key, audited.facts, audited.audit.version)) return
    audited = await auditUser(storage, games, key)
  }
}
