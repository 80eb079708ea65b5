import type { Instant } from '../../src/rules/calendar.ts'
import type { Entry } from '../../src/rules/entry.ts'
import type { Award, LeaderboardRow, Snapshot, StreakPeriod, UserKey } from '../../src/storage/rows.ts'
import {
  addedBy,
  CHUNK,
  CHUNK_BYTES,
  LOOKED_AT,
  type LongestStreaksOptions,
  type ReadLogOptions,
  type ReadUserOptions,
  type Storage,
  type TenantCursor,
  type UserView,
} from '../../src/storage/storage.ts'
import { lowerCase } from '../sql/user-lists.ts'
import { removeOf } from './outbox.ts'
import { entryIdOf, find, idOf, type Memory, type MemoryUser } from './write.ts'

/** Order of UTF-8 bytes, which is that of code points; `<` would compare UTF-16 units and put emoji before U+E000. */
export function compareText(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b))
}

export function compareUsers(a: UserKey, b: UserKey): number {
  return compareText(a.tenant, b.tenant) || compareText(a.user, b.user)
}

/** A tenant's users in order of user. */
export function usersOf({ users }: Memory, tenant: string): readonly MemoryUser[] {
  return [...users.values()]
    .filter(({ key }) => key.tenant === tenant)
    .sort((a, b) => compareText(a.key.user, b.key.user))
}

