// The types that the reference model and its users share: the game as a host writes it, and what the model offers.
import type { BoostDefinition, FullGame } from './full-game.ts'
import type { Fact } from './messages.ts'

export type Filters = { [attribute: string]: string } // every one must match exactly

export type AchievementDefinition = {
  name: string
  description?: string
  badgeUrl?: string
  status?: 'active' | 'inactive' | 'locked'
  userAttributes?: Filters
} & (
  | { trigger: 'metric'; metric: string; value: number; eventAttributes?: Filters }
  | { trigger: 'api' }
  | { trigger: 'streak'; length: number }
  | { trigger: 'achievement'; achievements: string[] } // composite: completed when all of these are
)

export type TriggerDefinition = {
  key?: string
  points: number
  status?: 'active' | 'inactive'
  userAttributes?: Filters
  blockIfOutOfPoints?: boolean
  created?: string
  updated?: string
} & (
  | { type: 'metric'; metric: string; threshold: number; eventAttributes?: Filters }
  | { type: 'achievement'; achievement: string }
  | { type: 'streak'; length: number }
  | { type: 'user_creation' }
)

export interface SystemDefinition {
  name: string
  description?: string
  badgeUrl?: string
  maxPoints?: number
  triggers?: TriggerDefinition[]
  levels?: { [key: string]: { name: string; description?: string; badgeUrl?: string; points: number } }
}

/** The most that the events of a user may add in a window of consecutive dates. */
export interface LimitDefinition {
  value: number
  per: { days: number }
  then: 'refuse' | 'hold'
}

export interface GameDefinition {
  metrics: { [key: string]: { name: string; status?: 'active' | 'archived'; limits?: LimitDefinition[] } }
  eventAttributes?: string[]
  userAttributes?: string[]
  achievements?: { [key: string]: AchievementDefinition }
  points?: { [key: string]: SystemDefinition }
  streak?: {
    frequency: 'daily' | 'weekly' | 'monthly'
    evaluationMode?: 'OR' | 'AND' | 'ALL'
    metrics: { [metric: string]: { threshold?: number } }
    customization?: boolean
  }
  weekStartsOn?: 'monday' | 'sunday'
  multiTenant?: boolean
}

// All instants are integers: milliseconds since 1970 UTC.
export interface Patch {
  email?: string | null
  name?: string | null
  tz?: string | null
  subscribedToEmails?: boolean
  deviceTokens?: string[] | null
  attributes?: { [key: string]: string }
}

export type Call =
  | {
      call: 'event'
      now: number
      id: string
      profile?: Patch
      metric: string
      value: number
      attributes?: { [key: string]: string }
      occurredAt?: number
      idempotencyKey?: string
    }
  | { call: 'complete'; now: number; id: string; profile?: Patch; achievement: string; idempotencyKey?: string }
  // PUT or POST (upsert), and PATCH; `own`: with the user's own key or session
  | { call: 'identify' | 'update'; now: number; id: string; own?: true; profile: Patch }
  | Decision<'approve'>
  | Decision<'void'>
  | { call: 'suspend'; now: number; id: string; reason?: string }
  | { call: 'restore'; now: number; id: string }
  | { call: 'merge'; now: number; id: string; into: string } // `id` is another name for `into` from then on
  | {
      call: 'preferences'
      now: number
      id: string
      own?: true
      notifications?: { [type: string]: string[] }
      // partial: what is not named stays
      streak?: {
        enabled?: boolean
        evaluationMode?: 'OR' | 'AND' | 'ALL'
        metrics?: { key: string; threshold?: number }[]
      }
    }

export type EventCall = Extract<Call, { call: 'event' }>

/** Changes to the game, or about boosts, or for several users at once. */
export type OperationCall =
  | { call: 'deploy'; now: number; definition: FullGame }
  | { call: 'import'; now: number; events: EventCall[] } // each recorded, or refused, on its own
  | { call: 'giveBoost'; now: number; id: string | null; boost: string; system: string; fields: BoostDefinition }
  | { call: 'changeBoost'; now: number; boost: string; fields: BoostPatch }
  | { call: 'deleteBoost'; now: number; boost: string }

/** Absent members stay; `null` removes the end or the filters. */
export interface BoostPatch {
  start?: string
  end?: string | null
  multiplier?: number
  rounding?: 'down' | 'up' | 'nearest'
  userAttributes?: Filters | null
}

/** About an event, named by its key. */
interface Decision<Name extends string> {
  call: Name
  now: number
  id: string
  metric: string
  idempotencyKey: string
}

export interface Streak {
  length: number
  started: string | null
  periodStart: string | null
  periodEnd: string | null
  expires: string | null
}

