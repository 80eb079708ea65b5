import { GamificationError } from '../../errors.ts'
import { noticeCursorAt, noticesSentUntil } from '../../record/accept/user-messages.ts'
import { replayUser } from '../../record/replay/user-replay.ts'
import { checkWallets } from '../../rules/check-wallets.ts'
import { gameOf } from '../../rules/fold.ts'
import type { UserState } from '../../rules/state.ts'
import type { Context, CurrentGame, GameRegistry } from '../../runtime/context.ts'
import { damageOf, missingLines } from '../../runtime/damaged-users.ts'
import { parse } from '../../runtime/input.ts'
import { type After, readPages } from '../../runtime/pages.ts'
import { isPassed, newPass, readPass } from '../../runtime/sweep-pass.ts'
import { wrapErrors } from '../../runtime/tracing.ts'
import type { AuditReport } from '../../shapes/operate.ts'
import type { DamagedUser } from '../../shapes/users.ts'
import {
  auditCounters,
  auditRows,
  loadBlockGroups,
  repairRows,
  type UserAudit,
  type UserFacts,
} from '../../sql/audit.ts'
import { loadUser } from '../../sql/read-user.ts'
import type { BlockGroup, Drift } from '../../storage/audit.ts'
import type { NoticeCursor } from '../../storage/outbox.ts'
import type { UserKey } from '../../storage/rows.ts'
import type { Storage } from '../../storage/storage.ts'
import { auditOptions, verifyOptions } from './requests.ts'
import { drawUsers, eachUser, namedUsers, ownersOf, several } from './walk-users.ts'

const PAGE = 500

type Compared = { readonly facts: UserFacts | null; readonly audit: UserAudit }
/** `lines` is the number of lines of the log. */
type AuditedUser = Compared & { readonly lines: number }

/** The newest epoch is read with any user, so that a damaged row does not matter. */
const NO_USER: UserKey = { tenant: '', user: '' }

const MOST_REPLAYS = 20
/** A busy user's log grows while it is read: its new lines are replayed too, until there are none. */
const MOST_LOOKS = 200

/** A user's rows beside the replay of the log, both as of one moment, while others write. */
async function auditUser(storage: Storage, games: GameRegistry, key: UserKey): Promise<AuditedUser> {
  let stop: string | null = null
  for (let replays = 0; replays < MOST_REPLAYS; replays += 1) {
    const current = await games.current()
    const replayed = replayUser(storage, current, key)
    let wanted: number | null = null
    for (let looks = 0; looks < MOST_LOOKS; looks += 1) {
      const { lines } = replayed
      if (!(await replayed.advance(wanted))) break
      // An entry was inserted before the last one that was read, so the replay cannot continue from there.
      if (looks > 0 && replayed.lines === lines) break
      const facts = replayed.facts()
      const audit = await auditRows(storage, key, facts)
      if (audit.lines === replayed.lines) {
        const notices = await withNotices(storage, current, key, { facts, audit })
        // Another process may have put a game in force that gives the same lines another meaning.
        if (notices.audit.drift.length > 0 && (await loadUser(storage, NO_USER)).epoch !== current.epoch) break
        return { ...notices, lines: replayed.lines }
      }
      wanted = audit.lines
    }
    // A line that was read amid a change can be replayed the next time.
    if (replayed.stop !== null && replayed.stop === stop) {
      throw new GamificationError('user_damaged', `${stop} Restore it from a backup.`)
    }
    stop = replayed.stop
    await games.refresh()
  }
  throw new GamificationError(
    'unavailable',
    `The user ${JSON.stringify(key.user)} changed all the time while it was looked at: try again.`,
  )
}

