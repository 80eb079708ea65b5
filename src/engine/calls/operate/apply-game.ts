import { type DefinedGame, requireDefined } from '../../../game/define-game.ts'
import { applyOptions } from '../../../requests/audit.ts'
import { parse } from '../../../requests/input.ts'
import type { ApplyPolicy } from '../../../requests/types/audit.ts'
import type { Entry } from '../../../rules/entry.ts'
import type { HeldStorage, UserSave, UserView } from '../../../storage.ts'
import type { UserKey } from '../../../storage-rows.ts'
import { chain } from '../../accept/chain.ts'
import { acceptAll, LATE } from '../../accept/user-batch.ts'
import type { DamagedUser } from '../../answers/wire/users.ts'
import { damageOf, startDamageCheck } from '../../damage.ts'
import { isReplaced } from '../../games.ts'
import { CHANGED, MOST_FREE_TRIES, OUTDATED, onNewestGame } from '../../on-newest-game.ts'
import { beginReplacement } from '../../record/accept-late.ts'
import { currentGame } from '../../record/host-door.ts'
import { type LockedUser, lockUser } from '../../record/locked-user.ts'
import { storeIfUnchanged } from '../../record/record-late.ts'
import { ALL_ROWS } from '../../replay/fold-start.ts'
import { catchUp, followLog } from '../../replay/follow-log.ts'
import { forEachEntry, forEachEntryInTurns, type LogOpener, readInTurns } from '../../replay/read-log.ts'
import { beginReplay, type Replay } from '../../replay/replay.ts'
import { allUnder } from '../../replay/replay-under.ts'
import type { Context, CurrentGame, Eventually } from '../../types.ts'
import { findGrants } from './missing-grants.ts'
import { usersOf } from './walk-users.ts'

export interface ApplyReport {
  readonly epoch: number
  readonly policy: ApplyPolicy
  /** Users looked at; 0 with `forward`, which looks at nobody. */
  readonly users: number
  /** How many of these users had rows or lines of the log written. */
  readonly changed: number
  /** Users of whom a row cannot be read, or lines of the log are missing. They are left as they are. */
  readonly damaged: readonly DamagedUser[]
}

/**
 * Puts a game in force for every process, by a policy. Users are gone through one by one, each in one step that is
 * right beside other writers; interrupted, the same call goes on with those that are left. A damaged user is reported,
 * and the others are gone through.
 */
export async function applyGame(context: Context, next: DefinedGame, options: unknown = {}): Promise<ApplyReport> {
  const { policy, after, onProgress, signal } = parse(applyOptions, options, 'options')
  requireDefined(next, 'apply()')
  const { fingerprint, definition } = next
  const { epoch } = await context.games.apply({ fingerprint, definition: JSON.stringify(definition) }, policy)
  if (policy === 'forward') return { epoch, policy, users: 0, changed: 0, damaged: [] }
  const damaged: DamagedUser[] = []
  let users = 0
  let changed = 0
  let entries = 0
  for await (const key of usersOf(context.storage, after)) {
    signal?.throwIfAborted()
    try {
      const done = await applyTo(context, key, policy)
      entries += done.entries
      if (done.isChanged) changed += 1
    } catch (error) {
      damaged.push(damageOf(key, error))
    }
    users += 1
    onProgress?.({ users, entries, last: key })
  }
  onProgress?.({ users, entries, last: null })
  return { epoch, policy, users, changed, damaged }
}

interface Applied {
  readonly isChanged: boolean
  readonly entries: number
}

/** From then on nobody else writes to the user during the fold. */
const MOST_TRIES_IN_PARTS = 10

async function applyTo(context: Context, key: UserKey, policy: 'grant' | 'recompute'): Promise<Applied> {
  const { storage } = context
  const check = startDamageCheck(key.user)
  let isChanged = false
  return onNewestGame<Applied>(context, key, ALL_ROWS, 'the game was applied', async (view, current, tries) => {
    check(view)
    const done =
      tries > MOST_TRIES_IN_PARTS
        ? await storage.hold((held) => applyOn(context, held, key, policy))
        : await (tries > MOST_FREE_TRIES ? applyInParts : applyFreely)(context, key, policy, view, current)
    if (typeof done === 'symbol') return done
    isChanged ||= done.isChanged
    return done.isLast ? { isChanged, entries: done.entries } : CHANGED
  })
}

/** `isLast`: nothing is left to be done after it. */
interface Step extends Applied {
  readonly isLast: boolean
}

type Stepped = Step | typeof CHANGED | typeof OUTDATED

async function applyFreely(
  context: Context,
  key: UserKey,
  policy: 'grant' | 'recompute',
  view: UserView,
  current: CurrentGame,
): Promise<Stepped> {
  const { storage } = context
  const entries = view.state?.seq ?? 0
  const readLog = readInTurns(storage, key, entries)
  const next = await nextSave(context, key, policy, { view, current, readLog }, forEachEntryInTurns)
  if (next === 'nothing') return { isChanged: false, isLast: true, entries }
  if (next === null) return OUTDATED
  const isStored = (await storeIfUnchanged(storage, key, { view, current }, next.save)) !== null
  return isStored ? { isChanged: true, isLast: next.isLast, entries } : CHANGED
}

