// The game and the calls that the model of the mechanics knows, as a host writes them.

export type Filters = { [attribute: string]: string }
export type Aggregation = 'sum' | 'max' | 'min' | 'last' | 'distinct'
export type Weekday = 'mon' | 'tue' | 'wed' | 'thu' | 'fri' | 'sat' | 'sun'

export interface Goal {
  metric: string
  value: number
  eventAttributes?: Filters
  within?: { days: number }
}

export type Criterion =
  | Goal
  | { events: string; count: number; eventAttributes?: Filters; within?: { days: number } }
  | { streak: string; length: number }
  | { level: string }
  | { points: string; total: number }
  | { achievement: string }
  | { membership: { days: number; since?: 'signUp' } }

/** The trigger of an achievement; each tier is an achievement of its own. */
export type Condition =
  | ({ trigger: 'metric'; repeat?: true | { max: number } } & Goal)
  | { trigger: 'streak'; length: number; streak?: string }
  | { trigger: 'achievement'; achievements: string[] }
  | { trigger: 'criteria'; atLeast?: number; of: Criterion[] }
  | { trigger: 'api' }

export type Achievement =
  | ({ name: string; until?: string; validFor?: { days: number } } & Condition)
  | { name: string; trigger: 'metric'; metric: string; tiers: { [tier: string]: { value: number } } }

export type Trigger = { key: string; points: number } & (
  | { type: 'metric'; metric: string; threshold: number; eventAttributes?: Filters }
  | { type: 'achievement'; achievement: string }
)

export interface System {
  name: string
  maxPoints?: number
  triggers: Trigger[]
  levels?: { [key: string]: { name: string; points: number } }
}

export interface Streak {
  frequency: 'daily' | 'weekly'
  on?: Weekday[]
  days?: number
  evaluationMode?: 'OR' | 'AND'
  metrics: { [metric: string]: { threshold?: number } }
  customization?: boolean
  freezes?: { initial: number; max: number }
}

export interface Board {
  name: string
  rankBy: 'metric'
  metric: string
  start: string
  run?: { unit: 'day'; interval: number }
  order?: 'highest' | 'lowest'
  ties?: 'shared'
  breakdown?: string[]
  maxParticipants: number | null
}

export interface Game {
  metrics: { [key: string]: { name: string; aggregation?: Aggregation; of?: string; unit?: string } }
  eventAttributes: string[]
  userAttributes: string[]
  achievements: { [key: string]: Achievement }
  points: { [key: string]: System }
  streak: Streak
  streaks?: { [key: string]: Omit<Streak, 'customization'> }
  leaderboards: { [key: string]: Board }
  weekStartsOn?: 'monday' | 'sunday'
}

export type Policy = 'forward' | 'grant' | 'recompute'

/** All instants are milliseconds since 1970 UTC. */
export type Call = { now: number } & (
  | {
      call: 'event'
      id: string
      metric: string
      value: number
      attributes?: Filters
      occurredAt?: number
      idempotencyKey: string
    }
  | { call: 'void'; id: string; metric: string; idempotencyKey: string }
  | { call: 'complete'; id: string; achievement: string }
  | { call: 'profile'; id: string; tz?: string; attributes?: Filters; signUpDate?: string }
  | { call: 'choose'; id: string; on: Weekday[] }
  | { call: 'adjust'; id: string; system: string; points: number; idempotencyKey?: string }
  | { call: 'grant' | 'revoke'; id: string; achievement: string }
  | { call: 'reset'; id: string; streak?: string }
  | { call: 'merge'; id: string; into: string }
  | { call: 'apply'; game: Game; policy: Policy }
)

/** The content of an answer; `total` and the members after it are only for events in order. */
export interface Answer {
  isRefused?: true
  isReplayed?: true
  total?: number
  achievements?: string[] // the second completion of one that repeats is `key 2`
  points?: { [system: string]: number } // the totals that changed
  streak?: number
  progressed?: { [achievement: string]: Progress }
}

export interface Progress {
  current: number | null
  target: number
  ratio: number
  criteria?: readonly (Omit<Progress, 'criteria'> & { satisfied: boolean })[]
}

/** Everything that reads say of one user. */
export interface Look {
  totals: { [metric: string]: number }
  achievements: { [key: string]: { at: number | null; expiredAt?: number; count?: number; progress?: Progress } }
  points: { [system: string]: { total: number; level: string | null } }
  streaks: { [key: string]: { length: number; expires: string | null; freezes?: number } }
}

export interface Place {
  user: string
  value: number
  rank: number
}

/** By board, then by run and group: `2026-03-02 red`. */
export type Boards = { [board: string]: { [group: string]: { participants: number; places: Place[] } } }
