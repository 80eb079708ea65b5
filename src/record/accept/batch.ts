import { GamificationError, isAboutAll } from '../../errors.ts'
import type { Decided } from '../../rules/decide.ts'
import { newValueOf } from '../../rules/distinct-values.ts'
import { type Entry, isHeld, type Spend } from '../../rules/entry.ts'
import { gameOf } from '../../rules/fold.ts'
import { type Game, type Games, repeats } from '../../rules/game.ts'
import { startSpends } from '../../rules/spends.ts'
import type { ChallengeMark, UserState } from '../../rules/state.ts'
import { changesVisibility, isOffLeaderboard } from '../../rules/visibility.ts'
import type { Command, CommandOutcome, Move, TimedCommand } from '../../runtime/command.ts'
import type { Context, CurrentGame } from '../../runtime/context.ts'
import { NEVER } from '../../runtime/deadline.ts'
import { isReplaced } from '../../runtime/game-registry.ts'
import { AGAIN, type Again, MOST_TRIES } from '../../runtime/newest-game.ts'
import { usedKeyOf } from '../../sql/entry-rows.ts'
import { OutOfStock } from '../../sql/stock.ts'
import { type Award, type LeaderboardRow, type Snapshot, type UserKey, userKeyText } from '../../storage/rows.ts'
import { NOTHING_KNOWN, type StockLeft } from '../../storage/stock.ts'
import type {
  CommitFailure,
  CommitReport,
  Decide,
  LoadedUser,
  SaveGroup,
  UserRequest,
  UserSave,
} from '../../storage/storage.ts'
import { movesOf, NO_RANKS, type OrderedMove, rankMoves, toRequests } from '../ranks/ranks.ts'
import { acceptCommand, toLookups, toUnchanged } from './accept-command.ts'
import {
  addOtherRows,
  awardFactsOf,
  cappedBy,
  countChanges,
  isSnapshotDue,
  leaderboardRowKey,
  movementsOf,
  noOtherRows,
  toAwardRow,
  toSnapshot,
  unlimitedOf,
  windowKey,
} from './derived-rows.ts'
import { type StockInHand, stockOf, takeInHand } from './stock.ts'
import { startUserMessages } from './user-messages.ts'

/** The command does not belong at the end of its user's log: the log must be replayed with it. */
export const LATE: unique symbol = Symbol('late')
/** A transaction outside this process has locked the user. Other users must not wait for it. */
export const LOCKED: unique symbol = Symbol('locked')
const EPOCH_MOVED: unique symbol = Symbol('epoch moved')

export type Reason = typeof LATE | typeof LOCKED

/** Returns the reason why a command goes to the queue of its user, or `null` if it does not. */
export type ReasonOf = (command: TimedCommand) => Reason | null

/** Nothing was recorded, though other commands of the batch were. */
export interface Failed {
  readonly type: 'failed'
  readonly error: unknown
}

export type BatchOutcome = CommandOutcome | Reason | Failed

/** The commands of one user in a batch, with their indexes in it, and the save that follows from them. */
interface Group extends UserKey {
  readonly commands: TimedCommand[]
  readonly indexes: number[]
  save: UserSave | null
}

type Groups = ReadonlyMap<string, Group>
type Recorded = Extract<CommandOutcome, { readonly type: 'recorded' }>

/** A batch that starts just before its deadline still gets this long, so that a slow storage is not cut off. */
const LEAST_MS = 400

export function endOf(commands: readonly TimedCommand[]): number {
  const first = Math.min(...commands.map(({ deadline }) => deadline))
  return first === NEVER ? NEVER : Math.max(first, performance.now() + LEAST_MS)
}

interface BatchReport {
  readonly outcomes: readonly BatchOutcome[]
  readonly failures: readonly CommitFailure[]
}

/**
 * Records commands of several users together, in one commit, without those that go to the queue of their user. It
 * decides again if the game is no longer the newest, or if a reward is out of stock.
 */
export async function tryBatch(
  dependencies: Pick<Context, 'storage' | 'games' | 'messageSignal'>,
  commands: readonly TimedCommand[],
  isRanked: boolean,
  reasonOf: ReasonOf = () => null,
): Promise<BatchReport> {
  let left = NOTHING_KNOWN
  for (let tries = 1; tries <= MOST_TRIES; tries += 1) {
    const report = await tryOnce(dependencies, commands, isRanked, reasonOf, left)
    if (report instanceof OutOfStock) left = new Map([...left, ...report.left])
    else if (report !== AGAIN) return report
  }
  const message = `The game or a stock changed ${MOST_TRIES} times while calls were recorded. Nothing was saved; try again.`
  throw new GamificationError('unavailable', message)
}

