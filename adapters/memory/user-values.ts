import type { AwardValues, AwardValuesOptions, EventValues, EventValuesOptions, UserValue } from '../../src/storage.ts'
import { CHUNK, compareText } from './read.ts'
import type { Memory, MemoryUser } from './write.ts'

export function eventValues(memory: Memory, tenant: string, { after, limit = CHUNK }: EventValuesOptions): EventValues {
  const lines = firstOf(limit, usersFrom(memory, tenant, after?.user), ({ key: { user }, log }) =>
    log
      .filter(({ at, seq }) => after?.user !== user || at > after.at || (at === after.at && seq > after.seq))
      .map((line) => ({ user, line })),
  )
  const values = lines.flatMap(({ user, line }): readonly UserValue[] =>
    line.kind === 'eventRecorded' && line.voidedBy === undefined
      ? [{ user, key: line.metric, date: line.dating.date, value: line.value }]
      : [],
  )
  const last = lines.at(-1)
  return { values, last: last === undefined ? null : { user: last.user, at: last.line.at, seq: last.line.seq } }
}

export function awardValues(memory: Memory, tenant: string, { after, limit = CHUNK }: AwardValuesOptions): AwardValues {
  const awards = firstOf(limit, usersFrom(memory, tenant, after?.user), ({ key: { user }, log, awards }) => {
    const dates = new Map(log.map(({ seq, dating }) => [seq, dating.date]))
    return [...awards.values()]
      .filter((award) => after?.user !== user || compareAwards(award, after) > 0)
      .sort(compareAwards)
      .map((award) => ({ user, award, date: dates.get(award.seq) }))
  })
  const values = awards.flatMap(({ user, award, date }): readonly UserValue[] =>
    date === undefined ? [] : [{ user, key: award.system, date, value: award.awarded }],
  )
  const last = awards.at(-1)
  if (last === undefined) return { values, last: null }
  const { system, at, seq, ordinal } = last.award
  return { values, last: { user: last.user, system, at, seq, ordinal } }
}

type Place = Omit<Required<AwardValuesOptions>['after'], 'user'>

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
