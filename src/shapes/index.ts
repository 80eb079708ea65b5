// Types of answers and messages. Every type here is public.

export type * from './achievements.ts'
export type * from './configuration.ts'
export type * from './events.ts'
export type { GameKeys } from './formats.ts'
export type * from './keys.ts'
export type * from './leaderboards.ts'
export type * from './messages.ts'
export type * from './operate.ts'
export type * from './points.ts'
export type * from './streaks.ts'
export type * from './users.ts'
export type * from './year.ts'