/** Adds to the facts the instant until which notices were sent, which no replay knows, and when the next is due. */
async function withNotices(
  storage: Storage,
  current: CurrentGame,
  { tenant, user }: UserKey,
  compared: Compared,
): Promise<Compared> {
  const { messages } = current
  const { facts, audit } = compared
  const { notices } = audit
  if (messages === null || !messages.withTime || notices === null || facts === null) return compared
  const until = noticesSentUntil(notices, facts.state)
  if (until < messages.since) return compared
  const expected = noticeCursorAt(current, facts.state, until)
  const mended = { ...facts, notices: expected }
  if (audit.drift.length > 0 || expected.due === notices.due) return { facts: mended, audit }
  // The pass of the newest game may not have reached the user yet.
  const mayBeEarlier = notices.until < messages.since || isOfEarlierGame(current, facts.state, notices)
  if (mayBeEarlier && !isPassed((await readPass({ storage })).stored, newPass(current, messages))) return compared
  const drift = {
    table: 'users',
    key: { tenant, user },
    stored: { next_notice_at: notices.due },
    expected: { next_notice_at: expected.due },
  }
  return { facts: mended, audit: { ...audit, drift: [drift] } }
}

/** True if `notices.due` is right under an earlier game. */
function isOfEarlierGame({ games, noticesFrom }: CurrentGame, state: UserState, notices: NoticeCursor): boolean {
  const until = noticesSentUntil(notices, state)
  return noticesFrom.some((_, known) => {
    return noticeCursorAt({ games, noticesFrom: noticesFrom.slice(0, known) }, state, until).due === notices.due
  })
}

export async function verify(context: Context, options: unknown = {}): Promise<AuditReport> {
  return audit(context, parse(verifyOptions, options, 'options'), false)
}

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
    // Runs after the rows that the counters count were repaired.
    drift.push(...(await auditCounters(storage, { repair: isMending })))
    const read = (next: After<BlockGroup>) => loadBlockGroups(storage, { limit: PAGE, ...next })
    for await (const group of readPages(PAGE, read, (last) => last)) {
      signal?.throwIfAborted()
      drift.push(...(await storage.auditBlocks(group, { repair: isMending })))
    }
    onProgress?.({ users, entries, last: null })
  }
  return { users, entries, drift, damaged }
}

function usersToAudit(storage: Storage, { users, tenant, after, sample, signal }: Options): AsyncIterable<UserKey> {
  const named = users === undefined ? null : namedUsers(storage, users, tenant)
  if (sample === undefined) return named ?? ownersOf(storage, after)
  return drawUsers(named ?? eachUser(storage, after), sample, signal)
}

async function auditOne(
  { storage, games }: Context,
  key: UserKey,
  isMending: boolean,
): Promise<Pick<AuditReport, 'entries' | 'drift' | 'damaged'>> {
  try {
    const first = await wrapErrors('internal', () => auditUser(storage, games, key))
    for (let audited = first; isMending && isToMend(audited); audited = await auditUser(storage, games, key)) {
      if (await repairRows(storage, key, audited.facts, audited.audit.version)) break
    }
    const { lines, facts } = first
    const newest = facts?.state.seq ?? 0
    const missing = lines === newest ? [] : [{ ...key, message: missingLines(lines, newest) }]
    const unbalanced = facts === null ? [] : unbalancedIn(await games.current(), facts)
    return {
      entries: lines,
      drift: first.audit.drift,
      damaged: [...missing, ...unbalanced.map((message) => ({ ...key, message }))],
    }
  } catch (error) {
    return { entries: 0, drift: [], damaged: [damageOf(key, error)] }
  }
}

/** The equations of the user's wallets that do not hold. */
function unbalancedIn({ games }: CurrentGame, { state, movements }: UserFacts): readonly string[] {
  if (state.wallets.size === 0) return []
  const wrong = checkWallets(gameOf(games, state.epoch), state, movements)
  return wrong.map((what) => `The wallet of the user does not balance, in ${what}. Please report it.`)
}

/** Missing snapshots are mended too, though they are no drift: without them reads of old days only take longer. */
function isToMend({ audit: { drift, snapshots }, facts }: AuditedUser): boolean {
  return drift.length > 0 || snapshots < (facts?.snapshots?.length ?? 0)
}
