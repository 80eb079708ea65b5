// Types of answers and messages. Every type here is public.

export type * from '../messages/types.ts'
export type * from './achievements/types.ts'
export type * from './configuration/types.ts'
export type * from './events/types.ts'
export type { GameKeys } from './formats.ts'
export type * from './keys/types.ts'
export type * from './leaderboards/types.ts'
export type * from './operate/types.ts'
export type * from './points/types.ts'
export type * from './streaks/types.ts'
export type * from './users/types.ts'
export type * from './year/types.ts'