/** Folds what is there already; those who write to the user all the time wait while what came since is folded. */
async function applyInParts(
  context: Context,
  key: UserKey,
  policy: 'grant' | 'recompute',
  view: UserView,
  current: CurrentGame,
): Promise<Stepped> {
  const { storage } = context
  const begun = beginNext(context, key, policy, view, current)
  if (begun === null || view.state === null) return applyFreely(context, key, policy, view, current)
  const log = followLog(null, begun.step)
  const lines = view.state.seq
  if (!(await log.goOn(lines, (start) => readInTurns(storage, key, lines, start)))) return OUTDATED
  const goOn = ({ state, epoch }: UserView, openLog: LogOpener): Eventually<boolean> =>
    state !== null &&
    epoch === current.epoch &&
    isReplaced(state, current) === isReplaced(view.state, current) &&
    log.goOn(state.seq, openLog)
  if (!(await catchUp(storage, key, {}, log, goOn))) return CHANGED
  return storage.hold((held) =>
    chain(lockUser(held, key, ALL_ROWS), (locked) =>
      chain(
        goOn(locked.view, () => locked.readLog),
        (isSame): Eventually<Stepped> =>
          isSame ? chain(begun.end({ ...locked, current }), (next) => store(held, key, locked.view, next)) : CHANGED,
      ),
    ),
  )
}

/** The same while nobody else can write to the user: at once, where the storage answers at once. */
function applyOn(
  context: Context,
  held: HeldStorage,
  key: UserKey,
  policy: 'grant' | 'recompute',
): Eventually<Stepped> {
  return chain(lockUser(held, key, ALL_ROWS), (locked) =>
    chain(currentGame(context, held, locked.view.epoch), (current) =>
      chain(nextSave(context, key, policy, { ...locked, current }, forEachEntry), (next) =>
        store(held, key, locked.view, next),
      ),
    ),
  )
}

function store(held: HeldStorage, key: UserKey, view: UserView, next: Next | 'nothing' | null): Eventually<Stepped> {
  const entries = view.state?.seq ?? 0
  if (next === 'nothing') return { isChanged: false, isLast: true, entries }
  if (next === null) return OUTDATED
  const { save, isLast } = next
  return chain(held.save(key, view, save), (ranks) => (ranks === null ? CHANGED : { isChanged: true, isLast, entries }))
}

interface FoundUser extends LockedUser {
  readonly current: CurrentGame
}

interface Next {
  readonly save: UserSave
  readonly isLast: boolean
}

/**
 * What is to be stored of a user next; `isLast`: nothing is left after it. null: the log has entries of a game that is
 * not known yet, or more or fewer lines than the user.
 */
function nextSave(
  context: Context,
  key: UserKey,
  policy: 'grant' | 'recompute',
  found: FoundUser,
  forEach: typeof forEachEntry | typeof forEachEntryInTurns,
): Eventually<Next | 'nothing' | null> {
  const begun = beginNext(context, key, policy, found.view, found.current)
  if (begun === null) return 'nothing'
  return chain(forEach(found.readLog, begun.step), (isKnown) => (isKnown ? begun.end(found) : null))
}

/** A log that is folded, line by line, for what is to be stored of its user next. */
interface BegunNext {
  step(line: Entry): boolean
  end(found: FoundUser): Eventually<Next | 'nothing' | null>
}

/** null: nothing is to be stored. */
function beginNext(
  context: Context,
  key: UserKey,
  policy: 'grant' | 'recompute',
  view: UserView,
  current: CurrentGame,
): BegunNext | null {
  if (view.state === null) return null
  if (isReplaced(view.state, current)) {
    // A user of an earlier game is brought to the newest one before anything is granted.
    const { step, end } = beginReplacement(key, current, view)
    let lines = 0
    return {
      step: (line) => {
        lines += 1
        return step(line)
      },
      end: (found) => {
        if (lines !== found.view.state?.seq) return null
        return chain(end({ ...found, key, now: context.now() }), (save) => {
          return save && { save, isLast: policy === 'recompute' }
        })
      },
    }
  }
  if (policy === 'recompute') return null
  const { step, end } = beginReplay(allUnder(current, current.game), [])
  return {
    step,
    end: (found) => {
      const save = toGrant(context, key, found, end(found.view.state?.seq))
      return save === null || save === 'nothing' ? save : { save, isLast: true }
    },
  }
}

/** The save of an entry that grants what the game in force would have given for the past; null: as `nextSave`. */
function toGrant(
  context: Context,
  key: UserKey,
  { view, current }: FoundUser,
  fold: Replay | null,
): UserSave | 'nothing' | null {
  if (fold === null) return null
  const grants = findGrants(current.game, view, fold)
  if (grants === null) return 'nothing'
  const receivedAt = context.now()
  const made = { entryId: context.newId(receivedAt), receivedAt, occurredAt: null, profile: null, createsUser: false }
  const { outcomes, save } = acceptAll(view, [{ ...key, ...made, body: grants }], current, null)
  return outcomes[0] === LATE ? null : save
}
