import { auditOptions, verifyOptions } from '../../../requests/audit.ts'
import { parse } from '../../../requests/input.ts'
import type { Storage } from '../../../storage.ts'
import type { Drift } from '../../../storage-audit.ts'
import type { UserKey } from '../../../storage-rows.ts'
import type { Count } from '../../answers/wire/formats.ts'
import type { DamagedUser } from '../../answers/wire/users.ts'
import { damageOf } from '../../damage.ts'
import { foreseen } from '../../fault.ts'
import type { Context } from '../../types.ts'
import { auditBlocks } from './audit-blocks.ts'
import { type AuditedUser, auditUser } from './audit-user.ts'
import { drawUsers, namedUsers, ownersOf, several, usersOf } from './walk-users.ts'

/** The derived rows that are not what the logs say. */
export interface AuditReport {
  /** How many users were looked at. */
  readonly users: Count
  readonly entries: Count
  /** Every derived row that is not what the logs say; over HTTP the first 10,000 of them. */
  readonly drift: readonly Drift[]
  /** Users of whom a row cannot be read, or lines of the log are missing. Such a row is left as it is. */
  readonly damaged: readonly DamagedUser[]
}

/**
 * Folds the log of every user and compares all that was derived from it, while others write; a damaged user is reported,
 * and the others are looked at. Then counters and blocks
 * of leaderboards, beside the rows they count, unless only some users are asked for. So a missing row may be reported a
 * second time, as drift of its counter or its block. Nothing is locked.
 */
export async function verify(context: Context, options: unknown = {}): Promise<AuditReport> {
  return audit(context, parse(verifyOptions, options, 'options'), false)
}

/**
 * Mends rows user by user, then counters and blocks, each in one step that is right beside other writers. A call that
 * is interrupted leaves mended what it has mended; the next call finds the rest.
 */
export async function rebuild(context: Context, options: unknown = {}): Promise<AuditReport> {
  return audit(context, parse(auditOptions, options, 'options'), true)
}

type Options = ReturnType<(typeof verifyOptions)['parse']>

async function audit(context: Context, options: Options, isMending: boolean): Promise<AuditReport> {
  const { storage } = context
  const { onProgress, signal } = options
  const [drift, damaged]: [Drift[], DamagedUser[]] = [[], []]
  let users = 0
  let entries = 0

  const audits = several(usersToAudit(storage, options), storage.auditsAtOnce, async (key) => {
    signal?.throwIfAborted()
    return { key, ...(await auditOne(context, key, isMending)) }
  })
  for await (const found of audits) {
    users += 1
    entries += found.entries
    for (const row of found.drift) drift.push(row)
    damaged.push(...found.damaged)
    onProgress?.({ users, entries, last: found.key })
  }
  if (options.users === undefined && options.sample === undefined) {
    // After the rows they count, which are mended by now where that is asked.
    drift.push(...(await auditCounters(storage, isMending)), ...(await auditBlocks(storage, isMending, signal)))
    onProgress?.({ users, entries, last: null })
  }
  return { users, entries, drift, damaged }
}

function usersToAudit(storage: Storage, { users, tenant, after, sample, signal }: Options): AsyncIterable<UserKey> {
  const named = users === undefined ? null : namedUsers(storage, users, tenant)
  if (sample === undefined) return named ?? ownersOf(storage, after)
  return drawUsers(named ?? usersOf(storage, after), sample, signal)
}

interface AuditOfOne extends Pick<AuditReport, 'entries' | 'drift' | 'damaged'> {}

/** Finds, and where that is asked mends, what differs of one user. */
async function auditOne({ storage, games }: Context, key: UserKey, isMending: boolean): Promise<AuditOfOne> {
  try {
    const first = await foreseen('internal', () => auditUser(storage, games, key))
    for (let audited = first; isMending && isToMend(audited); audited = await auditUser(storage, games, key)) {
      if (await storage.repair(key, audited.facts, audited.audit.version)) break
    }
    const damaged = first.lines === first.expectedLines ? [] : [wrongLines(key, first)]
    return { entries: first.lines, drift: first.audit.drift, damaged }
  } catch (error) {
    return { entries: 0, drift: [], damaged: [damageOf(key, error)] }
  }
}

async function auditCounters(storage: Storage, isMending: boolean): Promise<readonly Drift[]> {
  const drift = await storage.auditCounters()
  if (isMending && drift.length > 0) await storage.repairCounters()
  return drift
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
