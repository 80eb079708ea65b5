// The users' own choice, written from the text alone: a list of users with their entries, and a ranking is a sort.

export type Choice = 'shown' | 'anonymous' | 'hidden'

export type Action =
  /** `late`: how long before the call it happened. */
  | { readonly type: 'add'; readonly value: number; readonly late?: number }
  | { readonly type: 'live'; readonly city: string }
  | { readonly type: 'choose'; readonly choice: Choice | null }
  | { readonly type: 'turn'; readonly gamification: 'on' | 'off' }
  | { readonly type: 'suspend'; readonly suspended: boolean }
  | { readonly type: 'merge'; readonly into: string }
  /** `as`: the id under which the log stays. */
  | { readonly type: 'delete'; readonly keeps: boolean; readonly as?: string }

export interface Call {
  readonly at: number
  readonly user: string
  readonly action: Action
}

export interface Board {
  /** Days of a run; null for one run without an end. */
  readonly days: number | null
  /** Ranks by the length of the daily streak. Such a leaderboard has one run. */
  readonly byStreak?: true
  readonly consent?: true
  readonly byCity?: true
  readonly isShared?: true
  readonly maxParticipants?: number
  readonly smallestGroup?: number
  /** The first instant that no longer counts. */
  readonly ends?: number
}

export interface Game {
  readonly usual: Choice
  readonly starts: number
  readonly boards: Readonly<Record<string, Board>>
}

/** A row as everybody knows it. `who` is null for an anonymous user. */
export interface Row {
  readonly rank: number
  readonly user: string
  readonly who: string | null
  readonly value: number
}

interface Entry {
  readonly at: number
  readonly action: Action
}

interface Score {
  readonly value: number
  readonly reached: number
}

interface Placed extends Score {
  readonly user: string
  readonly city: string
  readonly isAnonymous: boolean
}

export interface Model {
  /** Time passes. */
  goTo(now: number): void
  call(call: Call): void
  /** The user who now has this id, or null. */
  known(id: string): string | null
  isSuspended(id: string): boolean
  isTurnedOff(id: string): boolean
  /** The choice that applies to the user on a leaderboard, or on all if `key` is null. */
  visibility(key: string | null, id: string): Choice
  runs(key: string): readonly number[]
  rows(key: string, run: number, city: string | null): readonly Row[]
  participants(key: string, run: number, city: string | null): number
  /** Some users among themselves, without the anonymous ones whom the reader does not know. */
  among(key: string, run: number, ids: readonly string[], knows: (user: string) => boolean): readonly Row[]
  /** The city with which the user is in a run. */
  city(key: string, run: number, id: string): string
  place(key: string, run: number, id: string): Place
  /** The length of the user's streak, or null if there is none alive. */
  ownStreak(id: string): number | null
  /** The longest streaks that are alive, whatever the leaderboards are. The rank is the place in the list. */
  streaks(): readonly Row[]
}

export interface Place {
  readonly rank: number | null
  readonly value: number | null
  readonly isHidden: boolean
}

const DAY = 86_400_000
const UNLIMITED = 1_000

