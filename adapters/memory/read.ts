import type { Instant } from '../../src/rules/calendar.ts'
import type { Entry } from '../../src/rules/entry.ts'
import { compareCodePoints } from '../../src/rules/position.ts'
import type { UserState } from '../../src/rules/state.ts'
import type { MethodsOf } from '../../src/sql/calls.ts'
import { lowerCase } from '../../src/sql/user-lists.ts'
import type { Award, LeaderboardRow, Snapshot, StreakPeriod, UserKey } from '../../src/storage/rows.ts'
import {
  addedBy,
  CHUNK,
  CHUNK_BYTES,
  LOOKED_AT,
  type ReadLogOptions,
  type ReadUserOptions,
  type Storage,
  type StoredUser,
  type StreakCursor,
  type TenantCursor,
} from '../../src/storage/storage.ts'
import { entryIdOf, find, idOf, type Memory, type MemoryUser, removeRest } from './write.ts'

/** At most `limit` items after a place, in order. */
export function pageOf<Place, Item extends Place>(
  items: readonly Item[],
  compare: (a: Place, b: Place) => number,
  { after, limit = CHUNK }: { readonly after?: Place | undefined; readonly limit?: number },
): readonly Item[] {
  return items
    .filter((item) => after === undefined || compare(item, after) > 0)
    .sort(compare)
    .slice(0, limit)
}

export function compareUsers(a: UserKey, b: UserKey): number {
  return compareCodePoints(a.tenant, b.tenant) || compareCodePoints(a.user, b.user)
}

export function listUsers({ users }: Memory, options: Parameters<Storage['listUsers']>[0] = {}): readonly UserKey[] {
  return pageOf(
    [...users.values()].map(({ key }) => ({ ...key })),
    compareUsers,
    options,
  )
}

export function usersOf({ users }: Memory, tenant: string): readonly MemoryUser[] {
  return [...users.values()]
    .filter(({ key }) => key.tenant === tenant)
    .sort((a, b) => compareCodePoints(a.key.user, b.key.user))
}

export function readStoredUser(
  { games, users }: Memory,
  key: UserKey,
  { awards, periods, leaderboards, lookups = [] }: ReadUserOptions,
): StoredUser {
  const user = users.get(idOf(key))
  return {
    state: user?.state ?? null,
    version: user?.version ?? 0,
    epoch: games.length,
    awards: awards && user ? readAwards(user, awards) : [],
    periods: periods && user ? readPeriods(user, periods) : [],
    leaderboards: leaderboards && user ? readLeaderboards(user, leaderboards) : [],
    found: lookups.map((lookup) => find(user, lookup)),
    notices: user?.notices ?? null,
  }
}

function readAwards(user: MemoryUser, { system, limit }: NonNullable<ReadUserOptions['awards']>): Award[] {
  return [...user.awards.values()]
    .filter((award) => system === undefined || award.system === system)
    .sort((a, b) => b.at - a.at || b.seq - a.seq || b.ordinal - a.ordinal)
    .slice(0, limit)
}

function readPeriods(
  user: MemoryUser,
  { limit, streak }: NonNullable<ReadUserOptions['periods']>,
): readonly StreakPeriod[] {
  return [...user.periods.values()]
    .filter((period) => streak === undefined || period.streak === (streak ?? undefined))
    .sort((a, b) => b.start - a.start)
    .slice(0, limit)
}

function readLeaderboards(
  user: MemoryUser,
  { leaderboard, run }: NonNullable<ReadUserOptions['leaderboards']>,
): LeaderboardRow[] {
  return [...user.leaderboards.values()]
    .filter((row) => leaderboard === undefined || row.leaderboard === leaderboard)
    .filter((row) => run === undefined || row.run === run)
    .sort((a, b) => compareCodePoints(a.leaderboard, b.leaderboard) || compareCodePoints(a.run, b.run))
}

