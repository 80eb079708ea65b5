import { GamificationError } from '../errors.ts'
import { distinctValue } from '../rules/distinct-values.ts'
import type { EntryBody, ProfilePatch } from '../rules/entry.ts'
import type { UserState } from '../rules/state.ts'
import type { Command, CommandOutcome, CommandRefusal, TimedCommand, VoidCommand } from '../runtime/command.ts'
import type { Context, CurrentGame, WriteCall, WriteMode } from '../runtime/context.ts'
import { aboutOtherGame, compileAll } from '../runtime/game-registry.ts'
import { requireNoHandlerTransaction } from '../runtime/handler-scope.ts'
import { AGAIN, MOST_TRIES } from '../runtime/newest-game.ts'
import { loadGames } from '../sql/games.ts'
import { runSteps, type Steps, wait } from '../storage/steps.ts'
import type { JoinedTransaction, UserTransaction } from '../storage/storage.ts'
import { MOST_ALIASES, toLookups, tooManyAliases } from './accept/accept-command.ts'
import { notifyHandlers } from './emitter.ts'
import { findEventBefore, lockUser, recordLocked, withLockedUser } from './locked-user.ts'
import { rethrow } from './recorder.ts'

export interface Submission {
  readonly user: string
  readonly body: EntryBody
  readonly profile?: ProfilePatch | null
  readonly createsUser?: boolean
  readonly occurredAt?: number | null
  readonly entryId?: string
  readonly voids?: readonly VoidCommand[]
}

export type Accepted = Extract<CommandOutcome, { readonly type: 'recorded' | 'unchanged' }>

/**
 * Makes a command from the data of a write, and records it in the call's mode. If the user was merged, records it for the
 * remaining user. Throws if it is refused.
 */
export function* submit(call: WriteCall, submission: Submission): Steps<Accepted> {
  const { tenant, mode, games, emitter, confirm } = call
  let next = submission
  for (let aliases = 0; aliases <= MOST_ALIASES; aliases += 1) {
    const command = toCommand(call, next)
    const { user, entryId } = command
    const outcome = yield* wait(mode.record(command))
    if (outcome.type === 'refused') {
      const { code, message } = outcome.refusal
      const error = new GamificationError(code, message)
      throw ABOUT_USER.has(code) ? error : aboutOtherGame(games, error)
    }
    if (outcome.type !== 'merged') {
      if (outcome.type === 'recorded') mode.notify(() => notifyHandlers(emitter, { tenant, user }, outcome))
      return outcome
    }
    if (confirm !== null) yield* wait(confirm())
    next = { ...submission, user: outcome.into, entryId }
  }
  throw tooManyAliases(submission.user)
}

function toCommand(call: WriteCall, submission: Submission): TimedCommand {
  const { tenant, mode, deadline, by, games } = call
  const { user, profile = null, createsUser = false, occurredAt = null } = submission
  const body = call.isClient ? ownBody(submission.body) : submission.body
  const receivedAt = call.now()
  const entryId = submission.entryId ?? call.newId(receivedAt)
  const known = games.known()
  const newValue = known !== null && body.kind === 'eventRecorded' ? distinctValue(known.game, body) : null
  return {
    tenant,
    user,
    profile,
    body,
    createsUser,
    occurredAt,
    receivedAt,
    deadline,
    entryId,
    ...(by === null ? {} : { by }),
    ...(newValue === null ? {} : { newValue }),
    ...(submission.voids === undefined ? {} : { voids: submission.voids }),
    ...(mode.isSilent === true ? { isSilent: true } : {}),
  }
}

/** Refusals that no other game would change. */
const ABOUT_USER: ReadonlySet<string> = new Set<CommandRefusal['code']>([
  'unknown_user',
  'unknown_event',
  'event_not_held',
])

