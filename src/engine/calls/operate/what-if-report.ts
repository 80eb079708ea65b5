import type { Instant } from '../../../rules/calendar.ts'
import type { Game, Level } from '../../../rules/game.ts'
import { levelFor } from '../../../rules/level.ts'
import { compareCodePoints } from '../../../rules/position.ts'
import type { UserState } from '../../../rules/state.ts'
import type { UserView } from '../../../storage.ts'
import type { UserKey } from '../../../storage-rows.ts'
import type { Count } from '../../answers/wire/formats.ts'
import type { DamagedUser } from '../../answers/wire/users.ts'
import type { Replay } from '../../replay/replay.ts'
import { sumByTrigger } from './missing-grants.ts'
import { startWhatIfPositions, type WhatIfLeaderboard } from './what-if-positions.ts'

/** How many users gain or lose. */
export interface WhatIfAchievement {
  readonly key: string
  /** Users who would have it, or would have completed it more often. */
  readonly gained: Count
  /** Users who would not have it, or would have completed it less often. */
  readonly lost: Count
}

/** What a trigger would pay more, and less. */
export interface WhatIfTrigger {
  readonly system: string
  /** Id of the trigger; one of the other game where the systems of both have it. */
  readonly trigger: string
  /** Users whom it would give more. */
  readonly gains: Count
  /** How many points more. */
  readonly minted: number
  /** Users whom it would give less. */
  readonly loses: Count
  /** How many points less. */
  readonly gone: number
}

/** What a points system would pay more, and less. */
export interface WhatIfPoints {
  readonly system: string
  readonly gains: Count
  readonly minted: number
  readonly loses: Count
  readonly gone: number
}

/** A level with the same key is the same level, whatever it takes to reach it. */
export interface WhatIfLevels {
  readonly system: string
  readonly up: Count
  readonly down: Count
}

/** What would change for one user. */
export interface WhatIfUser {
  /** Empty in a game without tenants. */
  readonly tenant: string
  readonly user: string
  readonly gained: readonly string[]
  readonly lost: readonly string[]
  /** By points system: how much more or less. */
  readonly points: { readonly [system: string]: number }
}

/** What would be different if another game had always been there; rules for which nothing is are left out. */
export interface WhatIfReport {
  /** Users looked at. */
  readonly users: Count
  /** Users for whom something would be different. */
  readonly changed: Count
  readonly achievements: readonly WhatIfAchievement[]
  readonly points: readonly WhatIfPoints[]
  readonly triggers: readonly WhatIfTrigger[]
  readonly levels: readonly WhatIfLevels[]
  /** Of the newest run of each. */
  readonly leaderboards: readonly WhatIfLeaderboard[]
  /** The hundred users with the largest differences: of points, then of achievements. */
  readonly largest: readonly WhatIfUser[]
  /** Users of whom a row cannot be read, or lines of the log are missing. They are not among those looked at. */
  readonly damaged: readonly DamagedUser[]
}

export interface OpenWhatIfReport {
  add(key: UserKey, game: Game, view: UserView, fold: Replay): void
  report(): Omit<WhatIfReport, 'damaged'>
}

const MOST_USERS = 100

interface Change {
  gains: number
  minted: number
  loses: number
  gone: number
}

