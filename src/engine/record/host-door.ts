import { GamificationError } from '../../errors.ts'
import type { JoinedStorage, Standing, UserView } from '../../storage.ts'
import { toLookup } from '../accept/command.ts'
import { judge, LATE } from '../accept/judge.ts'
import { chain } from '../accept/maybe-async.ts'
import { startCourse } from '../accept/user-batch.ts'
import { compileAll, isReplaced } from '../games.ts'
import type { Command, Context, CurrentGame, Door, Eventually, Outcome } from '../types.ts'
import { tellRanks, toLateOutcomes } from './late-answers.ts'
import { foldWith, toReplacement, toSave } from './record-late.ts'

const MOST_TRIES = 100

/** Records within the host's transaction, at once and one call after the other: nothing waits in a queue meanwhile. */
export function joinedDoor(context: Context, storage: JoinedStorage, notify: Door['notify']): Door {
  return {
    record: (command) => storage.attempt(() => record(context, storage, command, MOST_TRIES)),
    current: () => currentGame(context, storage, context.games.known()?.epoch ?? 0),
    notify,
  }
}

/** The game of an epoch: the one that this process knows, or what the storage has. */
function currentGame({ games }: Context, storage: JoinedStorage, epoch: number): Eventually<CurrentGame> {
  const known = games.known()
  if (known?.epoch === epoch && epoch > 0) return known
  return chain(storage.games(), (stored) => {
    const newest = stored.at(-1)
    if (newest !== undefined) return compileAll(stored, newest.epoch)
    throw new GamificationError('storage_unusable', 'The storage has no game yet. Call migrate() first.')
  })
}

function record(context: Context, storage: JoinedStorage, command: Command, tries: number): Eventually<Outcome> {
  const restart = (): Eventually<Outcome> => {
    if (tries > 1) return record(context, storage, command, tries - 1)
    throw new GamificationError('unavailable', 'Others changed the same user again and again: try once more.')
  }
  const again: Again = (standings, outcome) => (standings === null ? restart() : outcome(standings))
  return chain(storage.lockUser(command, { lookups: [toLookup(command)] }), (view) =>
    chain(currentGame(context, storage, view.epoch), (current) => {
      const course = startCourse(view.state, 1)
      const judged = judge(course, command, view.found[0] ?? null, current)
      if (judged === LATE) return recordLate(context, storage, command, current, again, restart)
      const save = course.toSave()
      if (save === null) return judged
      const { tenant, user } = command
      const answer = (standings: readonly Standing[]): Outcome => {
        const round = { users: [{ tenant, user, standings }], asOf: 'before' } as const
        const [ranked = judged] = tellRanks({ commands: [command] }, save, [round], [judged])
        return ranked
      }
      return chain(storage.save(command, view, save), (standings) => again(standings, answer))
    }),
  )
}

type Again = (
  standings: readonly Standing[] | null,
  toOutcome: (standings: readonly Standing[]) => Outcome,
) => Eventually<Outcome>

/** Folds the user's log again; nobody else can change the user meanwhile. */
function recordLate(
  context: Context,
  storage: JoinedStorage,
  command: Command,
  current: CurrentGame,
  again: Again,
  restart: () => Eventually<Outcome>,
): Eventually<Outcome> {
  const read: Parameters<typeof foldWith>[0] = {
    readLog: (options) => storage.readLog(command, options),
    newId: context.newId,
  }
  const replace = (view: UserView): Eventually<Outcome> =>
    chain(toReplacement(read.readLog, current, view), (save) => {
      if (save === null) throw newerGame()
      return chain(storage.save(command, view, save), restart)
    })
  const fold = (view: UserView): Eventually<Outcome> => {
    if (isReplaced(view.state, current)) return replace(view)
    const trial = { view, current, commands: [command] }
    return chain(foldWith(read, trial), (folded) => {
      if (folded === null) throw newerGame()
      if (folded.refusal !== null) return { type: 'refused', refusal: folded.refusal }
      const outcomes = toLateOutcomes(trial, folded.verdicts, folded.fold)
      const save = toSave(current, view, folded.fold)
      const { tenant, user } = command
      const answer = (standings: readonly Standing[]): Outcome => {
        const round = { users: [{ tenant, user, standings }], asOf: 'before' } as const
        const [outcome] = tellRanks(trial, save, [round], outcomes)
        if (outcome === undefined) throw new RangeError('Every command has an outcome')
        return outcome
      }
      return save === null
        ? answer([])
        : chain(storage.save(command, view, save), (standings) => again(standings, answer))
    })
  }
  return chain(
    storage.lockUser(command, { awards: {}, periods: {}, leaderboards: {}, lookups: [toLookup(command)] }),
    fold,
  )
}

function newerGame(): GamificationError {
  return new GamificationError('unavailable', 'A newer game was stored meanwhile: try once more.')
}
