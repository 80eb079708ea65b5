import { setTimeout as sleep } from 'node:timers/promises'
import { isGamificationError } from '../../errors.ts'
import type { Instant } from '../../rules/calendar.ts'
import type { CommitRound, HeldStorage, Storage, UserSave, UserView } from '../../storage.ts'
import type { UserKey } from '../../storage-rows.ts'
import { eventOf, isAboutEvent, toLookup } from '../accept/accept-command.ts'
import { chain } from '../accept/chain.ts'
import { isReplaced } from '../games.ts'
import { CHANGED, MOST_FREE_TRIES, OUTDATED, onNewestGame } from '../on-newest-game.ts'
import { ALL_ROWS, type FoldSource } from '../replay/fold-start.ts'
import { catchUp } from '../replay/follow-log.ts'
import type { LateCommands } from '../replay/late-entries.ts'
import { readInTurns } from '../replay/read-log.ts'
import { refoldChannel, trace } from '../tracing.ts'
import type { Command, CurrentGame, Eventually, GameBook, Outcome } from '../types.ts'
import { acceptLate, toReplacement, toRows } from './accept-late.ts'
import { beginLate } from './begin-late.ts'
import type { BusyUsers } from './busy-users.ts'
import { recordLateOn, recordOn, store } from './host-door.ts'
import { withRanks } from './late-answers.ts'
import { lockUser } from './locked-user.ts'

export interface LateDependencies {
  readonly storage: Storage
  readonly games: GameBook
  readonly newId: (now: Instant) => string
  readonly busyUsers: BusyUsers
}

/** Thrown to the queue: one of several commands is to be judged by what it does alone, so each is tried alone. */
const TRY_ALONE: unique symbol = Symbol('try alone')
const PAUSE_MS = 20
/** Others who write to the user wait no longer than for a batch. */
const MOST_HELD = 64

/**
 * Records commands of one user of which some belong before the user's newest entry: folds the user's log again with
 * them at their places, outside any transaction, and stores the difference if the user has not changed meanwhile.
 */
export async function recordLate(
  dependencies: LateDependencies,
  commands: readonly [Command, ...Command[]],
): Promise<readonly Outcome[]> {
  const { storage, games, busyUsers } = dependencies
  const { tenant, user } = commands[0]
  const key = { tenant, user }
  const lookups = commands.map(toLookup)
  if (commands.length > 1 && commands.some(isAboutEvent) && !(busyUsers.has(key) && areVoidsOfAKind(commands))) {
    throw TRY_ALONE
  }
  // Items of an import and calls of the same user: only the calls publish messages.
  if (new Set(commands.map(({ isSilent = false }) => isSilent)).size > 1) throw TRY_ALONE
  return onNewestGame<readonly Outcome[]>(
    { storage, games },
    key,
    { lookups },
    'its log was folded again',
    (view, current, tries) => {
      const describe = () => ({ tenant, user, commands: commands.length, entries: view.state?.seq ?? 0 })
      return trace(refoldChannel, describe, () => {
        if (tries > MOST_FREE_TRIES) return holdAndStore()
        return tries > 1 || busyUsers.has(key) ? foldAndHold(view, current) : foldAndStore(view, current)
      })
    },
  )

  /** Folds what is there already; those who write to the user all the time wait while what came since is folded. */
  async function foldAndHold(
    view: UserView,
    current: CurrentGame,
  ): Promise<readonly Outcome[] | typeof CHANGED | typeof OUTDATED> {
    busyUsers.add(key)
    if (isReplaced(view.state, current)) return foldAndStore(view, current)
    const source = { ...sourceOf(storage, key, view), newId: dependencies.newId }
    const begun = await beginLate(source, { view, current, commands })
    if (begun === null) return foldAndStore(view, current)
    if (!(await catchUp(storage, key, { lookups }, begun.log, begun.goOn))) return CHANGED
    await begun.prepare()
    let isChanged = false
    const outcomes = await hold((held) =>
      chain(lockUser(held, key, { lookups }), (locked) =>
        chain(begun.end(locked), (decision) => {
          isChanged = decision === CHANGED
          if (decision === CHANGED || decision === null) return null
          return chain(store(held, key, locked.view, decision), (stored) => {
            isChanged = stored === null
            return stored
          })
        }),
      ),
    )
    busyUsers.add(key)
    return outcomes ?? (isChanged ? CHANGED : holdAndStore())
  }

  /** Records while others who write to the user all the time have to wait. */
  async function holdAndStore(): Promise<readonly Outcome[]> {
    busyUsers.add(key)
    if (commands.length > MOST_HELD || (commands.length > 1 && commands.some(isAboutEvent))) throw TRY_ALONE
    const [only, ...others] = commands
    // Looked for before others have to wait.
    const event = eventOf(only)
    const at = event === null ? null : await findEventOf(storage, key, event)
    const recorded = await hold((held) =>
      others.length === 0
        ? chain(
            recordOn(dependencies, held, only, () => at),
            (outcome) => [outcome],
          )
        : recordLateOn(dependencies, held, commands),
    )
    if (recorded === null) throw TRY_ALONE
    return recorded
  }

  /** Records in a transaction of its own; once more where it ended unknown and has stored nothing. */
  async function hold(
    record: (held: HeldStorage) => Eventually<readonly Outcome[] | null>,
  ): Promise<readonly Outcome[] | null> {
    let done: { readonly recorded: readonly Outcome[] | null } | null = null
    const holding = storage.hold((held) =>
      chain(record(held), (recorded) => {
        done = { recorded }
        return recorded
      }),
    )
    return holding.catch(async (error) => {
      if (done === null || !isUnknown(error)) throw error
      return done.recorded === null || (await isStoredByNow(error)) ? done.recorded : holdAndStore()
    })
  }

  /** Whether a transaction whose end was not told has stored the commands. `cause` is thrown where nobody can say. */
  async function isStoredByNow(cause: unknown): Promise<boolean> {
    // Whoever has the user after it comes after its end.
    const after = storage.hold((held) => chain(held.lockUser(key), () => null))
    await after.catch((error) => {
      if (!isUnknown(error)) throw cause
    })
    const ids = commands.map(({ entryId }) => entryId)
    return (await storage.entryDates(tenant, ids)).length > 0
  }

  async function foldAndStore(
    view: UserView,
    current: CurrentGame,
  ): Promise<readonly Outcome[] | typeof CHANGED | typeof OUTDATED> {
    // The user was deleted while they waited: the first of them makes a new one, whom the others find.
    if (view.state === null && commands.length > 1) throw TRY_ALONE
    const late: LateCommands = { view, current, commands }
    const source = { ...sourceOf(storage, key, view), newId: dependencies.newId }
    if (isReplaced(view.state, current)) {
      const rows = await source.readRows()
      if (rows === null) return CHANGED
      return storeReplacement(storage, key, { view: { ...view, ...rows }, current }, commands[0].receivedAt)
    }
    const decision = await acceptLate(source, late)
    if (decision === null) return OUTDATED
    if (decision.isRefused && commands.length > 1) throw TRY_ALONE
    const rounds = await storeIfUnchanged(storage, key, late, decision.save)
    return rounds === null ? CHANGED : withRanks(key, decision, rounds)
  }
}

