import type { Migration } from '../../sql/traits.ts'
import { BEGIN_MOVES_V3 } from './0009-rank-sets/begin-moves-v3.ts'
import { BUILD_BLOCKS_V3 } from './0009-rank-sets/build-blocks-v3.ts'
import { COUNT_BLOCKS_V3 } from './0009-rank-sets/count-blocks-v3.ts'
import { REMOVE_USER_V5 } from './0009-rank-sets/remove-user-v5.ts'
import { SAVE_V10 } from './0009-rank-sets/save-v10.ts'
import { SAVE_V11 } from './0009-rank-sets/save-v11.ts'
import { STANDINGS_V3 } from './0009-rank-sets/standings-v3.ts'
import { TIDY_BLOCKS_V3 } from './0009-rank-sets/tidy-blocks-v3.ts'

/** Released: not to be changed. */
export const rankSets: Migration = {
  name: '0009-rank-sets',
  texts: [
    `create type "laurels".leaderboard_move as (
  tenant_id text collate "C",
  leaderboard text collate "C",
  run text collate "C",
  group_key text collate "C",
  minus_value double precision,
  reached_at bigint,
  user_id text collate "C",
  delta bigint,
  unlimited boolean
)`,
    STANDINGS_V3,
    COUNT_BLOCKS_V3,
    BUILD_BLOCKS_V3,
    BEGIN_MOVES_V3,
    TIDY_BLOCKS_V3,
    SAVE_V10,
    SAVE_V11,
    REMOVE_USER_V5,
  ],
}
