import { shareRanks } from '../../answers/leaderboards.ts'
import { lostCompletions } from '../../record/replay/keep-completions.ts'
import type { Instant } from '../../rules/calendar.ts'
import { challengeMetric } from '../../rules/challenge.ts'
import type { Game, Leaderboard, Level } from '../../rules/game.ts'
import { isRunOf } from '../../rules/leaderboard.ts'
import { levelFor } from '../../rules/points.ts'
import { compareCodePoints, comparePositions, type Position } from '../../rules/position.ts'
import type { UserState } from '../../rules/state.ts'
import { isOffLeaderboard } from '../../rules/visibility.ts'
import { walletIn } from '../../rules/wallet.ts'
import { createPause } from '../../runtime/pages.ts'
import type { WhatIfLeaderboard, WhatIfReport, WhatIfTrigger, WhatIfUser } from '../../shapes/operate.ts'
import type { LeaderboardRow, UserKey } from '../../storage/rows.ts'
import type { StoredUser } from '../../storage/storage.ts'
import { getOrCreate } from '../year/active-days.ts'
import { NO_SUMS, type SumByTrigger, sumAwards, totalOf } from './award-sums.ts'

function createSums<Name extends string>(...names: readonly Name[]) {
  type Sums = { [Each in Name]: number }
  const sums = new Map<string, Sums>()
  const nothing = Object.fromEntries(names.map((name) => [name, 0])) as Sums
  return {
    add: (key: string, name: Name, by: number): void => {
      getOrCreate(sums, key, () => ({ ...nothing }))[name] += by
    },
    /** `key`: the name that the key has in the report. */
    inOrder: <Key extends string>(key: Key) =>
      [...sums]
        .sort(([left], [right]) => (left < right ? -1 : 1))
        .map(([of, each]) => ({ [key]: of, ...each }) as { [Each in Key]: string } & Sums),
  }
}

interface NewestRun {
  readonly from: string
  readonly definition: Leaderboard
  /** By tenant and group. */
  readonly groups: Map<string, (Position & { readonly tenant: string })[]>
}

/** The id of a run begins with its first date. */
const DATE_LENGTH = 10

/** Keeps the positions of all users in memory, in the newest run of each leaderboard, as of `at`, under both games. */
function startWhatIfPositions(next: Game, at: Instant) {
  const now = new Map<string, NewestRun>()
  const then = new Map<string, NewestRun>()
  return {
    add: (key: UserKey, game: Game, before: UserState | null, after: UserState | null): void => {
      for (const row of rowsOf(game, before)) addPosition(now, game, key, row, at)
      for (const row of rowsOf(next, after)) addPosition(then, next, key, row, at)
    },
    report: async (): Promise<readonly WhatIfLeaderboard[]> => {
      const moves = createSums('entered', 'left', 'up', 'down')
      const pause = createPause()
      for (const key of new Set([...now.keys(), ...then.keys()])) {
        await pause()
        const before = ranksOf(now.get(key))
        const after = ranksOf(then.get(key))
        for (const user of new Set([...before.keys(), ...after.keys()])) {
          const move = moveOf(before.get(user), after.get(user))
          if (move !== null) moves.add(key, move, 1)
        }
      }
      return moves.inOrder('key')
    },
  }
}

function moveOf(before: number | undefined, after: number | undefined): 'entered' | 'left' | 'up' | 'down' | null {
  if (before === after) return null
  if (before === undefined) return 'entered'
  if (after === undefined) return 'left'
  return after < before ? 'up' : 'down'
}

/** The newest runs of each leaderboard. The newest run of all users is also one of each user's newest runs. */
function rowsOf(game: Game, state: UserState | null): readonly LeaderboardRow[] {
  if (state === null) return []
  return [...state.leaderboards].flatMap(([leaderboard, entries]) => {
    const isOff = isOffLeaderboard(game, state, game.leaderboards.get(leaderboard) ?? null)
    return isOff ? [] : entries.map((entry) => ({ leaderboard, ...entry }))
  })
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
  const newest: NewestRun = known?.from === from ? known : { from, definition, groups: new Map() }
  runs.set(leaderboard, newest)
  const positions = getOrCreate(newest.groups, JSON.stringify([tenant, group]), () => [])
  positions.push({ tenant, user, value, reachedAt })
}

