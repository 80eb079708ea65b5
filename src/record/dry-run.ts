import type { Command, Context, CurrentGame, Move, Outcome, WriteMode } from '../runtime/context.ts'
import { startDamageCheck } from '../runtime/damage.ts'
import { CHANGED, isReplaced, onNewestGame } from '../runtime/game-registry.ts'
import type { LeaderboardRow } from '../storage/rows.ts'
import type { Storage, UserView } from '../storage/storage.ts'
import { toLookup } from './accept/accept-command.ts'
import { leaderboardRowKey, toAwardRows } from './accept/derived-rows.ts'
import { acceptAll, LATE } from './accept/user-batch.ts'
import { acceptLate, type LateSource, toRows } from './accept-late.ts'
import { answerAlone, type Decision } from './late-answers.ts'
import { toMove } from './ranks/moves.ts'
import { findEventOf } from './record-late.ts'
import { rethrow } from './recorder.ts'
import { ALL_ROWS } from './replay/fold-start.ts'
import { type ReadChunk, readInTurns } from './replay/read-log.ts'
import { replay } from './replay/replay.ts'

/**
 * Answers each call as if it were recorded now, and records nothing: it makes the same decision, and asks only to which
 * ranks its save would lead. Handlers are not called.
 */
export function dryRunMode(context: Context): WriteMode {
  return {
    record: (command) => rehearse(context, command).catch(rethrow),
    current: () => context.games.current(context.storage),
    notify: () => undefined,
  }
}

async function rehearse(context: Context, command: Command): Promise<Outcome> {
  const asked = { lookups: [toLookup(command)] }
  const checkDamage = startDamageCheck(command.user)
  return onNewestGame(context, command, asked, 'the call was tried', async (view, current) => {
    const outcome = await rehearseOn(context, command, view, current)
    if (outcome !== null) return outcome
    checkDamage(view)
    return CHANGED
  })
}

/** null: the user or the game has changed meanwhile, or the log is damaged. */
async function rehearseOn(
  context: Context,
  command: Command,
  view: UserView,
  current: CurrentGame,
): Promise<Outcome | null> {
  const { outcomes, save } = acceptAll(view, [command], current, 1)
  const [outcome = LATE] = outcomes
  if (outcome === LATE) return rehearseLate(context, command, view, current)
  // No ranks are asked for, so the first read is consistent by itself.
  if (save === null || save.ranks.length === 0) return outcome
  return rankIfUnchanged(context.storage, command, view, { outcomes: [outcome], save })
}

/** The log folded with the command at its place, as `recordLocked` does it. */
async function rehearseLate(
  { storage, newId }: Context,
  command: Command,
  found: UserView,
  current: CurrentGame,
): Promise<Outcome | null> {
  // What others change meanwhile shows in the version once all is read.
  const source: LateSource = {
    newId,
    openLog: (start) => readInTurns(storage, command, found.state?.seq ?? 0, start),
    readSnapshot: (until) => storage.readSnapshot(command, until),
    findEvent: (event) => findEventOf(storage, command, event),
    readRows: async () => toRows(await storage.readUser(command, ALL_ROWS)),
  }
  const isOld = isReplaced(found.state, current)
  const stored = { ...found, ...(isOld ? await source.readRows() : {}) }
  const view = isOld ? await replaceIn(source.openLog(null), current, stored) : stored
  if (view === null) return null
  const from = isOld ? { ...source, readRows: () => toRows(view) } : source
  const { outcomes: atOnce, save } = acceptAll(view, [command], current, 1)
  const [first = LATE] = atOnce
  const decision =
    first === LATE ? await acceptLate(from, { view, current, commands: [command] }) : { outcomes: [first], save }
  if (decision === null) return null
  const outcomes = decision.outcomes.map((outcome) => afterReplacement(current, stored, view, outcome))
  return rankIfUnchanged(storage, command, view, { outcomes, save: decision.save })
}

/** The user as it would be stored before anything else, where a newer game stands in place of the earlier ones. */
async function replaceIn(readLog: ReadChunk, current: CurrentGame, stored: UserView): Promise<UserView | null> {
  const fold = await replay(readLog, current, [], { lines: stored.state?.seq })
  if (fold === null) return null
  const { awards, periods, leaderboards } = fold.rows
  return {
    ...stored,
    state: fold.state,
    awards: toAwardRows(awards.values()).toReversed(),
    periods: [...periods.values()].reverse(),
    leaderboards: [...leaderboards.values()],
  }
}

/** Ranks are counted among the stored rows, so the moves of a replacement come before those of the command. */
function afterReplacement({ game }: CurrentGame, stored: UserView, view: UserView, outcome: Outcome): Outcome {
  if (stored === view || outcome.type !== 'recorded') return outcome
  const rows = (list: readonly LeaderboardRow[]) => new Map(list.map((row) => [leaderboardRowKey(row), row]))
  const [before, after] = [rows(stored.leaderboards), rows(view.leaderboards)]
  const moves = [...new Map([...before, ...after])].map(([key, { leaderboard }]): Move => {
    const move = { from: before.get(key) ?? null, to: after.get(key) ?? null }
    return toMove(game, leaderboard, move, 0, null)
  })
  return { ...outcome, moves: [...moves, ...outcome.moves] }
}

/** The outcome with the ranks as they would be; null when the user has changed since it was read. */
async function rankIfUnchanged(
  storage: Storage,
  command: Command,
  view: UserView,
  decision: Decision,
): Promise<Outcome | null> {
  const { tenant, user } = command
  const requests = decision.save?.ranks ?? []
  const ranks = requests.length === 0 ? [] : await storage.ranks({ tenant, user }, requests)
  const { version, epoch } = await storage.readUser({ tenant, user })
  if (version !== view.version || epoch !== view.epoch) return null
  return answerAlone(command, decision, ranks)
}
