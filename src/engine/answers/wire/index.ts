// What calls answer, and the messages: every type here is public.

export type * from './achievement.ts'
export type * from './configuration.ts'
export type { GameKeys } from './formats.ts'
export type * from './keys.ts'
export type * from './leaderboard.ts'
export type * from './messages.ts'
export type * from './metric.ts'
export type * from './points.ts'
export type * from './status.ts'
export type * from './streak.ts'
export type * from './users.ts'
export type * from './wrapped.ts'
