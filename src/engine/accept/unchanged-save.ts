import type { UserState } from '../../rules/state.ts'
import type { UserSave } from '../../storage.ts'

/** A save by which nothing of a user changes, to which may be added what is told. */
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
