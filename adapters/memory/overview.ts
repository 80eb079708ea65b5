import type { CompletionLine, CompletionsOptions, StorageOverview, StoredActivity } from '../../src/storage-overview.ts'
import { toKeyText } from '../sql/leaderboard-rows.ts'
import { CHUNK, compareText } from './read.ts'
import type { Memory, MemoryUser } from './write.ts'

export function overviews(open: () => Memory): StorageOverview {
  return {
    name: 'memory',
    activity: async (tenant, from, before) => activity(ofTenant(open(), tenant), from, before),
    completions: async (tenant, achievement, options = {}) =>
      completions(ofTenant(open(), tenant), achievement, options),
    leaderboardRuns: async (tenant, leaderboard, { before, limit = CHUNK } = {}) => {
      const runs = new Set(rowsOf(ofTenant(open(), tenant), leaderboard).map(({ run }) => run))
      return [...runs]
        .filter((run) => before === undefined || compareText(run, before) < 0)
        .sort((a, b) => compareText(b, a))
        .slice(0, limit)
    },
    leaderboardGroups: async (tenant, leaderboard, run, { after, limit, at, most }) => {
      const rows = rowsOf(ofTenant(open(), tenant), leaderboard).filter((row) => row.run === run)
      return [...new Set(rows.map(({ group }) => group))]
        .map((group) => ({ place: toKeyText(group), group }))
        .filter(({ place }) => after === undefined || compareText(place, after) > 0)
        .sort((a, b) => compareText(a.place, b.place))
        .slice(0, limit)
        .map(({ place, group }) => {
          const users = rows.filter((row) => row.group === group && (row.until === null || row.until > at)).length
          return { place, group, users: Math.min(users, most) }
        })
    },
    countEntries: async (tenant, leaderboard, run, { at, most }) => {
      const rows = rowsOf(ofTenant(open(), tenant), leaderboard)
      const counted = rows.filter((row) => row.run === run && (row.until === null || row.until > at))
      return Math.min(counted.length, most)
    },
    backlog: async (now, most) => {
      const { users, outbox } = open()
      const due = [...users.values()].flatMap(({ told }) => (told?.due != null && told.due <= now ? [told.due] : []))
      const messages = [...outbox.waiting.values()].filter((message) => message.due === null || message.due <= now)
      return {
        users: waiting(due, most),
        messages: waiting(
          messages.map(({ at }) => at),
          most,
        ),
      }
    },
  }
}

function waiting(instants: readonly number[], most: number) {
  return { count: Math.min(instants.length, most), oldest: instants.length === 0 ? null : Math.min(...instants) }
}

function ofTenant({ users }: Memory, tenant: string): readonly MemoryUser[] {
  return [...users.values()].filter(({ key }) => key.tenant === tenant)
}

function rowsOf(users: readonly MemoryUser[], leaderboard: string) {
  return users.flatMap(({ leaderboards }) =>
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

function completions(
  users: readonly MemoryUser[],
  achievement: string,
  { after, limit = CHUNK }: CompletionsOptions,
): readonly CompletionLine[] {
  return users
    .flatMap(({ key: { user }, state }) => {
      const completion = state.completions.get(achievement)
      return completion === undefined
        ? []
        : [{ user, at: completion.at, name: state.profile.name, count: completion.count }]
    })
    .sort((a, b) => b.at - a.at || compareText(b.user, a.user))
    .filter(
      ({ at, user }) => after === undefined || at < after.at || (at === after.at && compareText(user, after.user) < 0),
    )
    .slice(0, limit)
}
