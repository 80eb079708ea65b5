import { setTimeout as sleep } from 'node:timers/promises'
import { GamificationError, isGamificationError } from '../../errors.ts'
import type {
  CommitFailure,
  CommitReport,
  CommitRound,
  Decide,
  EventLookup,
  Storage,
  UserRequest,
  UserSave,
} from '../../storage.ts'
import { toLookup } from '../accept/accept-command.ts'
import { acceptAll, LATE } from '../accept/user-batch.ts'
import { NEVER, storageBy, toArgument, waitedTooLong } from '../deadline.ts'
import { type OrderedMove, rankMoves } from '../ranks/ranks-after.ts'
import type { GameBook, Outcome, Recorder, TimedCommand } from '../types.ts'
import { userKeyText } from '../user-key.ts'
import { createQueue } from './batch-queue.ts'
import { recordLate as recordLateOnes } from './record-late.ts'
import { createUserQueues } from './user-queues.ts'

const MOST_IN_BATCH = 64
/** Nobody waits for the answer to a single item of an import. */
const MOST_IN_IMPORT_BATCH = 256
const MOST_IN_LANE = 64
const MOST_IN_FOLD = 1_000
const FIRST_PAUSE_MS = 5
const LONGEST_PAUSE_MS = 100
/** What is begun just before its deadline gets so long: nothing that is answered at all is to be cut off. */
const LEAST_MS = 400

/** Somebody outside this process holds the user, and others shall not wait for that. */
const HELD = Symbol('held')
/** A newer game was stored by another process. */
const EPOCH_MOVED = Symbol('epoch moved')

type Recorded = Extract<Outcome, { readonly type: 'recorded' }>
type Handled = Outcome | typeof LATE | typeof HELD | Failed
/** Nothing was recorded, though other commands of the batch were. */
interface Failed {
  readonly type: 'failed'
  readonly error: unknown
}

interface Tried {
  readonly outcomes: Handled[]
  readonly failures: readonly { readonly group: Group; readonly failure: CommitFailure }[]
}

/** By when what is asked for these commands together has to be answered: that of the first to be late, but for `LEAST_MS`. */
function endOf(commands: readonly TimedCommand[]): number {
  let first = NEVER
  for (const { deadline } of commands) first = Math.min(first, deadline)
  return first === NEVER ? NEVER : Math.max(first, performance.now() + LEAST_MS)
}

/** Errors that splitting a batch cannot mend. */
function isAboutAll(error: unknown): boolean {
  return isGamificationError(error) && error.code !== 'internal'
}

