import type { Migration } from '../../sql/traits.ts'
import { REMOVE_USER_V7 } from './0011-typed-rows/remove-user-v7.ts'
import { SAVE_V12 } from './0011-typed-rows/save-v12.ts'
import { SAVE_V13 } from './0011-typed-rows/save-v13.ts'
import { TYPES } from './0011-typed-rows/types.ts'

/** Released: not to be changed. */
export const typedRows: Migration = {
  name: '0011-typed-rows',
  texts: [...TYPES, SAVE_V12, SAVE_V13, REMOVE_USER_V7],
}