/** The lines after a place, in the order of reading. */
function linesAfter(
  { users }: Memory,
  key: UserKey,
  { after, newestFirst = false, limit = CHUNK }: ReadLogOptions,
): readonly Entry[] {
  const log = users.get(idOf(key))?.log ?? []
  const sign = newestFirst ? -1 : 1
  const lines = newestFirst ? log.toReversed() : log
  const first =
    after === undefined ? 0 : lines.findIndex(({ at, seq }) => sign * (at - after.at || seq - after.seq) > 0)
  return first === -1 ? [] : lines.slice(first, first + limit)
}

/** The lines until their texts reach `CHUNK_BYTES`. */
function toChunk(lines: readonly Entry[], textsOf: (line: Entry) => readonly (object | null)[]): readonly Entry[] {
  let size = 0
  const last = lines.findIndex((line) => {
    for (const part of textsOf(line)) size += part === null ? 0 : toText(part).length
    return size >= CHUNK_BYTES
  })
  return lines.slice(0, last === -1 ? undefined : last + 1)
}

function toText(part: object): string {
  return JSON.stringify(part, (_, value: unknown) => (value instanceof Map ? Object.fromEntries(value) : value))
}

const attributesOf = (line: Entry): readonly object[] =>
  line.kind === 'eventRecorded' && line.attributes.size > 0 ? [line.attributes] : []

export function readLog(memory: Memory, key: UserKey, options: ReadLogOptions = {}): readonly Entry[] {
  return toChunk(linesAfter(memory, key, options), (line) => [line.profile, ...attributesOf(line)])
}

export function readSnapshot({ users }: Memory, key: UserKey, until: Instant): Snapshot | null {
  const snapshots = [...(users.get(idOf(key))?.snapshots.values() ?? [])].filter(({ at }) => at <= until)
  return snapshots.sort((a, b) => b.lines - a.lines)[0] ?? null
}

/** A held event is not voided: its `voidedBy` is its own id. */
function isNotVoid({ id, voidedBy }: { readonly id: string; readonly voidedBy?: string }): boolean {
  return voidedBy === undefined || voidedBy === id
}

function comparePlaces(a: TenantCursor, b: TenantCursor): number {
  return compareCodePoints(a.user, b.user) || a.at - b.at || a.seq - b.seq
}

function withoutProgress({ totals, tallies, completions, points, ...state }: UserState) {
  return state
}

type Reads = Pick<
  Storage,
  | ('readUser' | 'readLog' | 'readSnapshot' | 'readEvents' | 'findEntries' | 'heldEvents' | 'eventsBy' | 'counters')
  | ('pointsTotals' | 'longestStreaks' | 'findOwners' | 'listBoosts')
  | ('listUsers' | 'findUsers' | 'tenants' | 'clearTenant')
>