export function createRecorder(storage: Storage, games: GameBook, newId: (now: number) => string): Recorder {
  const folds = createUserQueues(foldLate, MOST_IN_FOLD, isAboutAll)
  const waits = createUserQueues(waitForUser, MOST_IN_LANE, isAboutAll)
  const queue = createQueue((commands: readonly TimedCommand[]) => runBatch(commands, true), {
    most: MOST_IN_BATCH,
    isAboutAll,
    ownerOf: userKeyText,
  })
  // Nobody reads the ranks that an import leads to on its way.
  const importQueue = createQueue((commands: readonly TimedCommand[]) => runBatch(commands, false), {
    most: MOST_IN_IMPORT_BATCH,
    isAboutAll,
  })

  async function foldLate(commands: readonly TimedCommand[]): Promise<readonly Outcome[]> {
    const [first, ...others] = commands
    if (first === undefined) return []
    return recordLateOnes({ storage: storageBy(storage, endOf(commands)), games, newId }, [first, ...others])
  }

  async function runBatch(commands: readonly TimedCommand[], isRanked: boolean): Promise<readonly Handled[]> {
    // Those of a user that has a lane come after what is in it.
    return settle(await tryBatch(commands, isRanked, (command) => (waits.isBusy(command) ? HELD : null)))
  }

  async function waitForUser(
    commands: readonly TimedCommand[],
    answer: (index: number, handled: Handled) => void,
  ): Promise<readonly Handled[]> {
    const start = performance.now()
    const handled: Handled[] = []
    let left = commands.map((command, index) => ({ command, index }))
    for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
      await sleep(pause * (0.5 + Math.random()))
      const own = left.map(({ command }) => command)
      const tried = await tryBatch(own, true, () => null)
      const failure = tried.failures[0]?.failure
      if (failure?.held === undefined) {
        const settled = await settle(tried)
        for (const [place, { index }] of left.entries()) handled[index] = settled[place] ?? LATE
        return handled
      }
      const now = performance.now()
      const latest = start + failure.held.forMs
      const isOver = ({ deadline }: TimedCommand): boolean => now >= (deadline === NEVER ? latest : deadline)
      const failed: Failed = { type: 'failed', error: failure.error }
      for (const { command, index } of left) {
        if (isOver(command)) answer(index, failed)
      }
      left = left.filter(({ command }) => !isOver(command))
      if (left.length === 0) return handled
    }
  }

  /** What becomes of the users that were not stored. */
  async function settle({ outcomes, failures }: Tried): Promise<readonly Handled[]> {
    for (const { group, failure } of failures) {
      const { error, held } = failure
      if (error === EPOCH_MOVED) await games.refresh(toArgument(endOf(group.commands.map(({ command }) => command))))
      // Of several commands perhaps only one is the culprit; other users are stored already.
      const areSeveral = failures.length > 1 || group.commands.length > 1
      const isDivisible = error === EPOCH_MOVED || (areSeveral && !isAboutAll(error))
      for (const { command, index } of group.commands) {
        if (held !== undefined) outcomes[index] = HELD
        else outcomes[index] = isDivisible ? await runAlone(command) : { type: 'failed', error }
      }
    }
    return outcomes
  }

  async function runAlone(command: TimedCommand): Promise<Handled> {
    try {
      if (performance.now() >= command.deadline) throw waitedTooLong()
      const [handled] = await settle(await tryBatch([command], true, () => null))
      return handled ?? LATE
    } catch (error) {
      return { type: 'failed', error }
    }
  }

  /** Commands for which `elsewhere` has an answer, or whose users' logs are being folded, are left out. */
  async function tryBatch(
    commands: readonly TimedCommand[],
    isRanked: boolean,
    elsewhere: (command: TimedCommand) => Handled | null,
  ): Promise<Tried> {
    const outcomes: Handled[] = commands.map((command) => (folds.isBusy(command) ? LATE : (elsewhere(command) ?? LATE)))
    let report: CommitReport = { failures: [], rounds: [] }
    const slack = isRanked ? commands.length : null
    const saves = new Map<string, UserSave>()
    const groups = groupByUser(commands, (command) => !folds.isBusy(command) && elsewhere(command) === null)
    const requests = [...groups.values()].map(({ request }) => request)
    const deadline = toArgument(endOf(commands))
    while (groups.size > 0) {
      const current = await games.current(deadline)
      try {
        const decide: Decide = (users, epoch) => {
          if (epoch !== current.epoch) throw EPOCH_MOVED
          return users.map((user) => {
            const key = userKeyText(user)
            const own = groups.get(key)?.commands ?? []
            const accepted = acceptAll(
              user,
              own.map(({ command }) => command),
              current,
              slack,
            )
            // A later call for the same user overwrites what an earlier one found.
            for (const [position, { index }] of own.entries()) outcomes[index] = accepted.outcomes[position] ?? LATE
            if (accepted.save !== null) saves.set(key, accepted.save)
            return accepted.save
          })
        }
        report = await storage.commit(requests, decide, deadline)
        break
      } catch (error) {
        if (error !== EPOCH_MOVED) throw error
        await games.refresh(deadline)
      }
    }
    for (const round of report.rounds) tellRanks(round, groups, saves, outcomes)
    const failed = report.failures.flatMap((failure) => {
      const group = groups.get(userKeyText(failure))
      return group === undefined ? [] : [{ group, failure }]
    })
    return { outcomes, failures: failed }
  }

  const recordLate = (command: TimedCommand): Promise<Outcome> => folds.record(command).catch(rethrow)

  /** Where the queue sent the command, if it did not record it. */
  async function follow(command: TimedCommand, handled: Handled): Promise<Outcome | typeof LATE> {
    if (handled === HELD) return follow(command, await waits.record(command).catch(rethrow))
    return handled === LATE ? LATE : toOutcome(handled)
  }

  return {
    record: (command) =>
      queue.push(command).then((handled) => {
        if (handled === LATE) return recordLate(command)
        if (handled !== HELD) return toOutcome(handled)
        return follow(command, handled).then((outcome) => (outcome === LATE ? recordLate(command) : outcome))
      }, rethrow),
    recordUnlessLate: (command) =>
      importQueue.push(command).then(async (handled) => {
        const outcome = await follow(command, handled)
        return outcome === LATE ? null : outcome
      }, rethrow),
    recordLate,
    drained: async () => {
      const places = [queue, importQueue, waits, folds]
      do {
        for (const place of places) await place.drained()
        // What came out of one may go on to another.
        await new Promise((resolve) => setImmediate(resolve))
      } while (places.some((place) => !place.isIdle()))
    },
  }
}

function toOutcome(handled: Outcome | Failed): Outcome {
  return handled.type === 'failed' ? rethrow(handled.error) : handled
}

/** What nobody foresaw is a fault of the library, and says so. */
export function rethrow(error: unknown): never {
  if (isGamificationError(error)) throw error
  const message = 'A fault of laurels: nothing was recorded. Please report it, with its cause.'
  throw new GamificationError('internal', message, { cause: error })
}

interface Group {
  readonly request: UserRequest
  readonly commands: readonly { readonly command: TimedCommand; readonly index: number }[]
}

type OpenRequest = UserRequest & { readonly lookups: (EventLookup | null)[] }

function groupByUser(
  commands: readonly TimedCommand[],
  isTaken: (command: TimedCommand) => boolean,
): ReadonlyMap<string, Group> {
  const groups = new Map<string, { request: OpenRequest; commands: { command: TimedCommand; index: number }[] }>()
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

/** Completes the answers of what was stored together with the ranks it led to. */
function tellRanks(
  round: CommitRound,
  groups: ReadonlyMap<string, Group>,
  saves: ReadonlyMap<string, UserSave>,
  outcomes: Handled[],
): void {
  const moves: OrderedMove[] = []
  const told: { readonly index: number; readonly outcome: Recorded }[] = []
  for (const { tenant, user } of round.users) {
    for (const { index } of groups.get(userKeyText({ tenant, user }))?.commands ?? []) {
      const outcome = outcomes[index]
      if (typeof outcome !== 'object' || outcome.type !== 'recorded') continue
      for (const move of outcome.moves) moves.push({ tenant, user, order: index, move })
      if (outcome.moves.some(({ isTold }) => isTold)) told.push({ index, outcome })
    }
  }
  if (told.length === 0) return
  const ranks = rankMoves(round, (user) => saves.get(userKeyText(user))?.ranks ?? [], moves)
  for (const { index, outcome } of told) outcomes[index] = { ...outcome, ranks }
}
