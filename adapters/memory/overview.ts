import { compareCodePoints } from '../../src/rules/position.ts'
import type { MethodsOf } from '../../src/sql/calls.ts'
import { toKeyText } from '../../src/sql/leaderboards.ts'
import type {
  FirstDays,
  FirstDaysOptions,
  StorageOverview,
  StoredActivity,
  UserPlace,
} from '../../src/storage/overview.ts'
import type { LeaderboardRow } from '../../src/storage/rows.ts'
import { type AwardCursor, addedBy, CHUNK, type Storage } from '../../src/storage/storage.ts'
import { pageOf, usersOf } from './read.ts'
import type { Memory, MemoryUser } from './write.ts'

type Calls = Omit<StorageOverview, 'name'> & Pick<Storage, 'eventValues' | 'awardValues'>

export const MEMORY_OVERVIEW: MethodsOf<Memory, Calls> = {
  activity: (memory, tenant, from, before) => activity(usersOf(memory, tenant), from, before),
  firstDays: (memory, tenant, options) => firstDays(usersOf(memory, tenant), options),
  completions: (memory, tenant, achievement, page = {}) => {
    const lines = usersOf(memory, tenant).flatMap(({ key: { user }, state: { completions, profile } }) => {
      const { at, count } = completions.get(achievement) ?? { at: null, count: 0 }
      return at === null ? [] : [{ user, at, name: profile.name, count }]
    })
    return pageOf(lines, (a: UserPlace, b: UserPlace) => -comparePlaces(a, b), page)
  },
  leaderboardRuns: (memory, tenant, leaderboard, { before, limit = CHUNK } = {}) => {
    const runs = new Set(rowsOf(memory, tenant, leaderboard).map(({ run }) => run))
    return pageOf([...runs], (a: string, b: string) => compareCodePoints(b, a), { after: before, limit })
  },
  leaderboardGroups: (memory, tenant, leaderboard, run, { after, limit, at, most }) => {
    const rows = rowsOf(memory, tenant, leaderboard).filter((row) => row.run === run)
    return [...new Set(rows.map(({ group }) => group))]
      .map((group) => ({ place: toKeyText(group), group }))
      .filter(({ place }) => after === undefined || compareCodePoints(place, after) > 0)
      .sort((a, b) => compareCodePoints(a.place, b.place))
      .slice(0, limit)
      .map(({ place, group }) => {
        const users = rows.filter((row) => row.group === group && (row.until === null || row.until > at)).length
        return { place, group, users: Math.min(users, most) }
      })
  },
  countEntries: (memory, tenant, leaderboard, run, { at, most }) => {
    const rows = rowsOf(memory, tenant, leaderboard)
    const counted = rows.filter((row) => row.run === run && (row.until === null || row.until > at))
    return Math.min(counted.length, most)
  },
  backlog: ({ users, outbox }, now, most) => {
    const due = [...users.values()].flatMap(({ notices }) =>
      notices?.due != null && notices.due <= now ? [notices.due] : [],
    )
    const messages = [...outbox.waiting.values()].filter((message) => message.due === null || message.due <= now)
    const written = messages.map(({ at }) => at)
    return { users: waiting(due, most), messages: waiting(written, most) }
  },
  metricUsers: ({ users }, metrics) =>
    [...metrics].sort(compareCodePoints).flatMap((metric) => {
      const having = [...users.values()].filter(({ state }) => state.totals.has(metric)).length
      return having === 0 ? [] : [{ metric, users: having }]
    }),
  eventValues: (memory, tenant, { of, after, limit = CHUNK } = {}) => {
    const lines = firstOf(limit, usersFrom(memory, tenant, after?.user, of?.user), ({ key: { user }, log }) =>
      log
        .filter(({ at, seq }) => after?.user !== user || at > after.at || (at === after.at && seq > after.seq))
        .map((line) => ({ user, line })),
    )
    const values = lines.flatMap(({ user, line }) => {
      if (line.kind !== 'eventRecorded' || line.voidedBy !== undefined) return []
      const { at, seq, metric: key, dating } = line
      const value = addedBy(line)
      return of === undefined || of.metric === key ? [{ user, key, at, seq, date: dating.date, value }] : []
    })
    const last = lines.at(-1)
    return { values, last: last === undefined ? null : { user: last.user, at: last.line.at, seq: last.line.seq } }
  },
  awardValues: (memory, tenant, { of, after, limit = CHUNK } = {}) => {
    const users = usersFrom(memory, tenant, after?.user, of?.user)
    const awards = firstOf(limit, users, ({ key: { user }, log, awards: own }) => {
      const dates = new Map(log.map(({ seq, dating }) => [seq, dating.date]))
      return [...own.values()]
        .filter(({ system }) => of === undefined || of.system === system)
        .filter((award) => after?.user !== user || compareAwards(award, after) > 0)
        .sort(compareAwards)
        .map((award) => ({ user, award, date: dates.get(award.seq) }))
    })
    const values = awards.flatMap(({ user, award: { system: key, at, seq, awarded: value }, date }) =>
      date === undefined ? [] : [{ user, key, at, seq, date, value }],
    )
    const last = awards.at(-1)
    if (last === undefined) return { values, last: null }
    const { system, at, seq, ordinal } = last.award
    return { values, last: { user: last.user, system, at, seq, ordinal } }
  },
}

