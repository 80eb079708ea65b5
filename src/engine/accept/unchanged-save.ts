import type { UserState } from '../../rules/state.ts'
import type { UserSave } from '../../storage.ts'

/** A save that changes nothing of a user. Messages and `told` may be added to it. */
export function unchangedSave(state: UserState): UserSave {
  const nothing = { remove: [], put: [] }
  return {
    before: state,
    after: state,
    appended: [],
    redated: [],
    awards: nothing,
    periods: nothing,
    leaderboards: nothing,
    unlimited: [],
    ranks: [],
    counted: [],
  }
}