async function tryOnce(
  dependencies: Pick<Context, 'storage' | 'games' | 'messageSignal'>,
  commands: readonly TimedCommand[],
  isRanked: boolean,
  reasonOf: ReasonOf,
  left: StockLeft,
): Promise<BatchReport | OutOfStock | Again> {
  const { games, messageSignal } = dependencies
  const reasons = commands.map(reasonOf)
  const outcomes = reasons.map((reason): BatchOutcome => reason ?? LATE)
  const groups = groupByUser(commands, reasons)
  if (groups.size === 0) return { outcomes, failures: [] }
  const end = endOf(commands)
  const storage = end === NEVER ? dependencies.storage : dependencies.storage.until(end)
  const current = await games.current(storage)
  const decide: Decide = (users, epoch) => {
    if (epoch !== current.epoch) throw EPOCH_MOVED
    const stock = takeInHand(left)
    return users.map((user) => {
      const group = groups.get(userKeyText(user))
      if (group === undefined) return null
      const accepted = acceptAll(user, group.commands, current, isRanked ? commands.length : null, stock)
      // A later call for the same user overwrites the outcomes of an earlier one.
      for (const [index, place] of group.indexes.entries()) outcomes[place] = accepted.outcomes[index] ?? LATE
      group.save = accepted.save
      return accepted.save
    })
  }
  let report: CommitReport
  try {
    report = await storage.commit([...groups.values()].map(toRequest), decide)
  } catch (error) {
    if (error instanceof OutOfStock) return error
    if (error !== EPOCH_MOVED) throw error
    await games.refresh(storage)
    return AGAIN
  }
  if ([...groups.values()].some(({ save }) => save?.messages !== undefined)) messageSignal.notify()
  for (const saveGroup of report.saveGroups) attachRanks(saveGroup, groups, outcomes)
  attachFailures(report.failures, groups, outcomes)
  return { outcomes, failures: report.failures }
}

/** A user who was not stored is tried apart from others if that may help: one bad command can fail a whole batch. */
function attachFailures(failures: readonly CommitFailure[], groups: Groups, outcomes: BatchOutcome[]): void {
  for (const { error, locked, ...user } of failures) {
    const indexes = groups.get(userKeyText(user))?.indexes ?? []
    const areSeveral = failures.length > 1 || indexes.length > 1
    const isTriedAgain = error === EPOCH_MOVED || error instanceof OutOfStock || (areSeveral && !isAboutAll(error))
    const failed: Failed | typeof LATE = isTriedAgain ? LATE : { type: 'failed', error }
    for (const place of indexes) outcomes[place] = locked === undefined ? failed : LOCKED
  }
}

function groupByUser(commands: readonly TimedCommand[], reasons: readonly (Reason | null)[]): Groups {
  const groups = new Map<string, Group>()
  for (const [place, command] of commands.entries()) {
    if (reasons[place] !== null) continue
    const { tenant, user } = command
    const text = userKeyText(command)
    const group = groups.get(text) ?? { tenant, user, commands: [], indexes: [], save: null }
    groups.set(text, group)
    group.commands.push(command)
    group.indexes.push(place)
  }
  return groups
}

function toRequest({ tenant, user, commands }: Group): UserRequest {
  return { tenant, user, ...toLookups(commands) }
}

function attachRanks(saveGroup: SaveGroup, groups: Groups, outcomes: BatchOutcome[]): void {
  // Most games have no leaderboards.
  if (saveGroup.users.every(({ ranks }) => ranks.length === 0)) return
  const moves: OrderedMove[] = []
  const answered = new Map<number, Recorded>()
  for (const { tenant, user } of saveGroup.users) {
    for (const order of groups.get(userKeyText({ tenant, user }))?.indexes ?? []) {
      const outcome = outcomes[order]
      if (typeof outcome !== 'object' || outcome.type !== 'recorded') continue
      for (const move of outcome.moves) {
        moves.push({ tenant, user, order, move })
        if (move.isAnswered) answered.set(order, outcome)
      }
    }
  }
  if (answered.size === 0) return
  const ranks = rankMoves(saveGroup, (user) => groups.get(userKeyText(user))?.save?.ranks ?? [], moves)
  for (const [order, outcome] of answered) outcomes[order] = { ...outcome, ranks }
}

/**
 * The one decision on the commands of a user, each on the state that the one before left. Pure. `margin` is the upper
 * bound of the moves in the whole batch, so that ranks near a limit can be corrected. It is `null` if ranks are not
 * answered (imports). `stock` is shared by the users of the commit.
 */
