// The users' own choice, written from the text alone: a list of users with their entries, and a ranking is a sort.

export type Choice = 'shown' | 'anonymous' | 'hidden'

export type Action =
  | { readonly type: 'add'; readonly value: number }
  | { readonly type: 'live'; readonly city: string }
  | { readonly type: 'choose'; readonly choice: Choice | null }
  | { readonly type: 'turn'; readonly gamification: 'on' | 'off' }
  | { readonly type: 'suspend'; readonly suspended: boolean }
  | { readonly type: 'merge'; readonly into: string }
  | { readonly type: 'delete' }

export interface Call {
  readonly at: number
  readonly user: string
  readonly action: Action
}

export interface Board {
  /** Days of a run; null for one run without an end. */
  readonly days: number | null
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

interface Placed {
  readonly user: string
  readonly value: number
  readonly reached: number
  readonly city: string
  readonly isAnonymous: boolean
}

export interface Model {
  call(call: Call): void
  /** The user who now has this id, or null. */
  known(id: string): string | null
  isSuspended(id: string): boolean
  runs(key: string, now: number): readonly number[]
  rows(key: string, run: number, city: string | null): readonly Row[]
  participants(key: string, run: number, city: string | null): number
  /** Some users among themselves, without the anonymous ones whom the reader does not know. */
  among(key: string, run: number, ids: readonly string[], knows: (user: string) => boolean): readonly Row[]
  city(id: string): string
  place(key: string, run: number, id: string): { readonly rank: number | null; readonly isHidden: boolean }
}

const DAY = 86_400_000
const UNLIMITED = 1_000

export function createModel(game: Game): Model {
  const users = new Map<string, readonly Entry[]>()
  const aliases = new Map<string, string>()

  const resolve = (id: string): string => aliases.get(id) ?? id
  const entriesOf = (id: string): readonly Entry[] => users.get(resolve(id)) ?? []
  const boardOf = (key: string): Board => game.boards[key] as Board

  function last<Type extends Action['type']>(id: string, type: Type): Extract<Action, { type: Type }> | null {
    const found = entriesOf(id).findLast(({ action }) => action.type === type)
    return (found?.action as Extract<Action, { type: Type }> | undefined) ?? null
  }

  /** The end of the game hides like the choice does. Null is a user who chose nothing. */
  function choiceOf(id: string): { readonly choice: Choice; readonly isOwn: boolean } {
    const own = last(id, 'choose')?.choice ?? undefined
    if (last(id, 'turn')?.gamification === 'off') return { choice: 'hidden', isOwn: true }
    return { choice: own ?? game.usual, isOwn: own !== undefined }
  }

  function isHidden(key: string, id: string): boolean {
    const { choice, isOwn } = choiceOf(id)
    return choice === 'hidden' || (boardOf(key).consent === true && !isOwn)
  }

  function runOf(key: string, at: number): number {
    const { days } = boardOf(key)
    return days === null ? 0 : Math.floor((at - game.starts) / (days * DAY))
  }

  function placed(key: string, run: number): readonly Placed[] {
    const { ends = Number.POSITIVE_INFINITY } = boardOf(key)
    const all = [...users.keys()].flatMap((user): Placed[] => {
      const counted = entriesOf(user).flatMap(({ at, action }) =>
        action.type === 'add' && runOf(key, at) === run && at < ends ? [{ at, value: action.value }] : [],
      )
      const newest = counted.at(-1)
      if (newest === undefined || isHidden(key, user) || last(user, 'suspend')?.suspended === true) return []
      const value = counted.reduce((sum, one) => sum + one.value, 0)
      const isAnonymous = choiceOf(user).choice === 'anonymous'
      return [{ user, value, reached: newest.at, city: cityOf(user), isAnonymous }]
    })
    return all.sort((a, b) => b.value - a.value || a.reached - b.reached || (a.user < b.user ? -1 : 1))
  }

  const cityOf = (id: string): string => last(id, 'live')?.city ?? ''

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

  return {
    call: ({ at, user: id, action }) => {
      const user = resolve(id)
      if (action.type === 'merge') merge(user, resolve(action.into))
      else if (action.type === 'delete') remove(user)
      else users.set(user, [...entriesOf(user), { at, action }])
    },
    isSuspended: (id) => last(id, 'suspend')?.suspended === true,
    known: (id) => (users.has(resolve(id)) ? resolve(id) : null),
    runs: (key, now) => Array.from({ length: runOf(key, now) + 1 }, (_, run) => run),
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
      const rank = rows(key, run, cityOf(user)).find((row) => row.user === user)?.rank ?? null
      return { rank, isHidden: isHidden(key, user) }
    },
  }
}