function ranksOf(run: NewestRun | undefined): ReadonlyMap<string, number> {
  const ranks = new Map<string, number>()
  for (const positions of run?.groups.values() ?? []) {
    const ranked = positions.sort(comparePositions).slice(0, run?.definition.maxParticipants ?? undefined)
    const lines = ranked.map((position, index) => ({ ...position, rank: index + 1 }))
    const shared = run?.definition.isShared ? shareRanks(lines, 1) : lines.map(({ rank }) => rank)
    for (const [index, { tenant, user }] of lines.entries()) {
      ranks.set(JSON.stringify([tenant, user]), shared[index] ?? 1)
    }
  }
  return ranks
}

function createPaid() {
  const sums = createSums('gains', 'minted', 'loses', 'gone')
  return {
    ...sums,
    change: (key: string, by: number): void => {
      if (by === 0) return
      sums.add(key, by > 0 ? 'gains' : 'loses', 1)
      sums.add(key, by > 0 ? 'minted' : 'gone', Math.abs(by))
    },
  }
}

/** The user as the other game would have it. It has only the sums of awards, because a log can lead to millions of them. */
export interface OtherUser {
  readonly state: UserState | null
  readonly awards: ReadonlyMap<string, SumByTrigger>
}

function compareUser(game: Game, next: Game, storedUser: StoredUser, other: OtherUser) {
  const awards = sumAwards(storedUser.awards)
  const systems = new Set([...(storedUser.state?.points.keys() ?? []), ...(other.state?.points.keys() ?? [])])
  return {
    gained: keysOnlyIn(other.state, storedUser.state),
    lost: keysOnlyIn(storedUser.state, other.state),
    systems: [...systems].map((system) => {
      const paid = awards.get(system) ?? NO_SUMS
      const due = other.awards.get(system) ?? NO_SUMS
      const triggers = [...new Set([...paid.keys(), ...due.keys()])]
      return {
        system,
        by: totalOf(other.state, system) - totalOf(storedUser.state, system),
        climbed: climbOf(system, game, next, storedUser.state, other.state),
        triggers: triggers.map((id) => ({ id, by: (due.get(id) ?? 0) - (paid.get(id) ?? 0) })),
      }
    }),
  }
}

/** Collects what another game would change for each user. */
export interface WhatIfReporting {
  add(key: UserKey, game: Game, storedUser: StoredUser, other: OtherUser): void
  report(): Promise<Omit<WhatIfReport, 'users' | 'damaged'>>
}