export function readUser(
  { games, users }: Memory,
  key: UserKey,
  { awards, periods, leaderboards, lookups = [] }: ReadUserOptions,
): UserView {
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
    .sort((a, b) => compareText(a.leaderboard, b.leaderboard) || compareText(a.run, b.run))
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

/** The lines up to the one that brings their texts to `CHUNK_BYTES`. */
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

function isAfter(place: TenantCursor, after: TenantCursor | undefined): boolean {
  if (after === undefined) return true
  return (compareText(place.user, after.user) || place.at - after.at || place.seq - after.seq) > 0
}

type Reads = Pick<
  Storage,
  | 'readUser'
  | 'readLog'
  | 'readSnapshot'
  | 'readEvents'
  | 'findEntries'
  | 'heldEvents'
  | 'eventsBy'
  | 'counters'
  | 'pointsTotals'
  | 'longestStreaks'
  | 'findOwners'
  | 'listBoosts'
  | 'listUsers'
  | 'findUsers'
  | 'tenants'
  | 'clearTenant'
>

export function reads(open: () => Memory): Reads {
  return {
    readUser: async (key, options = {}) => readUser(open(), key, options),
    readLog: async (key, options) => readLog(open(), key, options),
    readSnapshot: async (key, until) => readSnapshot(open(), key, until),
    readEvents: async (key, options = {}) => {
      const chunk = toChunk(linesAfter(open(), key, options), attributesOf)
      const events = chunk.flatMap((line) => {
        if (line.kind !== 'eventRecorded' || line.voidedBy !== undefined) return []
        const { metric, attributes, dating } = line
        return [{ metric, date: dating.date, value: addedBy(line), attributes }]
      })
      const last = chunk.at(-1)
      return { events, last: last === undefined ? null : { at: last.at, seq: last.seq } }
    },
    findEntries: async (tenant, ids) => {
      const { users, entries } = open()
      return [...new Set(ids)].flatMap((id) => {
        const key = entries.get(entryIdOf(tenant, id))
        const line = key === undefined ? undefined : users.get(idOf(key))?.log.find((entry) => entry.id === id)
        if (key === undefined || line === undefined) return []
        const metric = line.kind === 'eventRecorded' ? line.metric : null
        return [{ id, user: key.user, at: line.at, seq: line.seq, date: line.dating.date, metric }]
      })
    },
    heldEvents: async (tenant, { user, after, limit = CHUNK } = {}) =>
      usersOf(open(), tenant)
        .filter(({ key }) => user === undefined || key.user === user)
        .flatMap(({ key, log }) =>
          log.flatMap((line) =>
            line.kind === 'eventRecorded' && line.voidedBy === line.id ? [{ user: key.user, event: line }] : [],
          ),
        )
        .filter((held) => isAfter({ user: held.user, at: held.event.at, seq: held.event.seq }, after))
        .slice(0, limit),
    eventsBy: async (tenant, by, { after, limit = CHUNK } = {}) =>
      usersOf(open(), tenant)
        .flatMap(({ key: { user }, log }) =>
          log
            .filter((line) => line.by === by && line.kind === 'eventRecorded' && isNotVoid(line))
            .map(({ id, at, seq }) => ({ id, user, at, seq })),
        )
        .filter((event) => isAfter(event, after))
        .slice(0, limit),
    counters: async (tenant) =>
      [...(open().counters.get(tenant)?.values() ?? [])]
        .map((counter) => ({ ...counter }))
        .sort((a, b) => compareText(a.kind, b.kind) || compareText(a.key, b.key)),
    pointsTotals: async (tenant, system, { after = '', limit = CHUNK } = {}) =>
      usersOf(open(), tenant)
        .filter(({ key, state }) => state.mergedInto === null && compareText(key.user, after) > 0)
        .slice(0, limit)
        .map(({ key: { user }, state }) => ({
          user,
          total: state.points.get(system)?.total ?? 0,
          attributes: new Map(state.profile.attributes),
        })),
    longestStreaks: async (tenant, by, { after, limit = CHUNK } = {}) => {
      type Placed = NonNullable<LongestStreaksOptions['after']>
      const compare = (a: Placed, b: Placed): number => b.length - a.length || compareText(a.user, b.user)
      return usersOf(open(), tenant)
        .map(({ key: { user }, state }) => ({ user, length: state.streak[by], state }))
        .filter((holder) => holder.length > 0 && (after === undefined || compare(holder, after) > 0))
        .sort(compare)
        .slice(0, limit)
        .map(({ user, state: { totals, tallies, completions, points, ...state } }) => ({ user, state }))
    },
    findOwners: async (tenant, of, ids) =>
      usersOf(open(), tenant).flatMap(({ key: { user }, state }) =>
        state[of].filter(({ id }) => ids.includes(id)).map(({ id }) => ({ id, user })),
      ),
    listBoosts: async (tenant, { system, skip, limit }) =>
      usersOf(open(), tenant)
        .flatMap(({ key: { user }, state }) =>
          state.boosts.filter((boost) => boost.system === system).map(({ id }) => ({ id, user })),
        )
        .sort((a, b) => compareText(a.id, b.id))
        .slice(skip, skip + limit),
    listUsers: async ({ after, limit = CHUNK } = {}) =>
      [...open().users.values()]
        .map(({ key }) => ({ ...key }))
        .filter((key) => after === undefined || compareUsers(key, after) > 0)
        .sort(compareUsers)
        .slice(0, limit),
    findUsers: async (tenant, { search, after = '', limit = CHUNK } = {}) => {
      const following = usersOf(open(), tenant).filter(({ key }) => compareText(key.user, after) > 0)
      const looked = search === undefined ? following : following.slice(0, LOOKED_AT)
      const wanted = lowerCase(search ?? '')
      const found = looked.filter(({ key, state }) =>
        [key.user, state.profile.name ?? ''].some((text) => lowerCase(text).includes(wanted)),
      )
      const page = found.slice(0, limit)
      const end = found.length > limit ? page.at(-1) : looked.length < following.length ? looked.at(-1) : undefined
      const users = page.map(({ key: { user }, state: { totals, tallies, completions, points, ...state } }) => {
        return { user, state }
      })
      return { users, last: end?.key.user ?? null }
    },
    tenants: async ({ after, limit = CHUNK } = {}) => {
      const counts = new Map<string, number>()
      for (const { key, state } of open().users.values()) {
        if (state.mergedInto === null) counts.set(key.tenant, (counts.get(key.tenant) ?? 0) + 1)
      }
      return [...counts]
        .map(([tenant, users]) => ({ tenant, users }))
        .filter(({ tenant }) => after === undefined || compareText(tenant, after) > 0)
        .sort((a, b) => compareText(a.tenant, b.tenant))
        .slice(0, limit)
    },
    clearTenant: async (tenant) => {
      const { keys, outbox } = open()
      removeOf(outbox, { tenant })
      for (const { prefix, owner } of [...keys.values()]) if (owner?.tenant === tenant) keys.delete(prefix)
    },
  }
}
