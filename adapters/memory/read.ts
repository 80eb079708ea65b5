import type { Instant } from '../../src/rules/calendar.ts'
import type { Entry } from '../../src/rules/entry.ts'
import type { Award, LeaderboardRow, Snapshot, StreakPeriod, UserKey } from '../../src/storage/rows.ts'
import {
  CHUNK,
  CHUNK_BYTES,
  type EventsByOptions,
  type FindUsersOptions,
  type FoundEntry,
  type FoundUsers,
  type HeldLine,
  type HeldLinesOptions,
  LOOKED_AT,
  type LoggedEvent,
  type LoggedEvents,
  type LongestStreaksOptions,
  type Owner,
  type PointsTotal,
  type PointsTotalsOptions,
  type ReadLogOptions,
  type ReadUserOptions,
  type StreakHolder,
  type StreakLength,
  type TenantCursor,
  type TenantsOptions,
  type TenantUsers,
  type UserView,
  type WrittenEvent,
} from '../../src/storage/storage.ts'
import { lowerCase } from '../sql/user-lists.ts'
import { removeOf } from './outbox.ts'
import { entryIdOf, find, idOf, type Memory, type MemoryUser } from './write.ts'

/** Order of UTF-8 bytes, which is that of code points; `<` would compare UTF-16 units and put emoji before U+E000. */
export function compareText(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b))
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

export function readLog(memory: Memory, key: UserKey, options: ReadLogOptions): Entry[] {
  return toChunk(linesAfter(memory, key, options))
}

export function readSnapshot({ users }: Memory, key: UserKey, until: Instant): Snapshot | null {
  const snapshots = [...(users.get(idOf(key))?.snapshots.values() ?? [])].filter(({ at }) => at <= until)
  return snapshots.sort((a, b) => b.lines - a.lines)[0] ?? null
}

function toChunk(lines: readonly Entry[]): Entry[] {
  let size = 0
  const last = lines.findIndex((line) => {
    size += sizeOf(line)
    return size >= CHUNK_BYTES
  })
  return lines.slice(0, last === -1 ? undefined : last + 1)
}

/** How many characters a database would keep for the profile and the attributes of a line. */
function sizeOf(line: Entry): number {
  const texts = line.kind === 'eventRecorded' ? [line.profile, line.attributes] : [line.profile]
  return texts.reduce((size, part) => size + (part === null ? 0 : toText(part).length), 0)
}

function toText(part: object): string {
  return JSON.stringify(part, (_, value: unknown) => (value instanceof Map ? Object.fromEntries(value) : value))
}

export function readEvents(memory: Memory, key: UserKey, options: ReadLogOptions): LoggedEvents {
  const lines = linesAfter(memory, key, options)
  let size = 0
  const end = lines.findIndex((line) => {
    size += line.kind === 'eventRecorded' && line.attributes.size > 0 ? toText(line.attributes).length : 0
    return size >= CHUNK_BYTES
  })
  const chunk = lines.slice(0, end === -1 ? undefined : end + 1)
  const events = chunk.flatMap((line): readonly LoggedEvent[] => {
    if (line.kind !== 'eventRecorded' || line.voidedBy !== undefined) return []
    const { metric, value, attributes, dating } = line
    return [{ metric, date: dating.date, value, attributes }]
  })
  const last = chunk.at(-1)
  return { events, last: last === undefined ? null : { at: last.at, seq: last.seq } }
}

export function findEntries({ users, entries }: Memory, tenant: string, ids: readonly string[]): readonly FoundEntry[] {
  return [...new Set(ids)].flatMap((id) => {
    const key = entries.get(entryIdOf(tenant, id))
    const line = key === undefined ? undefined : users.get(idOf(key))?.log.find((entry) => entry.id === id)
    if (key === undefined || line === undefined) return []
    const metric = line.kind === 'eventRecorded' ? line.metric : null
    return [{ id, user: key.user, at: line.at, seq: line.seq, date: line.dating.date, metric }]
  })
}

export function readPointsTotals(
  { users }: Memory,
  tenant: string,
  system: string,
  { after, limit = CHUNK }: PointsTotalsOptions,
): PointsTotal[] {
  return [...users.values()]
    .filter(({ key, state }) => key.tenant === tenant && state.mergedInto === null)
    .filter(({ key }) => after === undefined || compareText(key.user, after) > 0)
    .sort((a, b) => compareText(a.key.user, b.key.user))
    .slice(0, limit)
    .map(({ key, state }) => ({
      user: key.user,
      total: state.points.get(system)?.total ?? 0,
      attributes: new Map(state.profile.attributes),
    }))
}

export function longestStreaks(
  { users }: Memory,
  tenant: string,
  by: StreakLength,
  { after, limit = CHUNK }: LongestStreaksOptions,
): StreakHolder[] {
  const compare = (a: Placed, b: Placed): number => b.length - a.length || compareText(a.user, b.user)
  return [...users.values()]
    .filter(({ key, state }) => key.tenant === tenant && state.streak[by] > 0)
    .map(({ key, state }) => ({ user: key.user, length: state.streak[by], state }))
    .filter((holder) => after === undefined || compare(holder, after) > 0)
    .sort(compare)
    .slice(0, limit)
    .map(({ user, state: { totals, tallies, completions, points, ...state } }) => ({ user, state }))
}