export function createModel(game: Game): Model {
  const users = new Map<string, readonly Entry[]>()
  const aliases = new Map<string, string>()
  let now = game.starts

  const resolve = (id: string): string => aliases.get(id) ?? id
  const entriesOf = (id: string): readonly Entry[] => users.get(resolve(id)) ?? []
  const boardOf = (key: string): Board => game.boards[key] as Board

  function last<Type extends Action['type']>(id: string, type: Type): Extract<Action, { type: Type }> | null {
    const found = entriesOf(id).findLast(({ action }) => action.type === type)
    return (found?.action as Extract<Action, { type: Type }> | undefined) ?? null
  }

  /** Null for a user who chose nothing. */
  const ownChoice = (id: string): Choice | null => last(id, 'choose')?.choice ?? null
  const isTurnedOff = (id: string): boolean => last(id, 'turn')?.gamification === 'off'
  const isSuspended = (id: string): boolean => last(id, 'suspend')?.suspended === true

  /** The end of the game hides like the choice does. */
  function visibility(key: string | null, id: string): Choice {
    const own = ownChoice(id)
    if (isTurnedOff(id)) return 'hidden'
    if (own === null && key !== null && boardOf(key).consent === true) return 'hidden'
    return own ?? game.usual
  }

  function runOf(key: string, at: number): number {
    const { days } = boardOf(key)
    return days === null ? 0 : Math.floor((at - game.starts) / (days * DAY))
  }

  function sumOf(key: string, run: number, user: string): Score | null {
    const { ends = Number.POSITIVE_INFINITY } = boardOf(key)
    const counted = entriesOf(user).flatMap(({ at, action }) =>
      action.type === 'add' && at >= game.starts && runOf(key, at) === run && at < ends
        ? [{ at, value: action.value }]
        : [],
    )
    const newest = counted.at(-1)
    if (newest === undefined) return null
    return { value: counted.reduce((sum, one) => sum + one.value, 0), reached: newest.at }
  }

  /** The dates in a row up to the last one with an event, which is that of this day or of the day before. */
  function streakOf(user: string, ends = Number.POSITIVE_INFINITY): Score | null {
    const counted = entriesOf(user).filter(({ at, action }) => action.type === 'add' && at < ends)
    const newest = counted.at(-1)
    if (newest === undefined) return null
    const dayOf = (at: number): number => Math.floor(at / DAY)
    const day = dayOf(newest.at)
    if (Math.min(now, ends) >= (day + 2) * DAY) return null
    const days = new Set(counted.map(({ at }) => dayOf(at)))
    let value = 1
    while (days.has(day - value)) value += 1
    return { value, reached: counted.find(({ at }) => dayOf(at) === day)?.at ?? 0 }
  }

  /** The last city that an entry of the run, or of an earlier one, set. */
  function cityOf(key: string, run: number, id: string): string {
    const own = entriesOf(id).findLast(({ at, action }) => action.type === 'live' && runOf(key, at) <= run)
    return own?.action.type === 'live' ? own.action.city : ''
  }

  function placed(key: string, run: number): readonly Placed[] {
    const all = [...users.keys()].flatMap((user): Placed[] => {
      const score = boardOf(key).byStreak === true ? streakOf(user, boardOf(key).ends) : sumOf(key, run, user)
      const choice = visibility(key, user)
      if (score === null || choice === 'hidden' || isSuspended(user)) return []
      return [{ user, ...score, city: cityOf(key, run, user), isAnonymous: choice === 'anonymous' }]
    })
    return all.sort((a, b) => b.value - a.value || a.reached - b.reached || (a.user < b.user ? -1 : 1))
  }

  function inGroup(key: string, run: number, city: string | null): readonly Placed[] {
    return placed(key, run).filter((one) => boardOf(key).byCity !== true || one.city === city)
  }

  function ranked(key: string, places: readonly Placed[]): readonly Row[] {
    return places.map(({ user, value, isAnonymous }, index) => {
      const first = boardOf(key).isShared === true ? places.findIndex((other) => other.value === value) : index
      return { rank: first + 1, user, who: isAnonymous ? null : user, value }
    })
  }

  function rows(key: string, run: number, city: string | null): readonly Row[] {
    return ranked(key, inGroup(key, run, city)).slice(0, boardOf(key).maxParticipants ?? UNLIMITED)
  }

  function streaks(): readonly Row[] {
    const all = [...users.keys()].flatMap((user) => {
      const choice = visibility(null, user)
      const value = streakOf(user)?.value
      if (value === undefined || choice === 'hidden' || isSuspended(user)) return []
      return [{ user, value, who: choice === 'anonymous' ? null : user }]
    })
    const sorted = all.sort((a, b) => b.value - a.value || (a.user < b.user ? -1 : 1))
    return sorted.map((one, index) => ({ rank: index + 1, ...one }))
  }

  function merge(from: string, into: string): void {
    // The sort is stable: at one instant `into` comes first.
    const both = [...entriesOf(into), ...entriesOf(from)].sort((a, b) => a.at - b.at)
    users.delete(from)
    users.set(into, both)
    for (const [alias, user] of aliases) if (user === from) aliases.set(alias, into)
    aliases.set(from, into)
  }

  function remove(id: string): void {
    users.delete(id)
    for (const [alias, user] of aliases) if (user === id) aliases.delete(alias)
  }

  function add(user: string, entry: Entry): void {
    const known = entriesOf(user)
    const later = known.findIndex(({ at }) => at > entry.at)
    users.set(user, later < 0 ? [...known, entry] : known.toSpliced(later, 0, entry))
  }

  return {
    goTo: (at) => {
      now = at
    },
    call: ({ at, user: id, action }) => {
      const user = resolve(id)
      if (action.type === 'merge') return merge(user, resolve(action.into))
      if (action.type !== 'delete')
        return add(user, { at: action.type === 'add' ? at - (action.late ?? 0) : at, action })
      // No attribute stays.
      const stays = entriesOf(user).filter((entry) => entry.action.type !== 'live')
      remove(user)
      if (action.as !== undefined) users.set(action.as, stays)
    },
    isSuspended,
    isTurnedOff,
    visibility,
    known: (id) => (users.has(resolve(id)) ? resolve(id) : null),
    runs: (key) => Array.from({ length: runOf(key, now) + 1 }, (_, run) => run),
    rows,
    participants: (key, run, city) => inGroup(key, run, city).length,
    among: (key, run, ids, knows) => {
      const wanted = ids.map(resolve)
      const isKnown = ({ user, isAnonymous }: Placed): boolean => !isAnonymous || knows(user)
      return ranked(
        key,
        placed(key, run).filter((one) => wanted.includes(one.user) && isKnown(one)),
      )
    },
    city: cityOf,
    place: (key, run, id) => {
      const user = resolve(id)
      const own = rows(key, run, cityOf(key, run, user)).find((row) => row.user === user)
      const value = placed(key, run).find((one) => one.user === user)?.value ?? null
      return { rank: own?.rank ?? null, value, isHidden: visibility(key, user) === 'hidden' }
    },
    ownStreak: (id) => streakOf(resolve(id))?.value ?? null,
    streaks,
  }
}
