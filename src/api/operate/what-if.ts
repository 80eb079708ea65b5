import { createHash } from 'node:crypto'
import { compileGame } from '../../game/compile.ts'
import { type DefinedGame, requireDefined } from '../../game/define-game.ts'
import { type GivenBoosts, NO_BOOSTS } from '../../game/stored-game.ts'
import { readInTurns } from '../../record/replay/read-log.ts'
import { type Replay, replayUnder } from '../../record/replay/replay.ts'
import type { Instant } from '../../rules/calendar.ts'
import type { Game, Level } from '../../rules/game.ts'
import { isRunOf } from '../../rules/leaderboard.ts'
import { levelFor } from '../../rules/points.ts'
import { compareCodePoints, comparePositions, type Position } from '../../rules/position.ts'
import type { UserState } from '../../rules/state.ts'
import type { Context, CurrentGame } from '../../runtime/context.ts'
import { damageOf, startDamageCheck } from '../../runtime/damage.ts'
import { AGAIN, onNewestGame } from '../../runtime/game-registry.ts'
import type { LeaderboardRow, UserKey } from '../../storage/rows.ts'
import type { UserView } from '../../storage/storage.ts'
import { parse } from '../input.ts'
import { shareRanks } from '../leaderboards/answer.ts'
import type { DamagedUser } from '../users/types.ts'
import { getOrCreate } from '../year/active-days.ts'
import { sumByTrigger, totalOf } from './apply-game.ts'
import { whatIfOptions } from './requests.ts'
import type { WhatIfLeaderboard, WhatIfReport, WhatIfTrigger, WhatIfUser } from './types.ts'
import { eachUser, namedUsers } from './walk-users.ts'

/** The newest run of a leaderboard under one game. */
interface NewestRun {
  readonly from: string
  readonly limit: number | null
  readonly isShared: boolean
  /** By tenant and group. */
  readonly groups: Map<string, { readonly tenant: string; readonly positions: Position[] }>
}

/** The id of a run begins with its first date. */
const DATE_LENGTH = 10

/** Keeps the positions of all users in memory, in the newest run of each leaderboard, as of `at`, under both games. */
function startWhatIfPositions(next: Game, at: Instant) {
  const now = new Map<string, NewestRun>()
  const then = new Map<string, NewestRun>()
  return {
    add: (key: UserKey, game: Game, before: readonly LeaderboardRow[], after: Iterable<LeaderboardRow>): void => {
      for (const row of before) addPosition(now, game, key, row, at)
      for (const row of after) addPosition(then, next, key, row, at)
    },
    report: (): readonly WhatIfLeaderboard[] =>
      [...new Set([...now.keys(), ...then.keys()])]
        .sort()
        .map((key) => ({ key, ...compare(ranksOf(now.get(key)), ranksOf(then.get(key))) }))
        .filter(({ entered, left, up, down }) => entered + left + up + down > 0),
  }
}

/** Leaves out a row that has expired, or is of a run that the game does not have. */
function addPosition(
  runs: Map<string, NewestRun>,
  { leaderboards }: Game,
  { tenant, user }: UserKey,
  { leaderboard, run, group, value, reachedAt, until }: LeaderboardRow,
  at: Instant,
): void {
  const definition = leaderboards.get(leaderboard)
  if (definition === undefined || !isRunOf(definition, run) || (until !== null && until <= at)) return
  const from = run.slice(0, DATE_LENGTH)
  const known = runs.get(leaderboard)
  if (known !== undefined && known.from > from) return
  const newest =
    known?.from === from
      ? known
      : { from, limit: definition.maxParticipants, isShared: definition.isShared, groups: new Map() }
  runs.set(leaderboard, newest)
  const { positions } = getOrCreate(newest.groups, JSON.stringify([tenant, group]), () => ({ tenant, positions: [] }))
  positions.push({ user, value, reachedAt })
}

function ranksOf(run: NewestRun | undefined): ReadonlyMap<string, number> {
  const ranks = new Map<string, number>()
  for (const { tenant, positions } of run?.groups.values() ?? []) {
    const ranked = positions.sort(comparePositions).slice(0, run?.limit ?? undefined)
    const lines = ranked.map((position, index) => ({ ...position, rank: index + 1 }))
    const shared = run?.isShared === true ? shareRanks(lines, 1) : lines.map(({ rank }) => rank)
    for (const [index, { user }] of lines.entries()) ranks.set(JSON.stringify([tenant, user]), shared[index] ?? 1)
  }
  return ranks
}

function compare(now: ReadonlyMap<string, number>, then: ReadonlyMap<string, number>): Omit<WhatIfLeaderboard, 'key'> {
  let up = 0
  let down = 0
  let entered = 0
  for (const [user, rank] of then) {
    const before = now.get(user)
    if (before === undefined) entered += 1
    else if (rank < before) up += 1
    else if (rank > before) down += 1
  }
  const left = [...now.keys()].filter((user) => !then.has(user)).length
  return { entered, left, up, down }
}

