import type {
  AwardSums,
  AwardSumsOptions,
  DateRange,
  EventSums,
  EventSumsOptions,
  LoggedValue,
  Sums,
} from '../../src/storage.ts'
import { CHUNK, compareText } from './read.ts'
import type { Memory, MemoryUser } from './write.ts'

export function eventSums(
  memory: Memory,
  tenant: string,
  ranges: readonly DateRange[],
  { after, limit = CHUNK }: EventSumsOptions,
): EventSums {
  const lines = firstOf(limit, usersFrom(memory, tenant, after?.user), ({ key: { user }, log }) =>
    log
      .filter(({ at, seq }) => after?.user !== user || at > after.at || (at === after.at && seq > after.seq))
      .map((line) => ({ user, line })),
  )
  const sums = new Map<string, Sums>()
  for (const { user, line } of lines) {
    if (line.kind !== 'eventRecorded' || line.voidedBy !== undefined) continue
    addTo(sums, ranges, { user, key: line.metric }, { date: line.dating.date, value: line.value })
  }
  const last = lines.length < limit ? undefined : lines.at(-1)
  return {
    sums: counted(sums),
    last: last === undefined ? null : { user: last.user, at: last.line.at, seq: last.line.seq },
  }
}

export function awardSums(
  memory: Memory,
  tenant: string,
  ranges: readonly DateRange[],
  { after, limit = CHUNK }: AwardSumsOptions,
): AwardSums {
  const awards = firstOf(limit, usersFrom(memory, tenant, after?.user), ({ key: { user }, log, awards }) => {
    const dates = new Map(log.map(({ seq, dating }) => [seq, dating.date]))
    return [...awards.values()]
      .filter((award) => after?.user !== user || compareAwards(award, after) > 0)
      .sort(compareAwards)
      .map((award) => ({ user, award, date: dates.get(award.seq) }))
  })
  const sums = new Map<string, Sums>()
  for (const { user, award, date } of awards) {
    if (date !== undefined) addTo(sums, ranges, { user, key: award.system }, { date, value: award.awarded })
  }
  const last = awards.length < limit ? undefined : awards.at(-1)
  if (last === undefined) return { sums: counted(sums), last: null }
  const { system, at, seq, ordinal } = last.award
  return { sums: counted(sums), last: { user: last.user, system, at, seq, ordinal } }
}

type Place = Omit<Required<AwardSumsOptions>['after'], 'user'>

function compareAwards(a: Place, b: Place): number {
  return compareText(a.system, b.system) || a.at - b.at || a.seq - b.seq || a.ordinal - b.ordinal
}

/** A tenant's users from `first` on, in order of user. */
function usersFrom({ users }: Memory, tenant: string, first = ''): readonly MemoryUser[] {
  return [...users.values()]
    .filter(({ key }) => key.tenant === tenant && compareText(key.user, first) >= 0)
    .sort((a, b) => compareText(a.key.user, b.key.user))
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

function addTo(
  sums: Map<string, Sums>,
  ranges: readonly DateRange[],
  { user, key }: Pick<Sums, 'user' | 'key'>,
  { date, value }: Pick<LoggedValue, 'date' | 'value'>,
): void {
  const name = JSON.stringify([user, key])
  const known = sums.get(name)?.ranges ?? ranges.map(() => ({ count: 0, sum: 0 }))
  const summed = known.map((range, index) => {
    const { from, to } = ranges[index] ?? { from: 0, to: -1 }
    return from <= date && date <= to ? { count: range.count + 1, sum: range.sum + value } : range
  })
  sums.set(name, { user, key, ranges: summed })
}

function counted(sums: ReadonlyMap<string, Sums>): readonly Sums[] {
  return [...sums.values()].filter(({ ranges }) => ranges.some(({ count }) => count > 0))
}