export function acceptAll(
  user: Pick<LoadedUser, 'state' | 'found' | 'spent' | 'notices'>,
  commands: readonly Command[],
  current: CurrentGame,
  margin: number | null,
  stock: StockInHand = takeInHand(NOTHING_KNOWN),
): { readonly outcomes: readonly (CommandOutcome | typeof LATE)[]; readonly save: UserSave | null } {
  const batch = startUserBatch(user, commands, current, margin)
  const outcomes = commands.map((command, index) => {
    const found = [user.found[index] ?? null, user.found[commands.length + index] ?? null] as const
    return addToBatch(batch, command, found, current, stock)
  })
  return { outcomes, save: batch.toSave() }
}

function addToBatch(
  batch: UserBatch,
  command: Command,
  [stored, valued]: readonly [byKey: string | null, byValue: string | null],
  current: CurrentGame,
  stock: StockInHand,
): CommandOutcome | typeof LATE {
  const { game, games, epoch, gamesFrom, baselineEpoch } = current
  const before = batch.state
  if (before !== null && before.mergedInto !== null) return { type: 'merged', into: before.mergedInto }
  if (isReplaced(before, current) || needsLog(command)) return LATE
  const isKnownValue = (value: string): boolean | null =>
    value === command.newValue ? valued !== null || batch.hasBrought(command, value) : null
  const found = stored ?? batch.used.get(idempotencyText(command)) ?? null
  const decision = acceptCommand(command, before, {
    ...{ games, epoch, gamesFrom, baselineEpoch, found, isKnownValue },
    findSpend: batch.findSpend,
  })
  switch (decision.type) {
    case 'late':
      return LATE
    case 'refused':
      return decision
    case 'unchanged': {
      if (isEarlierClaim(game, command, before, decision.entryId)) return LATE
      return toUnchanged(command, current, before, decision.entryId)
    }
    case 'accepted': {
      const { entry, decided } = decision
      if (before !== null && movesRows(games, before, decided.state)) return LATE
      const refusal = stock.take(command.tenant, entry)
      if (refusal !== null) return { type: 'refused', refusal }
      const { awards, moves } = batch.accept(command, entry, decided, game)
      const { at, id: entryId } = entry
      const { user } = command
      return {
        type: 'recorded',
        user,
        game,
        games,
        at,
        entryId,
        before,
        after: decided.state,
        awards,
        movements: movementsOf(entry, decided.changes),
        capped: cappedBy(decided.changes),
        moves,
        ranks: NO_RANKS,
        isHeld: isHeld(entry),
      }
    }
    default:
      return decision satisfies never
  }
}

/** True if a claim was made before, and its completion is not the newest: only the log says which one it made. */
function isEarlierClaim(game: Game, { body }: Command, state: UserState | null, entryId: string | null): boolean {
  if (body.kind !== 'achievementClaimed' || entryId === null) return false
  const achievement = game.achievements.get(body.achievement)
  if (achievement === undefined || !repeats(achievement)) return false
  return state?.completions.get(body.achievement)?.entryId !== entryId
}

/** Voids and approvals change earlier events, suspensions the rows of all runs, and revocations earlier messages. */
function needsLog({ body }: Command): boolean {
  switch (body.kind) {
    case 'eventVoided':
    case 'eventApproved':
    case 'userSuspended':
    case 'userRestored':
    case 'achievementRevoked':
      return true
    default:
      return false
  }
}

/** True if the user comes to leaderboards or leaves them, with the rows of all runs. */
function movesRows(games: Games, before: UserState, after: UserState): boolean {
  if (before.preferences === after.preferences && before.epoch === after.epoch) return false
  const [old, game] = [gameOf(games, before.epoch), gameOf(games, after.epoch)]
  return changesVisibility({ game: old, state: before }, { game, state: after })
}

/** Returns true for what is about a leaderboard that the user is off. */
function offBy(games: Games, state: UserState): (about: Pick<LeaderboardRow, 'leaderboard'>) => boolean {
  const game = gameOf(games, state.epoch)
  return ({ leaderboard }) => isOffLeaderboard(game, state, game.leaderboards.get(leaderboard) ?? null)
}

type Row = Pick<LeaderboardRow, 'leaderboard' | 'run'>

/** The rows that were scored and those that were left, of users who are on the leaderboards. */
function leaderboardChanges(
  before: UserState | null,
  scored: ReadonlyMap<string, LeaderboardRow>,
  moves: readonly Move[],
  isOff: (row: LeaderboardRow) => boolean,
): UserSave['leaderboards'] {
  if (moves.length === 0) return { put: [], remove: [] }
  const left = new Map<string, Row>()
  for (const { leaderboard, from, to } of moves) {
    if (from === null || to !== null) continue
    const row = { leaderboard, run: from.run }
    const key = leaderboardRowKey(row)
    if (!scored.has(key)) left.set(key, row)
  }
  const put = [...scored.values()].filter((row) => !isOff(row))
  return { put, remove: [...put, ...left.values()].flatMap((row) => storedRow(before, row)) }
}

