import { GamificationError, isGamificationError } from '../errors.ts'
import type { CommitFailure, EventLookup, LoadedUser, Storage, UserRequest, UserSave } from '../storage.ts'
import { type Command, type Outcome, toLookup } from './command.ts'
import { startCourse } from './course.ts'
import type { CurrentGame, GameBook } from './game-book.ts'
import { judge, LATE } from './judge.ts'
import { createQueue } from './queue.ts'
import { createRefolder, userKeyText } from './refolder.ts'

/** The one way in which a call writes. */
export interface Recorder {
  record(command: Command): Promise<Outcome>
  /** For imports. null when the command is late: it is then not recorded, and `recordLate` has to be called for it. */
  recordUnlessLate(command: Command): Promise<Outcome | null>
  /** Folds the user's log again with the command; those of one user that wait share one fold. */
  recordLate(command: Command): Promise<Outcome>
  /** Resolves when nothing waits and nothing is under way. */
  drained(): Promise<void>
}

const MOST_IN_BATCH = 64
/** Nobody waits for the answer to a single item of an import. */
const MOST_IN_IMPORT_BATCH = 256
type Judged = Outcome | typeof LATE | Failed
/** Nothing was recorded, though other commands of the batch were. */
interface Failed {
  readonly type: 'failed'
  readonly error: unknown
}

interface Tried {
  readonly outcomes: Judged[]
  readonly failures: readonly { readonly group: Group; readonly error: unknown }[]
}

/** A newer game was stored by another process. */
const EPOCH_MOVED = Symbol('epoch moved')

/** Errors that splitting a batch cannot mend. */
function isAboutAll(error: unknown): boolean {
  return isGamificationError(error) && error.code !== 'internal'
}

export function createRecorder(storage: Storage, games: GameBook, newId: (now: number) => string): Recorder {
  const refolder = createRefolder({ storage, games, newId }, isAboutAll)
  const queue = createQueue(runBatch, MOST_IN_BATCH, isAboutAll)
  const importQueue = createQueue(runBatch, MOST_IN_IMPORT_BATCH, isAboutAll)

  async function runBatch(commands: readonly Command[]): Promise<readonly Judged[]> {
    const { outcomes, failures } = await tryBatch(commands)
    for (const { group, error } of failures) {
      // Of several commands of one user perhaps only one is the culprit; other users are stored already.
      const isDivisible = error === EPOCH_MOVED || (group.commands.length > 1 && !isAboutAll(error))
      if (error === EPOCH_MOVED) await games.refresh()
      for (const { command, index } of group.commands) {
        outcomes[index] = isDivisible ? await runAlone(command) : { type: 'failed', error }
      }
    }
    return outcomes
  }

  async function runAlone(command: Command): Promise<Judged> {
    try {
      const [outcome] = (await tryBatch([command])).outcomes
      return outcome ?? LATE
    } catch (error) {
      return { type: 'failed', error }
    }
  }

  async function tryBatch(commands: readonly Command[]): Promise<Tried> {
    const outcomes: Judged[] = commands.map(() => LATE)
    let failures: readonly CommitFailure[] = []
    const groups = groupByUser(commands, (command) => !refolder.isFolding(command))
    const requests = [...groups.values()].map(({ request }) => request)
    while (groups.size > 0) {
      const current = await games.current()
      try {
        failures = await storage.commit(requests, (users, epoch) => {
          if (epoch !== current.epoch) throw EPOCH_MOVED
          return users.map((user) => decideUser(user, groups.get(userKeyText(user)), current, outcomes))
        })
        break
      } catch (error) {
        if (error !== EPOCH_MOVED) throw error
        await games.refresh()
      }
    }
    // One written in plain JavaScript may answer nothing.
    const failed = (failures ?? []).flatMap(({ error, ...key }) => {
      const group = groups.get(userKeyText(key))
      return group === undefined ? [] : [{ group, error }]
    })
    return { outcomes, failures: failed }
  }

  const recordUnlessLate = (command: Command): Promise<Outcome | null> =>
    importQueue.push(command).then((judged) => (judged === LATE ? null : toOutcome(judged)), rethrow)

  const recordLate = (command: Command): Promise<Outcome> => refolder.record(command).catch(rethrow)

  return {
    record: (command) =>
      queue.push(command).then((judged) => (judged === LATE ? recordLate(command) : toOutcome(judged)), rethrow),
    recordUnlessLate,
    recordLate,
    drained: async () => {
      await queue.drained()
      await importQueue.drained()
      await refolder.drained()
    },
  }
}

function toOutcome(judged: Outcome | Failed): Outcome {
  return judged.type === 'failed' ? rethrow(judged.error) : judged
}

/** What nobody foresaw is a fault of the library, and says so. */
function rethrow(error: unknown): never {
  if (isGamificationError(error)) throw error
  const message = 'A fault of laurels: nothing was recorded. Please report it, with its cause.'
  throw new GamificationError('internal', message, { cause: error })
}

interface Group {
  readonly request: UserRequest
  readonly commands: readonly { readonly command: Command; readonly index: number }[]
}

type OpenRequest = UserRequest & { readonly lookups: (EventLookup | null)[] }

function groupByUser(commands: readonly Command[], isTaken: (command: Command) => boolean): ReadonlyMap<string, Group> {
  const groups = new Map<string, { request: OpenRequest; commands: { command: Command; index: number }[] }>()
  for (const [index, command] of commands.entries()) {
    if (!isTaken(command)) continue
    const key = userKeyText(command)
    let group = groups.get(key)
    if (group === undefined) {
      const { tenant, user } = command
      group = { request: { tenant, user, lookups: [] }, commands: [] }
      groups.set(key, group)
    }
    group.request.lookups.push(toLookup(command))
    group.commands.push({ command, index })
  }
  return groups
}

/** Decides the commands of one user one after the other, each on the state that the one before left. */
function decideUser(
  user: LoadedUser,
  group: Group | undefined,
  current: CurrentGame,
  outcomes: Judged[],
): UserSave | null {
  const course = startCourse(user.state)
  for (const [position, { command, index }] of (group?.commands ?? []).entries()) {
    outcomes[index] = judge(course, command, user.found[position] ?? null, current)
  }
  return course.toSave()
}
