import { DAY, type Instant } from '../../rules/calendar.ts'
import { countedAttribute } from '../../rules/game.ts'
import type { UserState } from '../../rules/state.ts'
import { changesVisibility } from '../../rules/visibility.ts'
import type { Command } from '../../runtime/command.ts'
import type { CurrentGame } from '../../runtime/context.ts'
import type { ReadUserOptions } from '../../sql/read-user.ts'
import { stateText } from '../../sql/state-text.ts'
import type { Snapshot } from '../../storage/rows.ts'
import { type Eventually, type Steps, wait } from '../../storage/steps.ts'
import { eventIdOf, isLate } from '../accept/accept-command.ts'
import { type OpenSnapshot, openSnapshot, periodKey, type StoredRows, toStoredRows } from '../accept/derived-rows.ts'
import { FURTHEST, type LateCommands } from './late-entries.ts'
import { type ReadChunk, readFrom, readWhole } from './read-log.ts'
import { type Replay, replay } from './replay.ts'

export const ALL_ROWS: ReadUserOptions = {
  awards: {},
  movements: {},
  periods: {},
  challenges: {},
  redemptions: {},
  leaderboards: {},
}

export interface ReplaySource {
  readonly readLog: ReadChunk
  readonly readSnapshot: (until: Instant) => Eventually<Snapshot | null>
  /**
   * The instant of the event that a command voids or approves, or `null` if there is none, or if only the log has it.
   */
  readonly eventAt: Instant | null
  readRows(): Steps<StoredRows>
}

export interface ReplayStart {
  readonly start: OpenSnapshot | null
  readonly readLog: ReadChunk
  readonly rows: StoredRows
}

/** The newest snapshot before all changes, and before `until`, if the lines behind it lead to the stored state. */
export function* findReplayStart(
  source: ReplaySource,
  late: LateCommands,
  hasLimits: boolean,
  until: Instant | null = null,
): Steps<ReplayStart> {
  const { current } = late
  const { state } = late.storedUser
  const at = state === null ? null : (until ?? firstChange(source, late, hasLimits))
  if (state === null || at === null || movesOldRows(state, current)) return yield* fromBeginning(source)
  const start = yield* readStart(source.readSnapshot, { ...current, state }, at)
  if (start === null) return yield* fromBeginning(source)
  const readLog = readFrom(yield* readWhole(source.readLog, start))
  const replayed = yield* replay(readLog, current, [], { user: state.user, start, lines: state.seq })
  if (replayed?.state == null || stateText(replayed.state) !== stateText(state)) return yield* fromBeginning(source)
  return { start, readLog, rows: toStoredRows(replayed.rows) }
}

/** True if the newest game shows or hides the user: snapshots do not have the rows of finished runs. */
function movesOldRows(state: UserState, { games, game }: CurrentGame): boolean {
  const known = games.get(state.epoch)
  return known !== undefined && changesVisibility({ game: known, state }, { game, state })
}

function* fromBeginning(source: ReplaySource): Steps<ReplayStart> {
  return { start: null, readLog: source.readLog, rows: yield* source.readRows() }
}

/** Returns the instant before which nothing changes, or `null` if everything may change. */
function firstChange(source: ReplaySource, late: LateCommands, hasLimits: boolean): Instant | null {
  const instants = late.commands.map((command) => changeOf(source, late, command, hasLimits))
  return instants.reduce((first, at) => (first === null || at === null ? null : Math.min(first, at)), AT_THE_END)
}

const AT_THE_END = Number.MAX_SAFE_INTEGER

function changeOf({ eventAt }: ReplaySource, late: LateCommands, command: Command, hasLimits: boolean): Instant | null {
  const { body, occurredAt, voids = [] } = command
  if (voids.length > 0 || mayMoveValues(late, command)) return null
  if (eventIdOf(command) !== null) return eventAt === null ? null : eventAt - 1
  if (body.kind !== 'eventRecorded') return null
  if (occurredAt === null || !isLate(command, late.storedUser.state)) return AT_THE_END
  // A limit looks at the sums of the dates before.
  return hasLimits ? occurredAt - (FURTHEST + 3) * DAY : occurredAt
}

/** Snapshots do not know which values a metric with the aggregation `distinct` has counted. */
function mayMoveValues({ current }: LateCommands, command: Command): boolean {
  const { body } = command
  return [...current.games.values()].some((game) => {
    if (body.kind === 'eventRecorded') return countedAttribute(game, body.metric) !== null
    return eventIdOf(command) !== null && [...game.aggregations.values()].some(({ of }) => of !== null)
  })
}

/** No snapshot is that early, so the replay begins at the first line. */
export const BEFORE_ALL: Instant = Number.MIN_SAFE_INTEGER

/**
 * Returns the instant by which the replay has to begin, or `null` if this replay is complete. A replay from a snapshot
 * is incomplete in two cases: a stored period is missing that earlier lines may have, or an entry belongs before its
 * start.
 */
export function startsTooLate({ start, rows }: Pick<ReplayStart, 'start' | 'rows'>, replayed: Replay): Instant | null {
  if (start === null) return null
  if (replayed.inserted.some(({ entry }) => entry.at < start.at)) return BEFORE_ALL
  const last = Math.floor(start.at / DAY) + 1
  const gone = rows.periods.filter((period) => period.start <= last && !replayed.rows.periods.has(periodKey(period)))
  return gone.length === 0 ? null : (Math.min(...gone.map((period) => period.start)) - 2) * DAY
}

/** A user whose log is read, at the version of the read. */
export interface UserAsRead extends Pick<CurrentGame, 'games' | 'baselineEpoch'> {
  readonly state: UserState
}

/**
 * The newest snapshot whose last line is not after an instant. Returns `null` if the log must be read from its
 * beginning.
 */
export function* readStart(
  readSnapshot: (until: Instant) => Eventually<Snapshot | null>,
  { games, baselineEpoch, state: known }: UserAsRead,
  until: Instant,
): Steps<OpenSnapshot | null> {
  const start = openSnapshot(yield* wait(readSnapshot(until)), baselineEpoch)
  if (start === null) return null
  // A snapshot that was kept since the user was read may have lines, and games, that are not known here.
  return start.state.seq <= known.seq && games.has(start.state.epoch) ? start : null
}
