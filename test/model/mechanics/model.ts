// A naive model of the mechanics, written from their specification and the documentation alone.

import { localDate } from '../dates.ts'
import { AMONG, boardsOf } from './boards.ts'
import { isMembershipReached } from './criteria.ts'
import {
  conditionsOf,
  countOf,
  type Entry,
  expiryOf,
  fold,
  inOrder,
  isHeld,
  levelOf,
  type State,
  streakOf,
  streaksOf,
  totalsOf,
} from './fold.ts'
import { allProgress } from './progress.ts'
import type { Answer, Boards, Call, Game, Look, Progress } from './types.ts'

interface User {
  entries: Entry[]
  state: State
}

export interface Model {
  call(call: Call): Answer
  look(id: string, now: number): Look | null
  boards(): Boards
  /** The users that have entries, in order. */
  users(): string[]
  game(): Game
}

export function createModel(first: Game): Model {
  const games: Game[] = [first] // by epoch
  const since = [Number.NEGATIVE_INFINITY] // by epoch: the instant from which its game was in force
  const users = new Map<string, User>()
  const names = new Map<string, string>() // of merged users

  const newestEpoch = (): number => games.length - 1
  const idOf = (id: string): string => names.get(id) ?? id
  const newestOf = ({ entries }: User): number => Math.max(...entries.map(({ at }) => at))

  function call(call: Call): Answer {
    switch (call.call) {
      case 'event':
        return record(call)
      case 'profile':
      case 'choose':
      case 'complete':
        return append(call)
      case 'adjust':
      case 'grant':
      case 'revoke':
        return correct(call)
      case 'reset':
        return reset(call)
      case 'void':
        return voidEvent(call)
      case 'merge':
        return merge(call)
      case 'apply':
        return apply(call)
    }
  }

  function record(call: Extract<Call, { call: 'event' }>): Answer {
    const user = users.get(idOf(call.id)) ?? { entries: [], state: fold(games, []).state }
    const { of } = games.at(-1)?.metrics[call.metric] ?? {}
    const isWhole = of === undefined || (call.value === 1 && call.attributes?.[of] !== undefined)
    if (user.entries.some((entry) => isOf(entry, call))) return { isReplayed: true }
    if (!isWhole) return { isRefused: true }
    const newest = newestOf(user)
    const isLate = call.occurredAt !== undefined && call.occurredAt < newest
    const at = call.occurredAt ?? Math.max(call.now, newest)
    const epoch = epochOf(user, at, call.occurredAt !== undefined, isLate)
    const answer = enter(idOf(call.id), user, { at, epoch, act: call })
    return isLate ? {} : { ...answer, total: totalsOf(stateOf(call.id))[call.metric] ?? 0 }
  }

  function append(call: Extract<Call, { call: 'profile' | 'choose' | 'complete' }>): Answer {
    const user = users.get(idOf(call.id))
    const mayChoose = user !== undefined && games.at(-1)?.streak.customization === true
    if (call.call === 'choose' && !mayChoose) return { isRefused: true }
    if (call.call === 'profile' && isInFuture(user, call)) return { isRefused: true }
    const isEmpty =
      call.call === 'profile' && call.tz === undefined && call.attributes === undefined && call.signUpDate === undefined
    if (call.call === 'complete' && user?.state.revoked.has(call.achievement) === true) {
      return countOf(user.state, call.achievement) > 0 ? { achievements: [], points: {} } : { isRefused: true }
    }
    const isDone =
      call.call === 'complete' &&
      user !== undefined &&
      isHeld(user.state, call.achievement, Math.max(call.now, newestOf(user)))
    if (user !== undefined && (isEmpty || isDone)) {
      const answer = enterNothing(idOf(call.id), user, call.now)
      return call.call === 'complete' ? withoutStreaks(answer) : {}
    }
    const known = user ?? { entries: [], state: fold(games, []).state }
    const at = Math.max(call.now, newestOf(known))
    const answer = enter(idOf(call.id), known, { at, epoch: newestEpoch(), act: call })
    return call.call === 'complete' ? withoutStreaks(answer) : {}
  }

  function reset({ id, streak, now }: Extract<Call, { call: 'reset' }>): Answer {
    const user = users.get(idOf(id))
    if (user === undefined) return { isRefused: true }
    const at = Math.max(now, newestOf(user))
    const state = { ...user.state, game: games.at(-1) ?? first }
    if (streakOf(state, streak, at).length === 0) return { isRefused: true }
    const act = { call: 'reset' as const, ...(streak === undefined ? {} : { streak }) }
    enter(idOf(id), user, { at, epoch: newestEpoch(), act })
    return {}
  }

  /** By support. */
  function correct(call: Extract<Call, { call: 'adjust' | 'grant' | 'revoke' }>): Answer {
    const id = idOf(call.id)
    const user = users.get(id)
    if (user === undefined) return { isRefused: true }
    const entry = { at: Math.max(call.now, newestOf(user)), epoch: newestEpoch() }
    if (call.call === 'adjust') {
      const { idempotencyKey: key } = call
      const same = user.entries.find(({ act }) => act.call === 'adjust' && act.idempotencyKey === key)
      if (key !== undefined && same?.act.call === 'adjust') {
        const isSame = same.act.points === call.points && same.act.system === call.system
        return isSame ? { isReplayed: true } : { isRefused: true }
      }
      return { points: enter(id, user, { ...entry, act: call }).points ?? {} }
    }
    const { achievement } = call
    const condition = conditionsOf(games.at(-1) ?? first).get(achievement)
    const has = countOf(user.state, achievement) > 0
    if (condition === undefined || (call.call === 'revoke' && !has)) return { isRefused: true }
    enter(id, user, { ...entry, act: { call: call.call === 'grant' ? 'award' : 'revoke', achievement } })
    return {}
  }

  function enterNothing(id: string, user: User, now: number): Answer {
    const at = Math.max(now, newestOf(user))
    const game = games.at(-1) ?? first
    if (!isMembershipReached({ ...user.state, game }, conditionsOf(game), at)) return { achievements: [], points: {} }
    return enter(id, user, { at, epoch: newestEpoch(), act: { call: 'profile' } })
  }

  function enter(id: string, user: User, entry: Omit<Entry, 'arrival'>): Answer {
    const entries = [...user.entries, { ...entry, arrival: user.entries.length }]
    const { state, completed } = fold(games, entries)
    const completions = new Map(user.state.completions)
    if (entry.act.call === 'revoke') completions.delete(entry.act.achievement)
    users.set(id, { entries, state: keep(entries, completions, state) })
    const changed = [...state.points].filter(([key, total]) => total !== (user.state.points.get(key) ?? 0))
    const answer = { achievements: newestHundred(completed).sort(), points: Object.fromEntries(changed) }
    const game = games.at(-1) ?? first
    const progressed = movedBetween({ ...user.state, game }, { ...state, game }, entry.at)
    return { ...answer, streak: streakOf(state, '', entry.at).length, progressed }
  }

  function stateOf(id: string): State {
    return users.get(idOf(id))?.state ?? fold(games, []).state
  }

  /** The game in force at the instant decides, but epochs only go up along a log. */
  function epochOf({ entries }: User, at: number, isDated: boolean, isLate: boolean): number {
    if (!isDated) return newestEpoch()
    const [before, after] = around(entries, at)
    const began = since.findLastIndex((from) => from <= at)
    return Math.max(before ?? 0, Math.min(began, isLate ? (after ?? newestEpoch()) : newestEpoch()))
  }

  /** The epochs of the entries before and after an instant. */
  function around(entries: readonly Entry[], at: number): [number | undefined, number | undefined] {
    const sorted = inOrder(entries).filter(({ act }) => act.call !== 'note')
    const next = sorted.findIndex((entry) => entry.at > at)
    // A void event adopted no newer game, unless the log begins with it.
    const past = sorted
      .slice(0, next === -1 ? sorted.length : next)
      .filter((each, i) => i === 0 || each.isVoid !== true)
    return [past.at(-1)?.epoch, sorted[next]?.epoch]
  }

  /** An achievement once completed stays: it is completed again at the instant of its newest completion. */
  function keep(entries: Entry[], completions: ReadonlyMap<string, number[]>, after: State): State {
    let state = after
    for (;;) {
      const lost = [...completions]
        .filter(([key, instants]) => instants.length > 0 && countOf(state, key) === 0)
        .map(([achievement, instants]) => ({ achievement, at: instants.at(-1) ?? 0 }))
        .sort((a, b) => a.at - b.at || (a.achievement < b.achievement ? -1 : 1))
      if (lost.length === 0) return state
      for (const { achievement, at } of lost) {
        const [before, next] = around(entries, at)
        const epoch = before ?? next ?? newestEpoch()
        entries.push({ at, arrival: entries.length, epoch, act: { call: 'keep', achievement } })
      }
      state = fold(games, entries).state
    }
  }

  function voidEvent(call: Extract<Call, { call: 'void' }>): Answer {
    const id = idOf(call.id)
    const user = users.get(id)
    const found = user?.entries.find((entry) => isOf(entry, call))
    if (user === undefined || found === undefined) return { isRefused: true }
    if (found.isVoid === true) return { isReplayed: true }
    const note = { at: Math.max(call.now, newestOf(user)), epoch: newestEpoch(), act: { call: 'note' as const } }
    const entries = user.entries.map((entry) => (entry === found ? { ...found, isVoid: true as const } : entry))
    enter(id, { ...user, entries }, note)
    return {}
  }

  function merge(call: Extract<Call, { call: 'merge' }>): Answer {
    const [from, into] = [idOf(call.id), idOf(call.into)]
    const [old, user] = [users.get(from), users.get(into)]
    if (call.id === call.into || old === undefined || user === undefined) return { isRefused: true }
    if (from === into) return {}
    const offset = user.entries.length
    const both = [...user.entries, ...old.entries.map((entry) => ({ ...entry, arrival: entry.arrival + offset }))]
    let newest = 0
    const keys = new Set<string>()
    const ordered = inOrder(both)
    const entries = ordered.map((entry): Entry => {
      newest = Math.max(newest, entry.epoch)
      const key = keyOf(entry)
      const isRepeated = key !== null && keys.has(key)
      if (key !== null) keys.add(key)
      if (!isRepeated) return { ...entry, epoch: newest }
      // Only the first one counts, and has the key from then on.
      const act = { ...entry.act, idempotencyKey: '', ...(entry.act.call === 'adjust' ? { points: 0 } : {}) }
      const isVoid = entry.act.call === 'event' ? { isVoid: true as const } : {}
      return { ...entry, act: act as Entry['act'], epoch: newest, ...isVoid }
    })
    // Each event that is void by the merge has an entry that voids it, as any voided event has.
    const at = Math.max(call.now, newestOf({ ...user, entries: both }))
    const voided = entries.filter(({ isVoid }, index) => isVoid === true && ordered[index]?.isVoid !== true)
    for (const _ of voided) entries.push({ at, arrival: entries.length, epoch: newestEpoch(), act: { call: 'note' } })
    const completions = firstOf(user.state.completions, old.state.completions)
    users.set(into, { entries, state: keep(entries, completions, fold(games, entries).state) })
    users.delete(from)
    for (const [name, target] of names) if (target === from) names.set(name, into)
    names.set(from, into)
    return {}
  }

  function apply({ game, policy, now }: Extract<Call, { call: 'apply' }>): Answer {
    games.push(game)
    const epoch = newestEpoch()
    since.push(Math.max(now, since.at(-1) ?? now))
    if (policy === 'recompute') {
      since.fill(Number.POSITIVE_INFINITY, 0, epoch)
      since[epoch] = Number.NEGATIVE_INFINITY
    }
    for (const [id, user] of users) {
      if (policy === 'recompute') {
        const entries = ownOf(user).map((entry) => ({ ...entry, epoch }))
        users.set(id, { entries, state: fold(games, entries).state })
      }
      if (policy === 'grant') grant(id, user, now)
    }
    return {}
  }

  /** The rewards of the newest game, if it had always been in force. */
  function grant(id: string, user: User, now: number): void {
    const epoch = newestEpoch()
    const entries = ownOf(user).map((entry) => ({ ...entry, epoch }))
    const would = fold(games, entries).state
    const missing = [...would.completions].filter(([key, { length }]) => length > countOf(user.state, key))
    const achievements = missing.map(([key, { length }]) => [key, length])
    const points = [...would.points].map(([key, total]) => [
      key,
      Math.max(0, total - (user.state.points.get(key) ?? 0)),
    ])
    if (missing.length === 0 && points.every(([, added]) => added === 0)) return
    const act = {
      call: 'grant' as const,
      achievements: Object.fromEntries(achievements),
      points: Object.fromEntries(points),
    }
    enter(id, user, { at: Math.max(now, newestOf(user)), epoch, act })
  }

  function look(id: string, now: number): Look | null {
    const user = users.get(idOf(id))
    if (user === undefined) return null
    const game = games.at(-1) ?? first
    const state = { ...user.state, game }
    const at = Math.max(now, newestOf(user))
    const progress = allProgress(state, at)
    const achievements = [...conditionsOf(game)].map(([key, condition]) => {
      const towards = progress.get(key)
      const count = countOf(state, key)
      const repeats = condition.trigger === 'metric' && condition.repeat !== undefined
      const expiredAt = expiryOf(state, key)
      return [
        key,
        {
          at: state.completions.get(key)?.at(-1) ?? null,
          ...(expiredAt === null || expiredAt > at ? {} : { expiredAt }),
          ...(repeats ? { count } : {}),
          ...(towards === undefined ? {} : { progress: towards }),
        },
      ] as const
    })
    const points = Object.entries(game.points).map(([key, system]) => {
      const total = state.points.get(key) ?? 0
      return [key, { total, level: levelOf(system, total) }] as const
    })
    const streaks = [...streaksOf(game).keys()].map((key) => [key, streakOf(state, key, at)] as const)
    return {
      totals: totalsOf(state),
      achievements: Object.fromEntries(achievements),
      points: Object.fromEntries(points),
      streaks: Object.fromEntries(streaks),
    }
  }

  return {
    call,
    look,
    boards: () => {
      const game = games.at(-1) ?? first
      const states = new Map([...users].map(([id, { state }]) => [id, { ...state, game }]))
      return boardsOf(states, game.leaderboards, AMONG.map(idOf))
    },
    users: () => [...users.keys()].sort(),
    game: () => games.at(-1) ?? first,
  }
}