export function startWhatIfReport(next: Game, at: Instant): WhatIfReporting {
  let changed = 0
  let largest: WhatIfUser[] = []
  const achievements = createSums('gained', 'lost')
  const challenges = createSums('gained', 'lost')
  const levels = createSums('up', 'down')
  const balances = createSums('negative')
  const points = createPaid()
  const triggers = new Map<string, ReturnType<typeof createPaid>>()
  const positions = startWhatIfPositions(next, at)

  function add(key: UserKey, game: Game, storedUser: StoredUser, other: OtherUser): void {
    positions.add(key, game, storedUser.state, other.state)
    const { gained, lost, systems } = compareUser(game, next, storedUser, other)
    for (const name of gained) achievements.add(name, 'gained', 1)
    for (const name of lost) achievements.add(name, 'lost', 1)
    for (const { system, by, climbed, triggers: ofSystem } of systems) {
      points.change(system, by)
      for (const { id, by } of ofSystem) getOrCreate(triggers, system, createPaid).change(id, by)
      if (climbed !== 0) levels.add(system, climbed > 0 ? 'up' : 'down', 1)
    }
    const others = systems.filter(({ by, climbed }) => by !== 0 || climbed !== 0)
    const quests = questsBy(
      new Set([...game.challenges.keys(), ...next.challenges.keys()]),
      storedUser.state,
      other.state,
    )
    for (const [name, by] of quests) challenges.add(name, by > 0 ? 'gained' : 'lost', 1)
    const negative = next.spendableSystems.filter((system) => {
      return balanceIn(other.state, system.key) < 0 && balanceIn(storedUser.state, system.key) >= 0
    })
    for (const { key: system } of negative) balances.add(system, 'negative', 1)
    if (gained.length + lost.length + others.length + quests.length + negative.length === 0) return
    changed += 1
    const differences = others.filter(({ by }) => by !== 0).map(({ system, by }) => [system, by] as const)
    largest.push({ ...key, gained, lost, points: Object.fromEntries(differences) })
    if (largest.length >= MOST_USERS * 2) largest = sortLargest(largest)
  }

  const report: WhatIfReporting['report'] = async () => ({
    changed,
    achievements: achievements.inOrder('key'),
    points: points.inOrder('system'),
    triggers: [...triggers]
      .flatMap(([system, sums]) => sums.inOrder('trigger').map((paid) => ({ system, ...paid })))
      .sort(inOrderOf(next)),
    levels: levels.inOrder('system'),
    balances: balances.inOrder('system'),
    challenges: challenges.inOrder('key'),
    leaderboards: await positions.report(),
    largest: sortLargest(largest),
  })
  return { add, report }
}

function balanceIn(state: UserState | null, system: string): number {
  return state === null ? 0 : walletIn(state.wallets, system).balance
}

/** By challenge, how many more quests `then` has completed than `now`. */
function questsBy(
  keys: Iterable<string>,
  now: UserState | null,
  then: UserState | null,
): readonly (readonly [string, number])[] {
  const countIn = (state: UserState | null, key: string): number => state?.totals.get(challengeMetric(key))?.total ?? 0
  return [...keys].map((key) => [key, countIn(then, key) - countIn(now, key)] as const).filter(([, by]) => by !== 0)
}

/** Achievements that `state` has completed more often than `other`. */
function keysOnlyIn(state: UserState | null, other: UserState | null): readonly string[] {
  return lostCompletions(state, { state: other })
    .map(([key]) => key)
    .sort()
}

/**
 * Above 0 if a user climbs in a points system. Levels of the same key are one level, whatever points they take; of
 * different levels the game that has both says which is higher. If no game has both, their positions do.
 */
function climbOf(system: string, game: Game, next: Game, now: UserState | null, then: UserState | null): number {
  const [from, to] = [levelOf(game, now, system), levelOf(next, then, system)]
  for (const { points } of [next, game]) {
    const levels = points.get(system)?.levels ?? []
    const [before, after] = [positionOf(from, levels), positionOf(to, levels)]
    if (before !== null && after !== null) return after - before
  }
  const positionIn = (of: Game, key: string | null): number => positionOf(key, of.points.get(system)?.levels ?? []) ?? 0
  return positionIn(next, to) - positionIn(game, from)
}

function levelOf({ points }: Game, state: UserState | null, system: string): string | null {
  const found = points.get(system)
  return found === undefined ? null : (levelFor(found, totalOf(state, system))?.key ?? null)
}

/** The position of a level among others, from 1; 0 below every level, or `null` if there is no such level. */
function positionOf(key: string | null, levels: readonly Level[]): number | null {
  return key === null ? 0 : levels.findIndex((level) => level.key === key) + 1 || null
}

const MOST_USERS = 100

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

/** Orders by system, then in the game's order of the triggers. Triggers that the game lacks come last, by id. */
function inOrderOf({ points }: Game): (left: WhatIfTrigger, right: WhatIfTrigger) => number {
  const order = new Map([...points.values()].flatMap(({ triggers }) => triggers.map(({ id }, place) => [id, place])))
  const placeOf = ({ trigger }: WhatIfTrigger): number => order.get(trigger) ?? order.size
  return (left, right) =>
    compareCodePoints(left.system, right.system) ||
    placeOf(left) - placeOf(right) ||
    compareCodePoints(left.trigger, right.trigger)
}