/** Whether commands are voids, each of another event, that can be answered as one: the first tells what all did. */
function areVoidsOfAKind(commands: readonly Command[]): boolean {
  const kinds = new Set(
    commands.map(({ body, voids }) => (body.kind === 'eventVoided' && voids === undefined ? body.revokes : null)),
  )
  return kinds.size === 1 && !kinds.has(null) && new Set(commands.map(eventOf)).size === commands.length
}

function isUnknown(error: unknown): boolean {
  return isGamificationError(error) && error.code === 'outcome_unknown'
}

/** Stores a save under the version and the game that were read; null when either has changed since. */
export async function storeIfUnchanged(
  storage: Storage,
  { tenant, user }: UserKey,
  { view, current }: Pick<LateCommands, 'view' | 'current'>,
  save: UserSave | null,
): Promise<readonly CommitRound[] | null> {
  if (save === null) return []
  let isStored = false
  const start = performance.now()
  for (;;) {
    const { failures, rounds } = await storage.commit([{ tenant, user, lookups: [] }], ([loaded], epoch) => {
      isStored = loaded?.version === view.version && epoch === current.epoch
      return [isStored && loaded !== undefined ? { ...save, before: loaded.state } : null]
    })
    const [failure] = failures
    if (failure === undefined) return isStored ? rounds : null
    if (failure.held === undefined || performance.now() - start >= failure.held.forMs) throw failure.error
    await sleep(PAUSE_MS)
  }
}

/** Brings a user whose state is of a replaced game to the newest one; the user is to be read again. */
export async function storeReplacement(
  storage: Storage,
  key: UserKey,
  { view, current }: Pick<LateCommands, 'view' | 'current'>,
  now: Instant,
): Promise<typeof CHANGED | typeof OUTDATED> {
  const readLog = readInTurns(storage, key, view.state?.seq ?? 0)
  const save = await toReplacement({ key, readLog, current, view, now })
  if (save === null) return OUTDATED
  await storeIfUnchanged(storage, key, { view, current }, save)
  return CHANGED
}

/** The instant of an event of the user's; null: the user has no such event. */
async function findEventOf(storage: Storage, { tenant, user }: UserKey, event: string): Promise<Instant | null> {
  const found = await storage.findEvent(tenant, event)
  return found?.user === user ? found.at : null
}

/** What is read of a user beside the view, as long as nobody writes to the user. */
export function sourceOf(storage: Storage, key: UserKey, view: UserView): FoldSource {
  const isSame = ({ version, epoch }: UserView): boolean => version === view.version && epoch === view.epoch
  return {
    openLog: (start) => readInTurns(storage, key, view.state?.seq ?? 0, start),
    readSnapshot: (until) => storage.readSnapshot(key, until),
    findEvent: (event) => findEventOf(storage, key, event),
    readRows: async () => {
      if (!isSame(await storage.readUser(key))) return null
      const rows = await storage.readUser(key, ALL_ROWS)
      return isSame(rows) ? toRows(rows) : null
    },
  }
}