/** The row of a run that a user's state has, who is on the leaderboard. */
function storedRow(state: UserState | null, { leaderboard, run }: Row): readonly LeaderboardRow[] {
  const entry = state?.leaderboards.get(leaderboard)?.find((each) => each.run === run)
  return entry === undefined ? [] : [{ leaderboard, ...entry }]
}

type UserBatch = ReturnType<typeof startUserBatch>

function startUserBatch(
  { state: before, spent, notices }: Pick<LoadedUser, 'state' | 'spent' | 'notices'>,
  [first]: readonly Command[],
  inForce: CurrentGame,
  margin: number | null,
) {
  const key = { tenant: first?.tenant ?? '', user: first?.user ?? '' }
  const { messages: wanted } = inForce
  const messages = wanted === null ? null : startUserMessages(key, notices, inForce, wanted)
  // Only a refund asks for a spend.
  const spends = spent === undefined ? null : startSpends(spent)
  let state = before
  const used = new Map<string, string>()
  const appended: Entry[] = []
  const awards: Award[] = []
  const rows = noOtherRows()
  const abandoned = new Map<string, ChallengeMark>()
  const moves: Move[] = []
  const snapshots: Snapshot[] = []
  let current: Game | null = null
  return {
    get state() {
      return state
    },
    used,
    findSpend: (id: string): Spend | null => spends?.find(id) ?? null,
    /** Returns true if an event of the command's metric has used the value in this batch. */
    hasBrought: ({ body }: Command, value: string): boolean =>
      body.kind === 'eventRecorded' &&
      appended.some((entry) => newValueOf(entry) === value && 'metric' in entry && entry.metric === body.metric),
    accept: (command: Command, entry: Entry, decided: Decided, game: Game) => {
      const given = awardFactsOf(entry, decided.changes).map((facts) => toAwardRow(facts))
      awards.push(...given)
      addOtherRows(rows, entry, decided.changes)
      spends?.see(decided.changes)
      const scored = movesOf(
        game,
        decided.changes,
        command.receivedAt,
        margin !== null && entry.kind === 'eventRecorded' ? entry.dating : null,
      )
      // A user who is off leaderboards has no rows, and the answer has the move without a rank.
      const isOff = offBy(inForce.games, decided.state)
      const ownMoves = scored.map((move) => (isOff(move) ? { ...move, from: null, to: null } : move))
      moves.push(...ownMoves)
      for (const change of decided.changes) {
        if (change.type === 'challengeAbandoned') abandoned.set(windowKey(change.mark), change.mark)
      }
      const { receivedAt, isSilent = false } = command
      messages?.accept({ entry, before: state, decided, awards: given, moves: ownMoves, receivedAt, isSilent })
      current = game
      appended.push(entry)
      used.set(idempotencyText(command), entry.id)
      state = decided.state
      const { seq } = state
      if (isSnapshotDue(seq))
        snapshots.push(toSnapshot({ lines: seq, at: entry.at, seq, baseline: inForce.baselineEpoch, state }))
      return { awards: given, moves: ownMoves }
    },
    toSave: (): UserSave | null => {
      if (state === null || current === null || appended.length === 0) return null
      const leaderboards = leaderboardChanges(before, rows.leaderboards, moves, offBy(inForce.games, state))
      const gone = [...abandoned].filter(([key]) => !rows.challenges.has(key)).map(([, mark]) => mark)
      return {
        before,
        after: state,
        appended,
        updatedEntries: [],
        awards: { put: awards, remove: [] },
        movements: { put: [...rows.movements.values()], remove: [] },
        periods: { put: [...rows.periods.values()], remove: [] },
        challenges: { put: [...rows.challenges.values()], remove: gone },
        ...(rows.redemptions.size === 0 ? {} : { redemptions: { put: [...rows.redemptions.values()], remove: [] } }),
        ...stockOf(appended, inForce.game),
        leaderboards,
        unlimited: unlimitedOf(current, leaderboards.put),
        ranks: margin === null ? [] : toRequests(moves, margin),
        counted: countChanges(before, state),
        ...(snapshots.length === 0 ? {} : { snapshots: { after: null, put: snapshots } }),
        ...messages?.toSave(state),
      }
    },
  }
}

/** Equal for two commands of a user that ask for the same: by key, by the event they void or approve, or by id. */
export function idempotencyText({ body, entryId }: Command): string {
  if (body.kind === 'eventVoided' || body.kind === 'eventApproved') return JSON.stringify([body.kind, body.event, ''])
  const used = usedKeyOf(body)
  return used === null ? entryId : JSON.stringify([used.metric, used.idempotencyKey])
}