export const MEMORY_READS: MethodsOf<Memory, Reads> = {
  readUser: (memory, key, options = {}) => readStoredUser(memory, key, options),
  readLog,
  readSnapshot,
  readEvents: (memory, key, options = {}) => {
    const chunk = toChunk(linesAfter(memory, key, options), attributesOf)
    const events = chunk.flatMap((line) => {
      if (line.kind !== 'eventRecorded' || line.voidedBy !== undefined) return []
      const { metric, attributes, dating } = line
      return [{ metric, date: dating.date, value: addedBy(line), attributes }]
    })
    const last = chunk.at(-1)
    return { events, last: last === undefined ? null : { at: last.at, seq: last.seq } }
  },
  findEntries: ({ users, entries }, tenant, ids) =>
    [...new Set(ids)].flatMap((id) => {
      const key = entries.get(entryIdOf(tenant, id))
      const line = key === undefined ? undefined : users.get(idOf(key))?.log.find((entry) => entry.id === id)
      if (key === undefined || line === undefined) return []
      const metric = line.kind === 'eventRecorded' ? line.metric : null
      return [{ id, user: key.user, at: line.at, seq: line.seq, date: line.dating.date, metric }]
    }),
  heldEvents: (memory, tenant, { user, ...page } = {}) => {
    const held = usersOf(memory, tenant)
      .filter(({ key }) => user === undefined || key.user === user)
      .flatMap(({ key, log }) =>
        log.flatMap((event) => {
          const isHeld = event.kind === 'eventRecorded' && event.voidedBy === event.id
          return isHeld ? [{ user: key.user, at: event.at, seq: event.seq, event }] : []
        }),
      )
    return pageOf(held, comparePlaces, page).map(({ user: id, event }) => ({ user: id, event }))
  },
  eventsBy: (memory, tenant, by, page = {}) => {
    const events = usersOf(memory, tenant).flatMap(({ key: { user }, log }) =>
      log
        .filter((line) => line.by === by && line.kind === 'eventRecorded' && isNotVoid(line))
        .map(({ id, at, seq }) => ({ id, user, at, seq })),
    )
    return pageOf(events, comparePlaces, page)
  },
  counters: (memory, tenant) =>
    [...(memory.counters.get(tenant)?.values() ?? [])]
      .map((counter) => ({ ...counter }))
      .sort((a, b) => compareCodePoints(a.kind, b.kind) || compareCodePoints(a.key, b.key)),
  pointsTotals: (memory, tenant, system, { after = '', limit = CHUNK } = {}) =>
    usersOf(memory, tenant)
      .filter(({ key, state }) => state.mergedInto === null && compareCodePoints(key.user, after) > 0)
      .slice(0, limit)
      .map(({ key: { user }, state }) => ({
        user,
        total: state.points.get(system)?.total ?? 0,
        attributes: new Map(state.profile.attributes),
      })),
  longestStreaks: (memory, tenant, by, page = {}) => {
    const compare = (a: StreakCursor, b: StreakCursor): number =>
      b.length - a.length || compareCodePoints(a.user, b.user)
    const holders = usersOf(memory, tenant)
      .map(({ key: { user }, state }) => ({ user, length: state.streak[by], state }))
      .filter(({ length }) => length > 0)
    return pageOf(holders, compare, page).map(({ user, state }) => ({ user, state: withoutProgress(state) }))
  },
  findOwners: (memory, tenant, of, ids) =>
    usersOf(memory, tenant).flatMap(({ key: { user }, state }) =>
      state[of].filter(({ id }) => ids.includes(id)).map(({ id }) => ({ id, user })),
    ),
  listBoosts: (memory, tenant, { system, skip, limit }) =>
    usersOf(memory, tenant)
      .flatMap(({ key: { user }, state }) =>
        state.boosts.filter((boost) => boost.system === system).map(({ id }) => ({ id, user })),
      )
      .sort((a, b) => compareCodePoints(a.id, b.id))
      .slice(skip, skip + limit),
  listUsers,
  findUsers: (memory, tenant, { search, after = '', limit = CHUNK } = {}) => {
    const following = usersOf(memory, tenant).filter(({ key }) => compareCodePoints(key.user, after) > 0)
    const looked = search === undefined ? following : following.slice(0, LOOKED_AT)
    const wanted = lowerCase(search ?? '')
    const found = looked.filter(({ key, state }) =>
      [key.user, state.profile.name ?? ''].some((text) => lowerCase(text).includes(wanted)),
    )
    const page = found.slice(0, limit)
    const end = found.length > limit ? page.at(-1) : looked.length < following.length ? looked.at(-1) : undefined
    const users = page.map(({ key: { user }, state }) => ({ user, state: withoutProgress(state) }))
    return { users, last: end?.key.user ?? null }
  },
  tenants: (memory, { after, limit = CHUNK } = {}) => {
    const users = [...memory.users.values()].filter(({ state }) => state.mergedInto === null)
    const counts = Map.groupBy(users, ({ key }) => key.tenant)
    return pageOf([...counts.keys()], compareCodePoints, { after, limit }).map((tenant) => {
      return { tenant, users: counts.get(tenant)?.length ?? 0 }
    })
  },
  clearTenant: (memory, tenant) => removeRest(memory, { tenant }),
}
