import { isGamificationError } from '../errors.ts'
import type { Instant } from '../rules/calendar.ts'
import type { Command, Context, Outcome } from '../runtime/context.ts'
import { refoldChannel, trace } from '../runtime/tracing.ts'
import type { UserKey } from '../storage/rows.ts'
import type { Storage } from '../storage/storage.ts'
import { chain } from '../storage/sync-or-async.ts'
import { eventOf, isAboutEvent, toLookup } from './accept/accept-command.ts'
import { withLockedUser } from './locked-user.ts'
import { recordLocked } from './record-locked.ts'

type LateContext = Pick<Context, 'storage' | 'games' | 'newId'>

/** Thrown to the queue: one of several commands is to be judged alone, so each part of them is tried alone. */
const TRY_ALONE: unique symbol = Symbol('try alone')
/** Other writers of the user wait no longer than for a batch. An import may keep them waiting for longer. */
const MOST_CALLS = 64

/** Records commands of one user in one transaction, with one replay of the log if one of them is late. */
export async function recordLate(
  context: LateContext,
  commands: readonly [Command, ...Command[]],
): Promise<readonly Outcome[]> {
  const { storage, newId } = context
  const [{ tenant, user, receivedAt }] = commands
  const key = { tenant, user }
  if (commands.length > 1 && !canShareReplay(commands)) throw TRY_ALONE
  // Looked for before others have to wait.
  const event = eventOf(commands[0])
  const at = event === null ? null : await findEventOf(storage, key, event)
  const source = { newId, findEvent: () => at }
  const lookups = commands.map(toLookup)
  let recorded: readonly Outcome[] | null = null
  const holding = withLockedUser({ ...context, now: () => receivedAt }, key, { lookups }, (tx, locked) => {
    const describe = () => ({ ...key, commands: commands.length, entries: locked.view.state?.seq ?? 0 })
    const recording = trace(refoldChannel, describe, () => recordLocked(source, tx, locked, commands))
    return chain(recording, (done) => {
      recorded = typeof done === 'symbol' ? null : done
      return done
    })
  })
  const outcomes = await holding.catch(async (error) => {
    if (!isUnknown(error)) throw error
    const isStored = await areStored(storage, key, commands, error)
    return isStored && recorded !== null ? recorded : recordLate(context, commands)
  })
  if (outcomes === null) throw TRY_ALONE
  return outcomes
}

/**
 * Whether commands can be answered by one replay. A void or an approval answers what it alone did. Items of an import
 * publish no messages, and calls do.
 */
function canShareReplay(commands: readonly Command[]): boolean {
  const [{ isSilent: isImport = false } = {}] = commands
  return (
    (isImport || commands.length <= MOST_CALLS) &&
    commands.every((command) => !isAboutEvent(command) && (command.isSilent ?? false) === isImport)
  )
}

function isUnknown(error: unknown): boolean {
  return isGamificationError(error) && error.code === 'outcome_unknown'
}

/** Whether a transaction has stored commands, if the answer to its commit got lost. `cause` is thrown if that cannot be found out. */
async function areStored(
  storage: Storage,
  key: UserKey,
  commands: readonly Command[],
  cause: unknown,
): Promise<boolean> {
  // The lock is free once that transaction has ended.
  const after = storage.transaction((tx) => chain(tx.lockUser(key), () => null))
  await after.catch((error) => {
    if (!isUnknown(error)) throw cause
  })
  const ids = commands.map(({ entryId }) => entryId)
  return (await storage.entryDates(key.tenant, ids)).length > 0
}

/** The instant of an event of the user's; null: the user has no such event. */
export async function findEventOf(storage: Storage, { tenant, user }: UserKey, event: string): Promise<Instant | null> {
  const found = await storage.findEvent(tenant, event)
  return found?.user === user ? found.at : null
}
