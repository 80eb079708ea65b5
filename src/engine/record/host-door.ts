import { GamificationError } from '../../errors.ts'
import type { HeldStorage, JoinedStorage, UserView } from '../../storage.ts'
import type { UserKey } from '../../storage-rows.ts'
import { toLookup } from '../accept/accept-command.ts'
import { chain } from '../accept/chain.ts'
import { acceptAll, LATE } from '../accept/user-batch.ts'
import { damagedLog } from '../damage.ts'
import { compileAll, isReplaced } from '../games.ts'
import { ALL_ROWS, type FoldSource } from '../replay/fold-start.ts'
import type { Command, Context, CurrentGame, Door, Eventually, Outcome } from '../types.ts'
import { acceptLate, type LateSource, toReplacement, toRows } from './accept-late.ts'
import { type Decision, withRanks } from './late-answers.ts'
import { lockUser } from './locked-user.ts'

const MOST_TRIES = 100

/** Records within the host's transaction, at once and one call after the other: nothing waits in a queue meanwhile. */
export function hostDoor(context: Context, storage: JoinedStorage, notify: Door['notify']): Door {
  return {
    record: (command) => recordOn(context, storage, command),
    current: () => currentGame(context, storage, context.games.known()?.epoch ?? 0),
    notify: (run) =>
      notify(() => {
        context.wake.ring()
        run()
      }),
  }
}

type Recording = Pick<Context, 'games' | 'newId'>

/**
 * Records a command at once, on a storage on which nobody else can change the user meanwhile. `findEvent`: as in
 * `FoldSource`; without it the log is folded from its beginning for a void or an approval.
 */
export function recordOn(
  context: Recording,
  storage: HeldStorage,
  command: Command,
  findEvent: FoldSource['findEvent'] = () => null,
): Eventually<Outcome> {
  const holding = { ...storage, findEvent }
  return storage.attempt(() => record(context, holding, command, MOST_TRIES))
}

interface Holding extends HeldStorage, Pick<FoldSource, 'findEvent'> {}

/**
 * Records commands of one user by one fold of its log, on a storage on which nobody else can change the user meanwhile.
 * null: one of several is to be judged by what it does alone, and nothing was stored.
 */
export function recordLateOn(
  context: Recording,
  storage: HeldStorage,
  commands: readonly [Command, ...Command[]],
): Eventually<readonly Outcome[] | null> {
  const holding = { ...storage, findEvent: () => null }
  return storage.attempt(() => foldAndStore(context, holding, commands, MOST_TRIES))
}

/** The game of an epoch: the one that this process knows, or what the storage has. */
export function currentGame(
  { games }: Pick<Context, 'games'>,
  storage: HeldStorage,
  epoch: number,
): Eventually<CurrentGame> {
  const known = games.known()
  if (known?.epoch === epoch && epoch > 0) return known
  return chain(storage.games(), (stored) => {
    const newest = stored.at(-1)
    if (newest !== undefined) return compileAll(stored, newest.epoch)
    throw new GamificationError('storage_unusable', 'The storage has no game yet. Call migrate() first.')
  })
}

function record(context: Recording, storage: Holding, command: Command, tries: number): Eventually<Outcome> {
  const { tenant, user } = command
  return chain(storage.lockUser(command, { lookups: [toLookup(command)] }), (view) =>
    chain(currentGame(context, storage, view.epoch), (current) => {
      const { outcomes, save } = acceptAll(view, [command], current, 1)
      const [outcome = LATE] = outcomes
      if (outcome === LATE) return chain(foldAndStore(context, storage, [command], tries), firstOf)
      const stored = store(storage, { tenant, user }, view, { outcomes: [outcome], save })
      return chain(stored, (answers) =>
        answers === null ? record(context, storage, command, lessOne(tries)) : firstOf(answers),
      )
    }),
  )
}

/** Stores a decision on a view, and answers it; null: the user has changed since the view was read. */
export function store(
  storage: HeldStorage,
  key: UserKey,
  view: UserView,
  decision: Decision,
): Eventually<readonly Outcome[] | null> {
  if (decision.save === null) return decision.outcomes
  return chain(storage.save(key, view, decision.save), (ranks) =>
    ranks === null ? null : withRanks(key, decision, [{ users: [{ ...key, ranks }], asOf: 'before' }]),
  )
}

/** Folds the user's log again with the commands; as `recordLateOn`, whatever the log says of the user's game. */
function foldAndStore(
  context: Recording,
  storage: Holding,
  commands: readonly [Command, ...Command[]],
  tries: number,
): Eventually<readonly Outcome[] | null> {
  const { tenant, user, receivedAt } = commands[0]
  const key = { tenant, user }
  const again = () => foldAndStore(context, storage, commands, lessOne(tries))
  const readAll = () => storage.lockUser(key, ALL_ROWS)
  return chain(lockUser(storage, key, { lookups: commands.map(toLookup) }), ({ view, readLog }) =>
    chain(currentGame(context, storage, view.epoch), (current) => {
      // The user was deleted while they waited: the first of them makes a new one, whom the others find.
      if (view.state === null && commands.length > 1) return null
      if (isReplaced(view.state, current)) {
        return chain(readAll(), (all) =>
          chain(toReplacement({ key, readLog, current, view: all, now: receivedAt }), (save) => {
            if (save === null) throw damagedLog(user)
            return chain(storage.save(key, all, save), again)
          }),
        )
      }
      const source: LateSource = {
        openLog: () => readLog,
        readSnapshot: (until) => storage.readSnapshot(key, until),
        findEvent: storage.findEvent,
        readRows: () => chain(readAll(), toRows),
        newId: context.newId,
      }
      return chain(acceptLate(source, { view, current, commands }), (decision) => {
        if (decision === null) throw damagedLog(user)
        if (decision.isRefused && commands.length > 1) return null
        return chain(store(storage, key, view, decision), (answers) => answers ?? again())
      })
    }),
  )
}

function firstOf(outcomes: readonly Outcome[] | null): Outcome {
  const [outcome] = outcomes ?? []
  if (outcome === undefined) throw new RangeError('Every command has an outcome')
  return outcome
}

function lessOne(tries: number): number {
  if (tries > 1) return tries - 1
  throw new GamificationError('unavailable', 'Others changed the same user again and again: try once more.')
}
