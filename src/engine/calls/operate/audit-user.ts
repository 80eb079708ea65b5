import { GamificationError } from '../../../errors.ts'
import type { Storage } from '../../../storage.ts'
import type { UserAudit, UserFacts } from '../../../storage-audit.ts'
import type { UserKey } from '../../../storage-rows.ts'
import { toldUntil, wantsTime } from '../../accept/telling.ts'
import { replayUser } from '../../replay/replay-user.ts'
import type { CurrentGame, GameBook } from '../../types.ts'

export interface AuditedUser {
  readonly facts: UserFacts | null
  readonly audit: UserAudit
  /** Lines of the log. */
  readonly lines: number
}

const MOST_FOLDS = 20
/** A busy user's log grows while it is read: what has come is folded after it, until nothing has. */
const MOST_LOOKS = 200

/** A user's rows beside the fold of the log, both as of one moment, while others write. */
export async function auditUser(storage: Storage, games: GameBook, key: UserKey): Promise<AuditedUser> {
  for (let folds = 0; folds < MOST_FOLDS; folds += 1) {
    const current = await games.current()
    const fold = replayUser(storage, current, key)
    let wanted: number | null = null
    for (let looks = 0; looks < MOST_LOOKS; looks += 1) {
      const { lines } = fold
      if (!(await fold.advance(wanted))) break
      // Something came before what had been read: the fold cannot go on from there.
      if (looks > 0 && fold.lines === lines) break
      const facts = fold.facts()
      const audit = await storage.audit(key, facts)
      if (audit.lines === fold.lines) {
        const told = withTold(current, key, facts, audit)
        // Another process may have put a game in force that gives the same lines another meaning.
        if (told.audit.drift.length > 0 && (await storage.readUser(key)).epoch !== current.epoch) break
        return { ...told, lines: fold.lines }
      }
      wanted = audit.lines
    }
    await games.refresh()
  }
  throw new GamificationError(
    'unavailable',
    `The user ${JSON.stringify(key.user)} changed all the time while it was looked at: try again.`,
  )
}

/** When something is due to a user follows from the state, but how far was told does not. */
function withTold(
  current: CurrentGame,
  { tenant, user }: UserKey,
  facts: UserFacts | null,
  audit: UserAudit,
): Pick<AuditedUser, 'facts' | 'audit'> {
  const { messages } = current
  const { told } = audit
  const isKept = messages !== null && wantsTime(messages) && told !== null && told.until >= messages.since
  if (!isKept || facts === null) return { facts, audit }
  const expected = toldUntil(current, facts.state, told.until)
  const mended = { ...facts, told: expected }
  if (audit.drift.length > 0 || expected.due === told.due) return { facts: mended, audit }
  const drift = {
    table: 'users',
    key: { tenant, user },
    stored: { due_at: told.due },
    expected: { due_at: expected.due },
  }
  return { facts: mended, audit: { ...audit, drift: [drift] } }
}
