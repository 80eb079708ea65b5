// Games, logs and lives of users, for the naive walk of challenges.

export type Filters = Readonly<Record<string, string>>

export type Criterion =
  | { metric: string; value: number; eventAttributes?: Filters; within?: { days: number } }
  | { events: string; count: number; eventAttributes?: Filters }
  | { points: 'xp'; total: number }
  | { achievement: string }

export interface Quest {
  name: string
  of: Criterion[]
  atLeast?: number
  inOrder?: true
  reward?: { points?: { xp: number }; achievement?: string }
}

export interface Challenge extends Partial<Quest> {
  name: string
  every?: 'day' | 'week' | 'month'
  start?: string
  end?: string
  enrol?: 'manual'
  within?: { days: number }
  claim?: { within: { days: number } }
  pool?: Readonly<Record<string, Quest>>
  pick?: number
  same?: 'everyone'
  rerolls?: number
}

export interface Game {
  /** Achievements by the total of a metric, or by an answer of a challenge alone. */
  achievements: Readonly<Record<string, { metric: string; value: number } | null>>
  challenges: Readonly<Record<string, Challenge>>
}

export type Act =
  | { type: 'event'; key: string; metric: string; value: number; attributes: Filters; occurredAt?: number }
  | { type: 'void'; key: string }
  | { type: 'move'; tz: string }
  | { type: 'enrol' | 'abandon'; challenge: string }
  | { type: 'claim'; challenge: string; quest: string }
  | { type: 'reroll'; challenge: string; quest: string; key: string }
  | { type: 'suspend' | 'restore' }
  | { type: 'merge'; into: string }
  | { type: 'deploy'; game: Game }

export interface Call {
  readonly at: number
  readonly user: string
  readonly act: Act
}

/** Entries of a log that are no acts of the user. */
export type Kept =
  | { type: 'keepQuest'; challenge: string; start: string; end: string | null; quest: string }
  | { type: 'keepAchievement'; key: string }

/** A game, and the instant from which it is in force. Its place in a list is its epoch. */
export interface Deployed {
  readonly game: Game
  readonly since: number
}

export interface Entry {
  readonly at: number
  readonly arrival: number
  readonly epoch: number
  readonly act: Act | Kept
  /** For a claim: the first date of the window whose reward it took. */
  readonly took?: string
  isVoid?: true
}

export interface QuestLife {
  isCounted: boolean
  isTouched: boolean
  counts: number[]
  /** By criterion: the values by date. */
  sums: { date: string; value: number }[][]
  met: boolean[]
  doneAt: number | null
  claimUntil: string | null
  isClaimed: boolean
}

export interface Window {
  readonly start: string
  readonly end: string | null
  readonly rule: Challenge
  picked: string[]
  rerolls: number
  readonly quests: Map<string, QuestLife>
}

export interface Life {
  games: readonly Deployed[]
  user: string
  tz: string
  epoch: number
  totals: Map<string, number>
  xp: number
  achieved: Map<string, number>
  enrolled: Map<string, number | null>
  windows: Map<string, Window[]>
}

export interface QuestLook {
  key: string
  isDone: boolean
  isClaimed: boolean
  claimUntil: string | null
  /** The criteria of an open quest, and how far each is. */
  criteria: { isMet: boolean; current: number | null }[] | null
}

export interface ChallengeLook {
  window: { start: string | null; end: string | null } | null
  endsAt: number | null
  isEnrolled: boolean
  rerollsLeft: number
  quests: QuestLook[]
  waiting: string[]
}

export interface Look {
  xp: number
  achieved: string[]
  challenges: Record<string, ChallengeLook>
}
