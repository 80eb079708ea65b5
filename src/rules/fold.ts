import { adopt } from './adopt.ts'
import { localTime } from './calendar.ts'
import { advance, changeSuspension, type Decided } from './decide.ts'
import { startValues } from './distinct-values.ts'
import { type Dating, type Entry, isHeld, type UserRestored, type UserSuspended } from './entry.ts'
import { evolveAll } from './evolve.ts'
import type { Game, Games } from './game.ts'
import { settle } from './settle.ts'
import { spendIdOf, startSpends, withSpend } from './spends.ts'
import { emptyState, patchProfile, type UserState, zoneOf } from './state.ts'
import { todayAt } from './streak.ts'

export function gameOf(games: Games, epoch: number): Game {
  const game = games.get(epoch)
  if (game === undefined) throw new RangeError(`There is no game of epoch ${epoch}`)
  return game
}

export function dateIn(zone: string, at: number): Dating {
  return { zone, ...localTime(zone, at) }
}

/** An entry that was dated in its zone before keeps its date, even if a later runtime has other rules for the zone. */
export function dateEntry(state: UserState, entry: Entry): Entry {
  const zone = zoneOf(patchProfile(state.profile, entry.profile))
  return entry.dating.zone === zone ? entry : { ...entry, dating: dateIn(zone, entry.at) }
}

/**
 * Settles a state until `at` under its own game, and adopts the game of `epoch` if that is another. `entry` is the
 * first entry under the newer game. Without it, for a read, the streaks keep the days of the old game: they apply until
 * the date of such an entry.
 */
export function underGame(games: Games, state: UserState, epoch: number, at: number, entry?: Entry): Decided {
  if (state.epoch === epoch) return { state, changes: [] }
  const oldGame = gameOf(games, state.epoch)
  const newGame = gameOf(games, epoch)
  const past = settle(oldGame, state, at, entry)
  const today = todayAt(state, at, entry)
  const now = { at, today, daysUntil: entry === undefined ? Number.POSITIVE_INFINITY : today }
  const changes = [...past, ...adopt(oldGame, newGame, evolveAll(state, past), epoch, now)]
  return { state: evolveAll(state, changes), changes }
}

/** Entries that change nothing later. Time does not pass with them, but with held events, which may count one day. */
function isSilent(state: UserState, entry: Entry): boolean {
  if (state.seq === 0 || entry.profile !== null) return false
  if (entry.kind === 'eventRecorded') return entry.voidedBy !== undefined && !isHeld(entry)
  return entry.kind === 'eventVoided' || entry.kind === 'eventApproved' || isSuspension(entry)
}

function isSuspension(entry: Entry): entry is Entry & (UserSuspended | UserRestored) {
  return entry.kind === 'userSuspended' || entry.kind === 'userRestored'
}

/** True for what a game gave or kept: it is nothing to a game that replaced it. */
export function isOfItsGame({ kind }: Entry): boolean {
  return kind === 'granted' || kind === 'completionKept' || kind === 'challengeKept'
}

/**
 * Rewrites an entry from before `baselineEpoch`: it is decided under the baseline game, and earlier grants become
 * no-ops. Time passes with such an entry as before.
 */
export function underReplacement(baselineEpoch: number, entry: Entry): Entry {
  if (entry.epoch >= baselineEpoch) return entry
  if (!isOfItsGame(entry)) return { ...entry, epoch: baselineEpoch }
  const { id, seq, at, recordedAt, dating, profile } = entry
  return { id, seq, at, recordedAt, epoch: baselineEpoch, dating, profile, kind: 'userUpserted' }
}

/** Decides one dated entry (`dateEntry`): adopts the entry's game if it is a newer one, then decides. */
export function decideEntry(games: Games, state: UserState, entry: Entry): Decided {
  if (isSilent(state, entry)) {
    const appended = { type: 'entryAppended', seq: entry.seq, at: entry.at } as const
    const changes = isSuspension(entry) ? [changeSuspension(entry), appended] : [appended]
    return { state: evolveAll(state, changes), changes }
  }
  const adopted = underGame(games, state, entry.epoch, entry.at, entry)
  const decided = advance(gameOf(games, entry.epoch), adopted.state, entry, adopted.changes)
  return adopted.changes.length === 0
    ? decided
    : { state: decided.state, changes: [...adopted.changes, ...decided.changes] }
}

/** An entry of a fold, with a new date if its zone changed, and what was decided on it. */
export interface AppliedEntry {
  readonly entry: Entry
  readonly before: UserState
  readonly decided: Decided
}

export interface Fold {
  readonly state: UserState | null
  next(line: Entry): AppliedEntry
}

/**
 * `baselineEpoch`: the newest epoch that replaced all before it; 0 if there is none. `from`: the state after the lines
 * before; then each line must say whether its value is new, and which spend it refunds if the spend is one of the lines
 * before. `user`: the id of the user.
 */
export function startFold(games: Games, baselineEpoch = 0, from: UserState | null = null, user = ''): Fold {
  let state = from
  const toValued = from === null ? startValues() : (_: Game, entry: Entry) => entry
  const spends = startSpends()
  return {
    get state() {
      return state
    },
    next: (line) => {
      const seen = underReplacement(baselineEpoch, line)
      const before = state ?? emptyState(seen.at, seen.epoch, user)
      const valued = toValued(gameOf(games, seen.epoch), dateEntry(before, seen))
      const spend = spendIdOf(valued)
      const found = spend === null ? null : spends.find(spend)
      const entry = spend === null || (found === null && from !== null) ? valued : withSpend(valued, found ?? undefined)
      const decided = decideEntry(games, before, entry)
      if (decided.state.wallets.size > 0) spends.see(decided.changes)
      state = decided.state
      return { entry, before, decided }
    },
  }
}

/** Folds a log, in its order (at, seq), into the user's state. Returns `null` for an empty log. */
export function foldLog(
  games: Games,
  entries: Iterable<Entry>,
  visit?: (entry: Entry, decided: Decided) => void,
  user = '',
): UserState | null {
  const fold = startFold(games, 0, null, user)
  for (const line of entries) {
    const { entry, decided } = fold.next(line)
    visit?.(entry, decided)
  }
  return fold.state
}