const MOST_USERS = 100

interface Change {
  gains: number
  minted: number
  loses: number
  gone: number
}

function startWhatIfReport(next: Game, at: Instant) {
  let users = 0
  let changed = 0
  const achievements = new Map<string, { gained: number; lost: number }>()
  const points = new Map<string, Change>()
  const triggers = new Map<string, Map<string, Change>>()
  const levels = new Map<string, { up: number; down: number }>()
  const positions = startWhatIfPositions(next, at)
  let largest: WhatIfUser[] = []

  function keepLargest(user: WhatIfUser): void {
    largest.push(user)
    if (largest.length >= MOST_USERS * 2) largest = sortLargest(largest)
  }

  return {
    add: (key: UserKey, game: Game, view: UserView, fold: Replay): void => {
      users += 1
      const gained = keysOnlyIn(fold.state, view.state)
      const lost = keysOnlyIn(view.state, fold.state)
      for (const name of gained) getOrCreate(achievements, name, () => ({ gained: 0, lost: 0 })).gained += 1
      for (const name of lost) getOrCreate(achievements, name, () => ({ gained: 0, lost: 0 })).lost += 1
      const difference: [string, number][] = []
      let isOnOtherLevel = false
      for (const system of new Set([...(view.state?.points.keys() ?? []), ...(fold.state?.points.keys() ?? [])])) {
        const by = totalOf(fold.state, system) - totalOf(view.state, system)
        if (by !== 0) difference.push([system, by])
        addChange(points, system, by)
        addTriggers(triggers, system, view, fold)
        const climbed = compareLevels(levelOn(game, view.state, system), levelOn(next, fold.state, system))
        if (climbed > 0) getOrCreate(levels, system, () => ({ up: 0, down: 0 })).up += 1
        if (climbed < 0) getOrCreate(levels, system, () => ({ up: 0, down: 0 })).down += 1
        isOnOtherLevel ||= climbed !== 0
      }
      positions.add(key, game, view.leaderboards, fold.rows.leaderboards.values())
      if (gained.length + lost.length + difference.length === 0 && !isOnOtherLevel) return
      changed += 1
      keepLargest({ ...key, gained, lost, points: Object.fromEntries(difference) })
    },
    report: (): Omit<WhatIfReport, 'damaged'> => ({
      users,
      changed,
      achievements: inOrder(achievements).map(([key, counts]) => ({ key, ...counts })),
      points: inOrder(points).map(([system, change]) => ({ system, ...change })),
      triggers: [...triggers]
        .flatMap(([system, changes]) => [...changes].map(([trigger, change]) => ({ system, trigger, ...change })))
        .sort(inOrderOf(next)),
      levels: inOrder(levels).map(([system, counts]) => ({ system, ...counts })),
      leaderboards: positions.report(),
      largest: sortLargest(largest),
    }),
  }
}

function inOrder<Value>(map: ReadonlyMap<string, Value>): readonly (readonly [key: string, value: Value])[] {
  return [...map].sort(([left], [right]) => (left < right ? -1 : 1))
}

/** Achievements that `state` has completed more often than `other`. */
function keysOnlyIn(state: UserState | null, other: UserState | null): readonly string[] {
  return [...(state?.completions ?? [])]
    .filter(([key, { count }]) => count > (other?.completions.get(key)?.count ?? 0))
    .map(([key]) => key)
    .sort()
}

/** A user's level among those of one game; null: below every level. */
interface ReachedLevel {
  readonly key: string | null
  readonly levels: readonly Level[]
}

function levelOn({ points }: Game, state: UserState | null, system: string): ReachedLevel {
  const found = points.get(system)
  if (found === undefined) return { key: null, levels: [] }
  return { key: levelFor(found, totalOf(state, system))?.key ?? null, levels: found.levels }
}

/**
 * Above 0 where `then` is the higher level. Levels of the same key are one level, whatever points they take; of
 * different levels the game that has both says which is higher, and where no game has both, their positions do.
 */
function compareLevels(now: ReachedLevel, then: ReachedLevel): number {
  for (const { levels } of [then, now]) {
    const [before, after] = [positionOf(now.key, levels), positionOf(then.key, levels)]
    if (before !== null && after !== null) return after - before
  }
  return (positionOf(then.key, then.levels) ?? 0) - (positionOf(now.key, now.levels) ?? 0)
}

/** The position of a level among others, from 0; -1 below every level, null where there is no such level. */
function positionOf(key: string | null, levels: readonly Level[]): number | null {
  if (key === null) return -1
  const position = levels.findIndex((level) => level.key === key)
  return position === -1 ? null : position
}

