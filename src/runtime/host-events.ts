import type { UserAchievement } from '../shapes/achievements.ts'
import type { GameKeys } from '../shapes/formats.ts'
import type { PointsChange, PointsLevel } from '../shapes/points.ts'
import type { Streak } from '../shapes/streaks.ts'
import type { User } from '../shapes/users.ts'

interface Occurrence {
  /** Absent in a game without tenants. */
  readonly tenant?: string
  readonly user: User
  /** ISO 8601. */
  readonly timestamp: string
}

interface AboutNamed {
  /** Key of a named streak; absent if it is the game's `streak`. */
  readonly streakKey?: string
}

/** The events that a host can listen to. Handlers run after the commit, once for each time it happened. */
export interface GamificationEvents<Keys extends GameKeys = GameKeys> {
  'user.created': Occurrence
  'achievement.completed': Occurrence & { readonly achievement: UserAchievement<Keys> }
  'points.changed': Occurrence & { readonly points: PointsChange<Keys> }
  'points.level_changed': Occurrence & {
    readonly points: PointsChange<Keys>
    /** `null` if the total was below every level. */
    readonly previousLevel: PointsLevel | null
    readonly newLevel: PointsLevel | null
  }
  'streak.started': Occurrence & AboutNamed & { readonly streak: Streak }
  'streak.extended': Occurrence & AboutNamed & { readonly streak: Streak }
  /** Called at the user's next call after the loss. `length` is the length before the loss. */
  'streak.lost': Occurrence & AboutNamed & { readonly length: number }
}

export type EventName = keyof GamificationEvents

export type Handler<Name extends EventName, Keys extends GameKeys = GameKeys> = (
  event: GamificationEvents<Keys>[Name],
) => void | Promise<void>

export interface Emitter {
  on<Name extends EventName>(name: Name, handler: Handler<Name>): () => void
  hasHandlers(): boolean
  emit<Name extends EventName>(name: Name, event: GamificationEvents[Name]): void
  /** Resolves when no handler runs, or after this many milliseconds. Returns the number of handlers that still run. */
  drained(mostMs: number): Promise<number>
}