/** As a read tells it, in a game with freezes. */
export type StreakWithFreezes = Streak & { freezes?: number }

export interface PointsChange {
  total: number
  added: number
  // trigger: index in the system's triggers; boosts: the names of all that multiplied it, sorted, where any did
  awards: { trigger: number; awarded: number; total: number; boosts?: string[] }[]
  capped?: Capped[] // present only when a cap or a cooldown took something
  level?: string | null // present only when it changed
}

export interface Capped {
  trigger: number
  due: number // after boosts
  awarded: number
  resetsAt: number | null // the instant from which it can pay again; null: never
}

export type Outcome =
  | { ok: false; status: 400 | 403 | 404 | 422 }
  | {
      ok: true
      replayed: boolean
      held?: true // an event that a limit holds back
      late: boolean // late: occurredAt before the user's newest recorded instant
      // for 'event' and 'complete' that are neither replayed nor late, what the answer says:
      total?: number // event only
      // keys completed by this call, sorted by code point; the second completion of one that repeats is `key 2`
      achievements?: string[]
      points?: { [system: string]: PointsChange }
      streak?: Streak & { extended: boolean } // event only
      streaks?: { [key: string]: Streak & { extended: boolean } } // event only, in a game that has them
      suspended?: Suspension | null // suspend and restore only
      merged?: Merged // merge only
      imported?: { recorded: number; replayed: number; refused: number; held: number } // import only
    }

export interface Suspension {
  since: number
  reason: string | null
}

export interface Merged {
  from: string
  into: string
  merged: boolean // false: they were one user already
  entries: number
  repeated: number // events that do not count, because the other used their keys before
}

/** A user with entries, or another name of one. */
export interface Known {
  id: string
  suspended: Suspension | null
  mergedInto: string | null
}

export interface Place {
  user: string
  value: number
  rank: number
}

export interface Snapshot {
  profile: {
    email: string | null
    name: string | null
    tz: string | null
    subscribedToEmails: boolean
    deviceTokens: string[] | null
    attributes: { [key: string]: string }
    created: number
    updated: number
  }
  totals: { [metric: string]: number } // every metric of the game, 0 where nothing was counted
  marks: { [system: string]: (number | null)[] } // per trigger: the mark of a metric trigger, null for others
  achievements: { [key: string]: number } // completed ones: achievedAt, of the newest completion
  counts?: { [key: string]: number } // of those that repeat, in a game that has such
  boosts: { [system: string]: string[] } // the names of those that hold now, sorted
  points: {
    [system: string]: {
      total: number
      level: string | null
      // In the order they were given; what has come by time since the newest entry is in the total alone.
      awards: { trigger: number; awarded: number; total: number; date: number; boosts?: string[] }[]
    }
  }
  streak: StreakWithFreezes // as read at `now`
  streaks?: { [key: string]: StreakWithFreezes } // in a game that has them
  preferences: {
    notifications: { [type: string]: string[] }
    // each field once it was set; the mode too once metrics were
    streak: null | {
      enabled?: boolean
      evaluationMode?: 'OR' | 'AND'
      metrics?: { key: string; threshold: number }[]
    }
  }
}

/** The activity of all users together on a date in UTC; `newUsers` were created on that date. */
export interface Day {
  date: string
  events: number
  activeUsers: number
  newUsers: number
  completions: number
  points: { [system: string]: number }
}

/** One user's local year, as far as decisions say what is in it. */
export interface Year {
  completions: { [key: string]: { count: number; at: number } } // the newest in the year
  metrics: { [metric: string]: Change }
  points: { [system: string]: Change }
  events: { [date: string]: number } // how many there were on each
}

export interface Change {
  change: number
  before: number // in the year before
}

export interface Model {
  call(call: Call | OperationCall): Outcome
  work(now: number): void // publishes the emails that are due
  emails(id: string): Fact[] // that were published
  facts(now: number, id: string): Fact[] // of the log, and of time until now
  snapshot(now: number, id: string): Snapshot | null // null: unknown user
  held(id: string): { metric: string; value: number }[] // in the order in which they happened
  users(): Known[] // in order of id
  days(): Day[] // in order; only those with something
  year(id: string, year: number): Year
  board(metric: string): Place[] // of all events of a metric
  streakBoard(now: number, key: string | null): Place[] // by how long a streak is; null: the game's `streak`
  summary(
    id: string,
    metric: string,
    aggregation: 'daily' | 'weekly' | 'monthly',
    startDate: string,
    endDate: string,
  ): { date: string; total: number; change: number }[]
}
