import type { ComponentType } from 'preact'
import { Achievement } from './pages/achievement.tsx'
import { Achievements } from './pages/achievements.tsx'
import { Game } from './pages/game.tsx'
import { Integrity } from './pages/integrity.tsx'
import { Keys } from './pages/keys.tsx'
import { Leaderboard } from './pages/leaderboard.tsx'
import { Leaderboards } from './pages/leaderboards.tsx'
import { Outbox } from './pages/outbox.tsx'
import { Today } from './pages/today.tsx'
import { User } from './pages/user.tsx'
import { Users } from './pages/users.tsx'
import { WhatIf } from './pages/what-if.tsx'
import type { PageOf } from './router.ts'

export interface PageRoute {
  readonly name: string
  readonly page: ComponentType<PageOf>
  /** The page of one of them. */
  readonly one?: ComponentType<PageOf>
}

/** By the first segment of the address; the order is that of the navigation. */
export const PAGES: { readonly [segment: string]: PageRoute } = {
  '': { name: 'Today', page: Today },
  users: { name: 'Users', page: Users, one: User },
  achievements: { name: 'Achievements', page: Achievements, one: Achievement },
  leaderboards: { name: 'Leaderboards', page: Leaderboards, one: Leaderboard },
  game: { name: 'Game', page: Game },
  'what-if': { name: 'What if', page: WhatIf },
  integrity: { name: 'Integrity', page: Integrity },
  keys: { name: 'Keys', page: Keys },
  outbox: { name: 'Outbox', page: Outbox },
}
