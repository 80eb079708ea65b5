import { GamificationError } from '../errors.ts'
import { toPreferencesBody } from '../requests/preferences.ts'
import { parseUserId } from '../requests/user.ts'
import type { PersonalStreak } from '../rules/entry.ts'
import { refusePersonalStreak } from '../rules/refuse.ts'
import { toPreferences } from './answers/user.ts'
import type { Context } from './context.ts'
import { perform, stateAfter } from './perform.ts'
import { readUser } from './read-user.ts'
import type { UserPreferences } from './wire.ts'

/** Specification 4.8. */
export async function readPreferences(context: Context, tenant: string, id: unknown): Promise<UserPreferences> {
  const { state } = await readUser(context, tenant, parseUserId(id))
  return toPreferences(state.preferences)
}

/** Specification 4.9. */
export async function updatePreferences(
  context: Context,
  tenant: string,
  id: unknown,
  request: unknown,
): Promise<UserPreferences> {
  const user = parseUserId(id)
  const body = toPreferencesBody(request)
  await checkCustomization(context, body.kind === 'preferencesChanged' ? body.streak : null)
  const outcome = await perform(context, { tenant, user, profile: null, body, createsUser: false })
  return toPreferences(stateAfter(outcome).preferences)
}

/** That personal streaks are off is said whether the user exists or not. */
async function checkCustomization(context: Context, streak: PersonalStreak | null): Promise<void> {
  if (streak === null) return
  const { game } = await context.games.current()
  const refusal = refusePersonalStreak(game, streak)
  if (refusal?.code === 'streak_customization_disabled') throw new GamificationError(refusal.code, refusal.message)
}
