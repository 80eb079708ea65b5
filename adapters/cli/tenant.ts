import type { DefinedGame } from '../../src/game/define-game.ts'
import type { Gamification } from '../../src/gamification.ts'
import type { GamificationApi } from '../../src/index.ts'
import { wrongCall } from './text.ts'

/** The value of `--tenant`; null where it was not given. */
export function readTenant(value: string | undefined): string | null {
  if (value === '') throw wrongCall('--tenant must not be empty')
  return value ?? null
}

/** Otherwise a call would mean nobody in particular where it means a tenant's users, or the other way round. */
export function checkTenant({ rules }: Pick<DefinedGame, 'rules'>, tenant: string | null): void {
  if (rules.multiTenant && tenant === null) throw wrongCall('the game has tenants: say which one with --tenant')
  if (!rules.multiTenant && tenant !== null)
    throw wrongCall('the game has no tenants (multiTenant): leave --tenant out')
}

export function ofTenant(gamification: Gamification<DefinedGame>, tenant: string | null): GamificationApi<DefinedGame> {
  return tenant === null ? gamification : gamification.tenant(tenant)
}