type Placed = NonNullable<LongestStreaksOptions['after']>

export function findOwners(
  { users }: Memory,
  tenant: string,
  of: 'pauses' | 'boosts',
  ids: readonly string[],
): readonly Owner[] {
  return [...users.values()]
    .filter(({ key }) => key.tenant === tenant)
    .flatMap(({ key, state }) =>
      state[of].filter(({ id }) => ids.includes(id)).map(({ id }) => ({ id, user: key.user })),
    )
}

export function listBoosts(
  { users }: Memory,
  tenant: string,
  { system, skip, limit }: { readonly system: string; readonly skip: number; readonly limit: number },
): readonly Owner[] {
  return [...users.values()]
    .filter(({ key }) => key.tenant === tenant)
    .flatMap(({ key, state }) => state.boosts.map(({ id, system: of }) => ({ id, of, user: key.user })))
    .filter(({ of }) => of === system)
    .sort((a, b) => compareText(a.id, b.id))
    .slice(skip, skip + limit)
    .map(({ id, user }) => ({ id, user }))
}

export function eventsBy(
  { users }: Memory,
  tenant: string,
  by: string,
  { after, limit = CHUNK }: EventsByOptions,
): WrittenEvent[] {
  const isAfter = ({ user, at, seq }: WrittenEvent): boolean => {
    if (after === undefined) return true
    return (compareText(user, after.user) || at - after.at || seq - after.seq) > 0
  }
  return [...users.values()]
    .filter(({ key }) => key.tenant === tenant)
    .sort((a, b) => compareText(a.key.user, b.key.user))
    .flatMap(({ key, log }) =>
      log
        .filter(({ by: key, ...line }) => key === by && line.kind === 'eventRecorded' && isNotVoid(line))
        .map(({ id, at, seq }) => ({ id, user: key.user, at, seq })),
    )
    .filter(isAfter)
    .slice(0, limit)
}

/** A held event is not voided: its `voidedBy` is its own id. */
function isNotVoid({ id, voidedBy }: { readonly id: string; readonly voidedBy?: string }): boolean {
  return voidedBy === undefined || voidedBy === id
}

export function heldEvents(
  { users }: Memory,
  tenant: string,
  { user, after, limit = CHUNK }: HeldLinesOptions,
): readonly HeldLine[] {
  const isAsked = (key: UserKey): boolean => key.tenant === tenant && (user === undefined || key.user === user)
  return [...users.values()]
    .filter(({ key }) => isAsked(key))
    .sort((a, b) => compareText(a.key.user, b.key.user))
    .flatMap(({ key, log }) => log.flatMap((line) => toHeldLine(key, line)))
    .filter((held) => after === undefined || isAfter(held, after))
    .slice(0, limit)
}

function toHeldLine({ user }: UserKey, line: Entry): readonly HeldLine[] {
  return line.kind === 'eventRecorded' && line.voidedBy === line.id ? [{ user, event: line }] : []
}

function isAfter({ user, event }: HeldLine, after: TenantCursor): boolean {
  return (compareText(user, after.user) || event.at - after.at || event.seq - after.seq) > 0
}

export function findUsers(
  { users }: Memory,
  tenant: string,
  { search, after, limit = CHUNK }: FindUsersOptions,
): FoundUsers {
  const following = [...users.values()]
    .filter(({ key }) => key.tenant === tenant && (after === undefined || compareText(key.user, after) > 0))
    .sort((a, b) => compareText(a.key.user, b.key.user))
  const looked = search === undefined ? following : following.slice(0, LOOKED_AT)
  const wanted = lowerCase(search ?? '')
  const found = looked.filter(({ key, state }) =>
    [key.user, state.profile.name ?? ''].some((text) => lowerCase(text).includes(wanted)),
  )
  const page = found.slice(0, limit)
  const end = found.length > limit ? page.at(-1) : looked.length < following.length ? looked.at(-1) : undefined
  return {
    users: page.map(({ key, state: { totals, tallies, completions, points, ...state } }) => ({
      user: key.user,
      state,
    })),
    last: end?.key.user ?? null,
  }
}

export function listTenants({ users }: Memory, { after, limit = CHUNK }: TenantsOptions): TenantUsers[] {
  const counts = new Map<string, number>()
  for (const { key, state } of users.values()) {
    if (state.mergedInto === null) counts.set(key.tenant, (counts.get(key.tenant) ?? 0) + 1)
  }
  return [...counts]
    .map(([tenant, count]) => ({ tenant, users: count }))
    .filter(({ tenant }) => after === undefined || compareText(tenant, after) > 0)
    .sort((a, b) => compareText(a.tenant, b.tenant))
    .slice(0, limit)
}

export function clearTenant({ keys, outbox }: Memory, tenant: string): void {
  removeOf(outbox, { tenant })
  for (const { prefix, owner } of [...keys.values()]) if (owner?.tenant === tenant) keys.delete(prefix)
}