function addTriggers(triggers: Map<string, Map<string, Change>>, system: string, view: UserView, fold: Replay): void {
  const changes = getOrCreate(triggers, system, () => new Map<string, Change>())
  const paid = sumByTrigger(view.awards, system)
  const due = sumByTrigger(fold.rows.awards.values(), system)
  for (const trigger of new Set([...paid.keys(), ...due.keys()])) {
    addChange(changes, trigger, (due.get(trigger) ?? 0) - (paid.get(trigger) ?? 0))
  }
}

function addChange(changes: Map<string, Change>, name: string, by: number): void {
  if (by === 0) return
  const change = getOrCreate(changes, name, () => ({ gains: 0, minted: 0, loses: 0, gone: 0 }))
  if (by > 0) {
    change.gains += 1
    change.minted += by
  } else {
    change.loses += 1
    change.gone -= by
  }
}

/** The users with the largest differences. */
function sortLargest(users: readonly WhatIfUser[]): WhatIfUser[] {
  const size = ({ points }: WhatIfUser): number => Object.values(points).reduce((sum, by) => sum + Math.abs(by), 0)
  const achievements = ({ gained, lost }: WhatIfUser): number => gained.length + lost.length
  const sorted = [...users].sort(
    (left, right) =>
      size(right) - size(left) ||
      achievements(right) - achievements(left) ||
      (left.tenant + left.user < right.tenant + right.user ? -1 : 1),
  )
  return sorted.slice(0, MOST_USERS)
}

/** By system, then in the game's order of the triggers; those that the game lacks come last, by id. */
function inOrderOf({ points }: Game): (left: WhatIfTrigger, right: WhatIfTrigger) => number {
  const order = new Map([...points.values()].flatMap(({ triggers }) => triggers.map(({ id }, place) => [id, place])))
  const placeOf = ({ trigger }: WhatIfTrigger): number => order.get(trigger) ?? order.size
  return (left, right) =>
    compareCodePoints(left.system, right.system) ||
    placeOf(left) - placeOf(right) ||
    compareCodePoints(left.trigger, right.trigger)
}

export async function whatIf(context: Context, next: DefinedGame, options: unknown = {}): Promise<WhatIfReport> {
  const { users: only, tenant, onProgress, signal, sample } = parse(whatIfOptions, options, 'options')
  requireDefined(next, 'whatIf()')
  const report = startWhatIfReport(next.rules, context.now())
  const withBoosts = startWithBoosts(next)
  const damaged: DamagedUser[] = []
  let users = 0
  let entries = 0
  for await (const key of only === undefined ? eachUser(context.storage) : namedUsers(context.storage, only, tenant)) {
    signal?.throwIfAborted()
    if (!isSampled(key, sample)) continue
    try {
      const { view, fold, current } = await foldBoth(context, withBoosts, key, signal)
      // Another name is not counted: the user that goes on is.
      if (view.state !== null && view.state.mergedInto !== null) continue
      entries += view.state?.seq ?? 0
      report.add(key, current.game, view, fold)
    } catch (error) {
      damaged.push(damageOf(key, error))
    }
    users += 1
    onProgress?.({ users, entries, last: key })
  }
  onProgress?.({ users, entries, last: null })
  return { ...report.report(), damaged }
}

/** After so many folds a user who changes all the time is reported with lines that came between two reads. */
const MOST_FOLDS = 99

/** The user as it is and as it would be, both of the same log. */
async function foldBoth(
  context: Context,
  withBoosts: (current: CurrentGame) => Game,
  key: UserKey,
  signal: AbortSignal | undefined,
): Promise<{ readonly view: UserView; readonly fold: Replay; readonly current: CurrentGame }> {
  const asked = { awards: {}, leaderboards: {} }
  const check = startDamageCheck(key.user)
  return onNewestGame(context, key, asked, 'its log was folded', async (view, current, tries) => {
    check(view)
    const game = withBoosts(current)
    const lines = view.state?.seq ?? 0
    const folding = { lines: tries < MOST_FOLDS ? lines : undefined, signal }
    const fold = await replayUnder(readInTurns(context.storage, key, lines), current, game, folding)
    return fold === null ? AGAIN : { view, fold, current }
  })
}

/** The other game with the boosts that are given to all users now, which it would have too. */
function startWithBoosts(next: DefinedGame): (current: CurrentGame) => Game {
  let made: { readonly boosts: GivenBoosts; readonly game: Game } = { boosts: NO_BOOSTS, game: next.rules }
  return ({ boosts }) => {
    if (boosts !== made.boosts) made = { boosts, game: compileGame(next.definition, boosts) }
    return made.game
  }
}

const HEX_DIGITS = 12

/** True if a user is in the sample. A hash decides, so that each call samples the same users. */
function isSampled({ tenant, user }: UserKey, share: number): boolean {
  if (share === 1) return true
  const hash = createHash('sha256')
    .update(JSON.stringify([tenant, user]))
    .digest('hex')
    .slice(0, HEX_DIGITS)
  return Number.parseInt(hash, 16) < share * 16 ** HEX_DIGITS
}
