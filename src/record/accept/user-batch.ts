import type { Decided } from '../../rules/decide.ts'
import { type Entry, isHeld } from '../../rules/entry.ts'
import { type Game, repeats } from '../../rules/game.ts'
import { emptyState, isOffLeaderboards, type UserState } from '../../rules/state.ts'
import { newValueOf } from '../../rules/tally.ts'
import type { Command, CommandOutcome, CurrentGame, Move } from '../../runtime/context.ts'
import { isReplaced } from '../../runtime/game-registry.ts'
import type { Award, LeaderboardRow, Snapshot, StreakPeriod } from '../../storage/rows.ts'
import { type LoadedUser, type UserSave, usedKeyOf } from '../../storage/storage.ts'
import { movesOf, NO_RANKS, toRequests } from '../ranks/ranks.ts'
import { acceptCommand, eventIdOf, liveInstant } from './accept-command.ts'
import {
  addDerivedRows,
  cappedBy,
  countChanges,
  isKept,
  leaderboardRowKey,
  noDerivedRows,
  toAwardRow,
  toSnapshot,
  unlimitedOf,
} from './derived-rows.ts'
import { startUserMessages } from './user-messages.ts'

/** The command does not belong at the end of its user's log: the log must be replayed with it. */
export const LATE: unique symbol = Symbol('late')

/**
 * The one decision on the commands of a user, each on the state that the one before left. Pure. `slack`: upper bound of the
 * moves in the whole batch, so that ranks near a limit can be corrected; null: ranks are not answered (imports).
 */
export function acceptAll(
  user: Pick<LoadedUser, 'state' | 'found' | 'notices'>,
  commands: readonly Command[],
  current: CurrentGame,
  slack: number | null,
): { readonly outcomes: readonly (CommandOutcome | typeof LATE)[]; readonly save: UserSave | null } {
  const batch = startUserBatch(user, commands, current, slack)
  const outcomes = commands.map((command, index) => {
    const found = [user.found[index] ?? null, user.found[commands.length + index] ?? null] as const
    return addToBatch(batch, command, found, current)
  })
  return { outcomes, save: batch.toSave() }
}

function addToBatch(
  batch: UserBatch,
  command: Command,
  [stored, valued]: readonly [byKey: string | null, byValue: string | null],
  current: CurrentGame,
): CommandOutcome | typeof LATE {
  const { game, games, epoch } = current
  const before = batch.state
  if (before !== null && before.mergedInto !== null) return { type: 'merged', into: before.mergedInto }
  if (isReplaced(before, current) || eventIdOf(command) !== null || needsWholeLog(command)) return LATE
  const isKnownValue = (value: string): boolean | null =>
    value === command.newValue ? valued !== null || batch.hasBrought(command, value) : null
  const decision = acceptCommand(command, before, { ...current, found: stored ?? batch.usedBy(command), isKnownValue })
  switch (decision.type) {
    case 'late':
      return LATE
    case 'refused':
      return decision
    case 'unchanged': {
      if (isEarlierClaim(game, command, before, decision.entryId)) return LATE
      const state = before ?? emptyState(command.receivedAt, epoch)
      return { ...decision, user: command.user, game, games, at: liveInstant(before, command.receivedAt), state }
    }
    case 'accepted': {
      const { entry, step } = decision
      const { awards, moves } = batch.accept(command, entry, step, game)
      const { at, id: entryId } = entry
      const { user } = command
      const facts = { awards, capped: cappedBy(step.changes), moves, ranks: NO_RANKS, isHeld: isHeld(entry) }
      return { type: 'recorded', user, game, games, at, entryId, before, after: step.state, ...facts }
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

/** Suspensions change rows of all runs, and revocations correct earlier messages: only a whole fold gives these. */
function needsWholeLog({ body }: Command): boolean {
  return body.kind === 'userSuspended' || body.kind === 'userRestored' || body.kind === 'achievementRevoked'
}

type UserBatch = ReturnType<typeof startUserBatch>

/** A user who is off leaderboards has no rows, and the answer has the move without a rank. */
function withoutRows(move: Move): Move {
  return { ...move, from: null, to: null }
}

function startUserBatch(
  { state: before, notices }: Pick<LoadedUser, 'state' | 'notices'>,
  [first]: readonly Command[],
  inForce: CurrentGame,
  slack: number | null,
) {
  const messages = startUserMessages({ tenant: first?.tenant ?? '', user: first?.user ?? '' }, notices, inForce)
  let state = before
  const used = new Map<string, string>()
  const appended: Entry[] = []
  const awards: Award[] = []
  const periods = new Map<string, StreakPeriod>()
  const rows = new Map<string, LeaderboardRow>()
  const left = new Map<string, LeaderboardRow>()
  const moves: Move[] = []
  const snapshots: Snapshot[] = []
  let current: Game | null = null
  const isOff = before !== null && isOffLeaderboards(before)
  return {
    get state() {
      return state
    },
    usedBy: (command: Command): string | null => used.get(idempotencyText(command)) ?? null,
    /** True if an event of the command's metric has brought the value in this batch. */
    hasBrought: ({ body }: Command, value: string): boolean =>
      body.kind === 'eventRecorded' &&
      appended.some((entry) => newValueOf(entry) === value && 'metric' in entry && entry.metric === body.metric),
    accept: (command: Command, entry: Entry, step: Decided, game: Game) => {
      const own = noDerivedRows()
      addDerivedRows(own, entry, step.changes)
      const given = [...own.awards.values()].map((award) => toAwardRow(award))
      awards.push(...given)
      for (const [place, period] of own.periods) periods.set(place, period)
      const scored = movesOf(
        game,
        step.changes,
        command.receivedAt,
        slack !== null && entry.kind === 'eventRecorded' ? entry.dating : null,
      )
      const ownMoves = isOff ? scored.map(withoutRows) : scored
      for (const { leaderboard, from, to } of ownMoves) {
        const row = to ?? from
        if (row === null) continue
        const id = leaderboardRowKey({ leaderboard, run: row.run })
        for (const each of [rows, left]) each.delete(id)
        const changed = to === null ? left : rows
        changed.set(id, { leaderboard, ...row })
      }
      moves.push(...ownMoves)
      const { receivedAt, isSilent = false } = command
      messages.accept({ entry, before: state, step, awards: given, moves: ownMoves, receivedAt, isSilent })
      current = game
      appended.push(entry)
      used.set(idempotencyText(command), entry.id)
      state = step.state
      const { seq } = state
      if (isKept(seq))
        snapshots.push(toSnapshot({ lines: seq, at: entry.at, seq, baseline: inForce.baselineEpoch, state }))
      return { awards: given, moves: ownMoves }
    },
    toSave: (): UserSave | null => {
      if (state === null || current === null || appended.length === 0) return null
      const put = [...rows.values()]
      return {
        before,
        after: state,
        appended,
        updatedEntries: [],
        awards: { put: awards, remove: [] },
        periods: { put: [...periods.values()], remove: [] },
        leaderboards: { put, remove: [...left.values()] },
        unlimited: unlimitedOf(current, put),
        ranks: slack === null ? [] : toRequests(moves, slack),
        counted: countChanges(before, state),
        ...(snapshots.length === 0 ? {} : { snapshots: { after: null, put: snapshots } }),
        ...messages.toSave(state),
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