/** A change that a user makes with the own key or session is an activity; events and completions always are. */
function ownBody(body: EntryBody): EntryBody {
  return body.kind === 'userUpserted' || body.kind === 'preferencesChanged' ? { ...body, own: true } : body
}

export function stateAfter(outcome: Accepted): UserState {
  return outcome.type === 'recorded' ? outcome.after : outcome.state
}

/** Records through the queue. */
export function queuedMode({ recorder, games }: Pick<Context, 'recorder' | 'games'>): WriteMode {
  return {
    record: (command) => {
      requireNoHandlerTransaction()
      return recorder.record(command)
    },
    current: () => games.current(),
    notify: (run) => run(),
  }
}

/** Records within the host's transaction, at once and one call after the other. Nothing waits in a queue. */
export function transactionMode(context: Context, storage: JoinedTransaction, notify: WriteMode['notify']): WriteMode {
  return {
    joined: storage,
    record: (command) => {
      context.games.lookInBackground()
      return storage.savepoint(() => runSteps(record(context, storage, command)))
    },
    current: () => runSteps(currentGame(context, storage, context.games.known()?.epoch ?? 0)),
    notify: (run) =>
      notify(() => {
        context.messageSignal.notify()
        run()
      }),
  }
}

/** The game of an epoch: the one that this process knows, or the one in the storage. */
export function* currentGame(
  { games }: Pick<Context, 'games'>,
  tx: UserTransaction,
  epoch: number,
): Steps<CurrentGame> {
  const known = games.known()
  if (known?.epoch === epoch && epoch > 0) return known
  const stored = yield* wait(loadGames(tx))
  if (stored.length > 0) return compileAll(stored)
  throw new GamificationError('storage_unusable', 'The storage has no game yet. Call migrate() first.')
}

function* record(context: Context, storage: JoinedTransaction, command: Command): Steps<CommandOutcome> {
  const { tenant, user, receivedAt } = command
  const reads = toLookups([command])
  const gameOf = (epoch: number) => runSteps(currentGame(context, storage, epoch))
  // Only the log says when an event happened, so a void or an approval replays it from its beginning.
  const source = { newId: context.newId, eventAt: null }
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    const locked = yield* lockUser(storage, { tenant, user }, reads, gameOf, receivedAt)
    const recorded = typeof locked === 'symbol' ? locked : yield* recordLocked(source, storage, locked, [command])
    if (recorded !== AGAIN) return onlyOutcome(recorded)
  }
  throw new GamificationError('unavailable', 'Too many concurrent changes to this user. Nothing was saved; retry.')
}

function onlyOutcome(recorded: readonly CommandOutcome[] | null): CommandOutcome {
  const [outcome] = recorded ?? []
  if (outcome === undefined) throw new RangeError('Every command has an outcome')
  return outcome
}

/** Answers as if calls were recorded now. Nothing is stored, and handlers are not called. */
export function dryRunMode(context: Context): WriteMode {
  return {
    isDryRun: true,
    record: (command) => rehearse(context, command).catch(rethrow),
    current: () => context.games.current(context.storage),
    notify: () => undefined,
  }
}

/** The path of every call that takes a lock, in a transaction that is rolled back. */
async function rehearse(context: Context, command: Command): Promise<CommandOutcome> {
  const { tenant, user, receivedAt } = command
  const key = { tenant, user }
  const source = { newId: context.newId, eventAt: await findEventBefore(context.storage, command) }
  const rollBack = new GamificationError('internal', 'A dry run stores nothing.')
  let recorded: readonly CommandOutcome[] | null = null
  const reads = toLookups([command])
  const running = withLockedUser<never>({ ...context, now: () => receivedAt }, key, reads, function* (tx, locked) {
    const done = yield* recordLocked(source, tx, locked, [command])
    if (done === AGAIN) return done
    recorded = done
    throw rollBack
  })
  return running.catch((error) => {
    if (error !== rollBack) throw error
    return onlyOutcome(recorded)
  })
}