export function startWhatIfReport(next: Game, at: Instant): OpenWhatIfReport {
  let users = 0
  let changed = 0
  const achievements = new Map<string, { gained: number; lost: number }>()
  const points = new Map<string, Change>()
  const triggers = new Map<string, Map<string, Change>>()
  const levels = new Map<string, { up: number; down: number }>()
  const positions = startWhatIfPositions(next, at)
  let largest: { readonly user: WhatIfUser; readonly size: number }[] = []

  function keepLargest(user: WhatIfUser): void {
    const size = Object.values(user.points).reduce((sum, points) => sum + Math.abs(points), 0)
    largest.push({ user, size })
    if (largest.length < MOST_USERS * 2) return
    largest = sortLargest(largest).slice(0, MOST_USERS)
  }

  return {
    add: (key, game, view, fold) => {
      users += 1
      const gained = keysOnlyIn(fold.state, view.state)
      const lost = keysOnlyIn(view.state, fold.state)
      for (const name of gained) entryOf(achievements, name, { gained: 0, lost: 0 }).gained += 1
      for (const name of lost) entryOf(achievements, name, { gained: 0, lost: 0 }).lost += 1
      const difference: [string, number][] = []
      let isOnOtherLevel = false
      for (const system of new Set([...(view.state?.points.keys() ?? []), ...(fold.state?.points.keys() ?? [])])) {
        const by = totalOf(fold.state, system) - totalOf(view.state, system)
        if (by !== 0) difference.push([system, by])
        addChange(points, system, by)
        addTriggers(entryOf(triggers, system, new Map()), system, view, fold)
        const climbed = compareLevels(levelOn(game, view.state, system), levelOn(next, fold.state, system))
        if (climbed > 0) entryOf(levels, system, { up: 0, down: 0 }).up += 1
        if (climbed < 0) entryOf(levels, system, { up: 0, down: 0 }).down += 1
        isOnOtherLevel ||= climbed !== 0
      }
      positions.add(key, game, view.leaderboards, [...fold.rows.leaderboards.values()])
      if (gained.length + lost.length + difference.length === 0 && !isOnOtherLevel) return
      changed += 1
      keepLargest({ ...key, gained, lost, points: Object.fromEntries(difference) })
    },
    report: () => ({
      users,
      changed,
      achievements: [...achievements].map(([key, counts]) => ({ key, ...counts })).sort(byName('key')),
      points: [...points].map(([system, change]) => ({ system, ...change })).sort(byName('system')),
      triggers: [...triggers]
        .flatMap(([system, changes]) => [...changes].map(([trigger, change]) => ({ system, trigger, ...change })))
        .sort(inOrderOf(next)),
      levels: [...levels].map(([system, counts]) => ({ system, ...counts })).sort(byName('system')),
      leaderboards: positions.report(),
      largest: sortLargest(largest)
        .slice(0, MOST_USERS)
        .map(({ user }) => user),
    }),
  }
}

function entryOf<Value>(map: Map<string, Value>, key: string, first: Value): Value {
  const known = map.get(key)
  if (known !== undefined) return known
  map.set(key, first)
  return first
}

function byName<Name extends string>(name: Name) {
  return (left: { readonly [N in Name]: string }, right: { readonly [N in Name]: string }): number =>
    left[name] < right[name] ? -1 : 1
}

/** Achievements that `state` has completed more often than `other`. */
function keysOnlyIn(state: UserState | null, other: UserState | null): readonly string[] {
  return [...(state?.completions ?? [])]
    .filter(([key, { count }]) => count > (other?.completions.get(key)?.count ?? 0))
    .map(([key]) => key)
    .sort()
}

function totalOf(state: UserState | null, system: string): number {
  return state?.points.get(system)?.total ?? 0
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

function addTriggers(changes: Map<string, Change>, system: string, view: UserView, fold: Replay): void {
  const paid = sumByTrigger(view.awards, system)
  const due = sumByTrigger(fold.rows.awards.values(), system)
  for (const trigger of new Set([...paid.keys(), ...due.keys()])) {
    addChange(changes, trigger, (due.get(trigger) ?? 0) - (paid.get(trigger) ?? 0))
  }
}

function addChange(changes: Map<string, Change>, name: string, by: number): void {
  if (by === 0) return
  const change = entryOf(changes, name, { gains: 0, minted: 0, loses: 0, gone: 0 })
  if (by > 0) {
    change.gains += 1
    change.minted += by
  } else {
    change.loses += 1
    change.gone -= by
  }
}

function sortLargest(
  largest: readonly { readonly user: WhatIfUser; readonly size: number }[],
): { readonly user: WhatIfUser; readonly size: number }[] {
  const achievements = ({ gained, lost }: WhatIfUser): number => gained.length + lost.length
  return [...largest].sort(
    (left, right) =>
      right.size - left.size ||
      achievements(right.user) - achievements(left.user) ||
      (left.user.tenant + left.user.user < right.user.tenant + right.user.user ? -1 : 1),
  )
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
