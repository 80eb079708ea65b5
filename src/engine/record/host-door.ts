import { GamificationError } from '../../errors.ts'
import type { HeldStorage, JoinedStorage, UserView } from '../../storage.ts'
import { toLookup } from '../accept/accept-command.ts'
import { chain } from '../accept/chain.ts'
import { acceptAll, LATE } from '../accept/user-batch.ts'
import { compileAll, isReplaced } from '../games.ts'
import type { ReadChunk } from '../replay/read-log.ts'
import type { Command, Context, CurrentGame, Door, Eventually, Outcome } from '../types.ts'
import { acceptLate, type LateSource, toReplacement, toRows } from './accept-late.ts'
import { answerAlone, type Decision } from './late-answers.ts'

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

/** Records a command at once, on a storage on which nobody else can change the user meanwhile. */
export function recordOn(context: Recording, storage: HeldStorage, command: Command): Eventually<Outcome> {
  return storage.attempt(() => record(context, storage, command, MOST_TRIES))
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

function record(context: Recording, storage: HeldStorage, command: Command, tries: number): Eventually<Outcome> {
  const again = (): Eventually<Outcome> => {
    if (tries > 1) return record(context, storage, command, tries - 1)
    throw new GamificationError('unavailable', 'Others changed the same user again and again: try once more.')
  }
  const store: Store = (view, decision) => {
    if (decision.save === null) return answerAlone(command, decision, [])
    const ranks = storage.save(command, view, decision.save)
    return chain(ranks, (counted) => (counted === null ? again() : answerAlone(command, decision, counted)))
  }
  return chain(storage.lockUser(command, { lookups: [toLookup(command)] }), (view) =>
    chain(currentGame(context, storage, view.epoch), (current) => {
      const { outcomes, save } = acceptAll(view, [command], current, 1)
      const [outcome = LATE] = outcomes
      if (outcome === LATE) return recordLate(context, storage, command, current, store, again)
      return store(view, { outcomes: [outcome], save })
    }),
  )
}

/** Stores a decision on a view and answers it; begins again where the user has changed since the view was read. */
type Store = (view: UserView, decision: Decision) => Eventually<Outcome>

/** Folds the user's log again; nobody else can change the user meanwhile. */
function recordLate(
  { newId }: Recording,
  storage: HeldStorage,
  command: Command,
  current: CurrentGame,
  store: Store,
  again: () => Eventually<Outcome>,
): Eventually<Outcome> {
  const readLog: ReadChunk = (options) => storage.readLog(command, options)
  const readAll = () => storage.lockUser(command, { awards: {}, periods: {}, leaderboards: {} })
  const source: LateSource = {
    openLog: () => readLog,
    readSnapshot: (until) => storage.readSnapshot(command, until),
    // The storage of a host's transaction does not look for one event.
    findEvent: () => null,
    readRows: () => chain(readAll(), toRows),
    newId,
  }
  return chain(storage.lockUser(command, { lookups: [toLookup(command)] }), (view) => {
    if (isReplaced(view.state, current)) {
      return chain(readAll(), (all) =>
        chain(toReplacement({ key: command, readLog, current, view: all, now: command.receivedAt }), (save) => {
          if (save === null) throw newerGame()
          return chain(storage.save(command, all, save), again)
        }),
      )
    }
    return chain(acceptLate(source, { view, current, commands: [command] }), (decision) => {
      if (decision === null) throw newerGame()
      return store(view, decision)
    })
  })
}

function newerGame(): GamificationError {
  return new GamificationError('unavailable', 'A newer game was stored meanwhile: try once more.')
}
