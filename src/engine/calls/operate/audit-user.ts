import { GamificationError } from '../../../errors.ts'
import type { UserState } from '../../../rules/state.ts'
import type { Storage } from '../../../storage.ts'
import type { UserAudit, UserFacts } from '../../../storage-audit.ts'
import type { Told } from '../../../storage-outbox.ts'
import type { UserKey } from '../../../storage-rows.ts'
import { toldSoFar, toldUntil, wantsTime } from '../../accept/user-messages.ts'
import { replayUser } from '../../replay/replay-user.ts'
import { isPassed, newPass, readPass } from '../../sweep-pass.ts'
import type { CurrentGame, GameBook } from '../../types.ts'

export interface AuditedUser {
  readonly facts: UserFacts | null
  readonly audit: UserAudit
  /** Lines of the log. */
  readonly lines: number
  /** How many lines the log should have, by the number of the newest one. */
  readonly expectedLines: number
}

/** The newest epoch is read with any user, so that a damaged row does not matter. */
const NO_USER: UserKey = { tenant: '', user: '' }

const MOST_FOLDS = 20
/** A busy user's log grows while it is read: its new lines are folded too, until there are none. */
const MOST_LOOKS = 200

/** A user's rows beside the fold of the log, both as of one moment, while others write. */
export async function auditUser(storage: Storage, games: GameBook, key: UserKey): Promise<AuditedUser> {
  let stop: string | null = null
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
        const told = await withTold(storage, current, { key, facts, audit })
        // Another process may have put a game in force that gives the same lines another meaning.
        if (told.audit.drift.length > 0 && (await storage.readUser(NO_USER)).epoch !== current.epoch) break
        return { ...told, lines: fold.lines, expectedLines: facts?.state.seq ?? 0 }
      }
      wanted = audit.lines
    }
    // A line that was read amid a change can be folded the next time.
    if (fold.stop !== null && fold.stop === stop) {
      throw new GamificationError('user_damaged', `${stop} Restore it from a backup.`)
    }
    stop = fold.stop
    await games.refresh()
  }
  throw new GamificationError(
    'unavailable',
    `The user ${JSON.stringify(key.user)} changed all the time while it was looked at: try again.`,
  )
}

/** Adds to the facts until when the user was told, which no fold says, and when something is due after that. */
async function withTold(
  storage: Storage,
  current: CurrentGame,
  { key, facts, audit }: { readonly key: UserKey; readonly facts: UserFacts | null; readonly audit: UserAudit },
): Promise<Pick<AuditedUser, 'facts' | 'audit'>> {
  const { messages } = current
  const { told } = audit
  if (messages === null || !wantsTime(messages) || told === null || facts === null) return { facts, audit }
  const until = toldSoFar(told, facts.state)
  if (until < messages.since) return { facts, audit }
  const expected = toldUntil(current, facts.state, until)
  const mended = { ...facts, told: expected }
  if (audit.drift.length > 0 || expected.due === told.due) return { facts: mended, audit }
  if (
    isOfEarlierGame(current, facts.state, told) &&
    !isPassed((await readPass({ storage })).stored, newPass(current, messages))
  ) {
    return { facts, audit }
  }
  const { tenant, user } = key
  const drift = {
    table: 'users',
    key: { tenant, user },
    stored: { due_at: told.due },
    expected: { due_at: expected.due },
  }
  return { facts: mended, audit: { ...audit, drift: [drift] } }
}

/** Whether `told.due` is right under an earlier game: the sweeper has not come to such a user yet. */
function isOfEarlierGame({ games, noticesFrom }: CurrentGame, state: UserState, told: Told): boolean {
  const until = toldSoFar(told, state)
  return noticesFrom.some((_, known) => {
    return toldUntil({ games, noticesFrom: noticesFrom.slice(0, known) }, state, until).due === told.due
  })
}
