import type { UserSave, UserView } from '../../storage.ts'
import type { LeaderboardRow } from '../../storage-rows.ts'
import { toLookup } from '../accept/command.ts'
import { leaderboardRowKey, toAwardRow } from '../accept/derived-rows.ts'
import { judge, LATE } from '../accept/judge.ts'
import { startCourse } from '../accept/user-batch.ts'
import { toArgument } from '../deadline.ts'
import { isReplaced } from '../games.ts'
import { CHANGED, onNewestGame } from '../on-newest-game.ts'
import { toMove } from '../ranks/standings.ts'
import { type ReadChunk, readInTurns } from '../replay/read-log.ts'
import { refold } from '../replay/replay.ts'
import type { Command, Context, CurrentGame, Door, Move, Outcome } from '../types.ts'
import { tellRanks, toLateOutcomes } from './late-answers.ts'
import { foldWith, toSave } from './record-late.ts'
import { rethrow } from './recorder.ts'

/** What would be stored, and the answer but for ranks. */
interface Rehearsal {
  readonly outcome: Outcome
  readonly save: UserSave | null
}

/**
 * Answers each call as if it were recorded now, and records nothing: the same decision, of which the save is only asked
 * where it would lead on leaderboards. Handlers are not called.
 */
export function dryDoor(context: Context): Door {
  const argument = toArgument(context.deadline)
  return {
    record: (command) => rehearse(context, command).catch(rethrow),
    current: () => context.games.current(argument),
    notify: () => undefined,
  }
}

async function rehearse(context: Context, command: Command): Promise<Outcome> {
  const asked = { lookups: [toLookup(command)] }
  return onNewestGame(context, command, asked, 'the call was tried', async (view, current) => {
    return (await judgeOn(context, command, view, current)) ?? CHANGED
  })
}

/** null: the user or the game has changed meanwhile. */
async function judgeOn(
  context: Context,
  command: Command,
  view: UserView,
  current: CurrentGame,
): Promise<Outcome | null> {
  const course = startCourse(view.state, 1)
  const outcome = judge(course, command, view.found[0] ?? null, current)
  if (outcome === LATE) return judgeLate(context, command, current)
  const save = course.toSave()
  // Told from one read alone.
  if (save === null || save.standings.length === 0) return outcome
  return rankIfUnchanged(context, command, view, { outcome, save })
}

/** The log folded with the command at its place, as `recordLate` does it. */
async function judgeLate(context: Context, command: Command, current: CurrentGame): Promise<Outcome | null> {
  const { storage, newId } = context
  const lookups = [toLookup(command)]
  const stored = await storage.readUser(command, { awards: {}, periods: {}, leaderboards: {}, lookups })
  if (stored.epoch !== current.epoch) return null
  const source = { readLog: readInTurns(storage, command, stored.state?.seq ?? 0), newId }
  const view = isReplaced(stored.state, current) ? await replaceIn(source.readLog, current, stored) : stored
  if (view === null) return null
  const trial = { view, current, commands: [command] }
  const folded = await foldWith(source, trial)
  if (folded === null) return null
  const { verdicts, fold, refusal } = folded
  if (refusal !== null) return { type: 'refused', refusal }
  const [outcome] = toLateOutcomes(trial, verdicts, fold)
  if (outcome === undefined) throw new RangeError('Every command has an outcome')
  const save = toSave(current, view, fold)
  return rankIfUnchanged(context, command, view, { outcome: afterReplacement(current, stored, view, outcome), save })
}

/** The user as it would be stored before anything else, where a newer game stands in place of the earlier ones. */
async function replaceIn(readLog: ReadChunk, current: CurrentGame, stored: UserView): Promise<UserView | null> {
  const fold = await refold(readLog, current, [])
  if (fold === null) return null
  const { awards, periods, leaderboards } = fold.projection
  return {
    ...stored,
    state: fold.state,
    awards: [...awards.values()].map((award) => toAwardRow(award)).reverse(),
    periods: [...periods.values()].reverse(),
    leaderboards: [...leaderboards.values()],
  }
}

/** Places are counted among what is stored: what a replacement moves there comes before what the command moves. */
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

/** With the ranks as they would be; null when what was read of the user does not stand any more. */
async function rankIfUnchanged(
  { storage }: Context,
  command: Command,
  view: UserView,
  { outcome, save }: Rehearsal,
): Promise<Outcome | null> {
  const { tenant, user } = command
  const requests = save?.standings ?? []
  const standings = requests.length === 0 ? [] : await storage.standings({ tenant, user }, requests)
  const { version, epoch } = await storage.readUser({ tenant, user })
  if (version !== view.version || epoch !== view.epoch) return null
  const round = { users: [{ tenant, user, standings }], asOf: 'before' } as const
  const [ranked = outcome] = tellRanks({ commands: [command] }, save, [round], [outcome])
  return ranked
}