function isInFuture(user: User | undefined, { now, tz, signUpDate }: Extract<Call, { call: 'profile' }>): boolean {
  return signUpDate !== undefined && signUpDate > localDate(tz ?? user?.state.tz ?? 'UTC', now)
}

function isOf({ act }: Entry, { metric, idempotencyKey }: { metric: string; idempotencyKey: string }): boolean {
  return act.call === 'event' && act.metric === metric && act.idempotencyKey === idempotencyKey
}

function withoutStreaks({ progressed: _, streak: __, ...rest }: Answer): Answer {
  return rest
}

/** The key that must not be used twice in one log, or `null` if there is none. */
function keyOf({ act }: Entry): string | null {
  if (act.call === 'event') return `${act.metric} ${act.idempotencyKey}`
  return act.call === 'adjust' && act.idempotencyKey !== undefined ? `adjust ${act.idempotencyKey}` : null
}

/** The user's actions. A grant or a kept completion leaves only its instant, at which a membership may be reached. */
const ownOf = ({ entries }: User): Entry[] =>
  entries.map((entry) => {
    const isOwn = entry.act.call !== 'grant' && entry.act.call !== 'keep'
    return isOwn ? entry : { ...entry, act: { call: 'profile' } }
  })

/** The achievements whose progress is another one, and that can still be completed. */
function movedBetween(before: State, after: State, at: number): { [achievement: string]: Progress } {
  const known = allProgress(before, at)
  return Object.fromEntries(
    [...allProgress(after, at)].filter(
      ([key, progress]) => JSON.stringify(known.get(key)) !== JSON.stringify(progress),
    ),
  )
}

/** The completions of either user, each at its first time. */
function firstOf(left: ReadonlyMap<string, number[]>, right: ReadonlyMap<string, number[]>): Map<string, number[]> {
  const all = new Map(left)
  for (const [key, instants] of right) {
    const others = all.get(key) ?? []
    const [longer, shorter] = others.length > instants.length ? [others, instants] : [instants, others]
    all.set(
      key,
      longer.map((instant, index) => Math.min(instant, shorter[index] ?? instant)),
    )
  }
  return all
}

/** If an achievement repeats, an answer has its newest hundred completions. */
function newestHundred(completed: readonly string[]): string[] {
  const keyOf = (name: string): string => name.split(' ')[0] ?? name
  return completed.filter((name, index) => {
    return completed.slice(index + 1).filter((later) => keyOf(later) === keyOf(name)).length < 100
  })
}
