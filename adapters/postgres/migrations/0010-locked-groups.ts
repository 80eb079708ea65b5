import type { Migration } from '../../sql/traits.ts'
import { REMOVE_USER_V6 } from './0010-locked-groups/remove-user-v6.ts'

/** Released: not to be changed. */
export const lockedGroups: Migration = {
  name: '0010-locked-groups',
  texts: [REMOVE_USER_V6],
}
