import type { Migration } from '../../sql/traits.ts'
import { BEGIN_MOVES_V2 } from './0001-tables/begin-moves-v2.ts'
import { BUILD_BLOCKS_V2 } from './0001-tables/build-blocks-v2.ts'
import { COUNT_BEFORE_V2 } from './0001-tables/count-before-v2.ts'
import { COUNT_BLOCKS_V2 } from './0001-tables/count-blocks-v2.ts'
import { FENCE_V2 } from './0001-tables/fence-v2.ts'
import { LOAD_V1 } from './0001-tables/load-v1.ts'
import { PAGE_V2 } from './0001-tables/page-v2.ts'
import { PERIODS_V1 } from './0001-tables/periods-v1.ts'
import { REGISTER_V1 } from './0001-tables/register-v1.ts'
import { SAVE_V4 } from './0001-tables/save-v4.ts'
import { STANDINGS_V2 } from './0001-tables/standings-v2.ts'
import { TABLES } from './0001-tables/tables.ts'
import { TIDY_BLOCKS_V2 } from './0001-tables/tidy-blocks-v2.ts'

/** Released: not to be changed. */
export const tables: Migration = {
  name: '0001-tables',
  texts: [
    ...TABLES,
    LOAD_V1,
    COUNT_BEFORE_V2,
    STANDINGS_V2,
    PAGE_V2,
    COUNT_BLOCKS_V2,
    BUILD_BLOCKS_V2,
    BEGIN_MOVES_V2,
    TIDY_BLOCKS_V2,
    PERIODS_V1,
    REGISTER_V1,
    FENCE_V2,
    SAVE_V4,
  ],
}
