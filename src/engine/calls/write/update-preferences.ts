import { GamificationError } from '../../../errors.ts'
import { toPreferencesBody } from '../../../requests/preferences.ts'
import { parseUserId } from '../../../requests/user.ts'
import type { PersonalStreak } from '../../../rules/entry.ts'
import { refusePersonalStreak } from '../../../rules/refuse.ts'
import { chain } from '../../accept/chain.ts'
import { toPreferences } from '../../answers/user.ts'
import type { UserPreferences } from '../../answers/wire/user.ts'
import { stateAfter, submit } from '../../record/submit.ts'
import type { Context, Door, Eventually } from '../../types.ts'

/** Changes the preferences that are named; the others stay. */
export function updatePreferences(
  context: Context,
  door: Door,
  tenant: string,
  id: unknown,
  request: unknown,
): Eventually<UserPreferences> {
  const user = parseUserId(id)
  const body = toPreferencesBody(request)
  const streak = body.kind === 'preferencesChanged' ? body.streak : null
  return chain(streak === null ? null : checkCustomization(door, streak), () =>
    chain(submit(context, door, { tenant, user, profile: null, body, createsUser: false }), (outcome) =>
      toPreferences(stateAfter(outcome).preferences),
    ),
  )
}

/** Throws where personal streaks are off, whether the user exists or not. */
function checkCustomization(door: Door, streak: PersonalStreak): Eventually<null> {
  return chain(door.current(), ({ game }) => {
    const refusal = refusePersonalStreak(game, streak)
    if (refusal?.code === 'streak_customization_disabled') throw new GamificationError(refusal.code, refusal.message)
    return null
  })
}