function waiting(instants: readonly number[], most: number) {
  return { count: Math.min(instants.length, most), oldest: instants.length === 0 ? null : Math.min(...instants) }
}

function rowsOf(memory: Memory, tenant: string, leaderboard: string): readonly LeaderboardRow[] {
  return usersOf(memory, tenant).flatMap(({ leaderboards }) =>
    [...leaderboards.values()].filter((row) => row.leaderboard === leaderboard),
  )
}

const DAY = 86_400_000

function activity(users: readonly MemoryUser[], from: number, before: number): StoredActivity {
  const isWithin = ({ at }: { readonly at: number }): boolean => at >= from && at < before
  const points = new Map<string, number>()
  let events = 0
  let active = 0
  let newUsers = 0
  let completed = 0
  for (const { log, awards, state } of users) {
    const own = log.filter((line) => isWithin(line) && line.kind === 'eventRecorded' && line.voidedBy === undefined)
    events += own.length
    if (own.length > 0) active += 1
    const [first] = log
    if (first !== undefined && first.kind !== 'userMerged' && isWithin({ at: first.dating.date * DAY })) newUsers += 1
    completed += [...state.completions.values()].filter(isWithin).length
    for (const award of awards.values()) {
      if (isWithin(award)) points.set(award.system, (points.get(award.system) ?? 0) + award.awarded)
    }
  }
  const sums = [...points].map(([system, sum]) => ({ system, sum }))
  return { events, users: active, newUsers, completions: completed, points: sums }
}

function firstDays(
  users: readonly MemoryUser[],
  { from, before, after, days, limit }: FirstDaysOptions,
): readonly FirstDays[] {
  const found = users
    .filter(({ state: { created, mergedInto } }) => mergedInto === null && created >= from && created < before)
    .map(({ key: { user }, state: { created: at }, log }) => {
      const created = log[0]?.dating.date ?? 0
      const events = log.filter((line) => line.kind === 'eventRecorded' && line.voidedBy === undefined)
      const dates = Map.groupBy(events, ({ dating }) => dating.date)
      const active = [...dates]
        .map(([date, own]) => ({ date, events: own.length }))
        .filter(({ date }) => date >= created && date <= created + days)
        .sort((a, b) => a.date - b.date)
      return { user, at, created, active }
    })
  return pageOf(found, comparePlaces, { after, limit })
}

/** The place of a user, or of a completion, by instant and then user. */
function comparePlaces(a: UserPlace, b: UserPlace): number {
  return a.at - b.at || compareCodePoints(a.user, b.user)
}

type Place = Omit<AwardCursor, 'user'>

function compareAwards(a: Place, b: Place): number {
  return compareCodePoints(a.system, b.system) || a.at - b.at || a.seq - b.seq || a.ordinal - b.ordinal
}

/** A tenant's users from `first` on, in order of user, or `only` one of them. */
function usersFrom(memory: Memory, tenant: string, first = '', only?: string): readonly MemoryUser[] {
  return usersOf(memory, tenant).filter(({ key: { user } }) => {
    return compareCodePoints(user, first) >= 0 && (only === undefined || user === only)
  })
}

function firstOf<T>(
  limit: number,
  users: readonly MemoryUser[],
  toRows: (user: MemoryUser) => readonly T[],
): readonly T[] {
  const rows: T[] = []
  for (const user of users) {
    rows.push(...toRows(user).slice(0, limit - rows.length))
    if (rows.length === limit) break
  }
  return rows
}
