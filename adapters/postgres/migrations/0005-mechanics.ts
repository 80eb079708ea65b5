import type { Migration } from '../../sql/traits.ts'
import { LOAD_V2 } from './0005-mechanics/load-v2.ts'
import { NAMED_PERIODS_V1 } from './0005-mechanics/named-periods-v1.ts'
import { REMOVE_USER_V2 } from './0005-mechanics/remove-user-v2.ts'
import { SAVE_V6 } from './0005-mechanics/save-v6.ts'

/** Released: not to be changed. */
export const mechanics: Migration = {
  name: '0005-mechanics',
  texts: [
    `alter table "laurels".users
  add column boosts text collate "C",
  add column caps text collate "C",
  add column cooldowns text collate "C",
  add column timers text collate "C",
  add column streaks text collate "C",
  add column activity text collate "C"`,
    'alter table "laurels".completions add column count bigint not null default 1',
    'alter table "laurels".awards add column boosts text collate "C"',
    // A table of its own: processes of the version before write the other one by a key without the streak.
    `create table "laurels".named_streak_periods (
  tenant_id text collate "C" not null,
  user_id text collate "C" not null,
  streak text collate "C" not null,
  start_date text collate "C" not null,
  length bigint not null,
  kind text collate "C" not null,
  constraint laurels_named_streak_periods_key primary key (tenant_id, user_id, streak, start_date)
)`,
    `create table "laurels".given_boosts (
  tenant_id text collate "C" not null,
  user_id text collate "C" not null,
  boost_id text collate "C" not null,
  system text collate "C" not null,
  constraint laurels_given_boosts_key primary key (tenant_id, user_id, boost_id)
)`,
    'create index laurels_given_boosts_by_id on "laurels".given_boosts (boost_id, tenant_id)',
    'create index laurels_given_boosts_of_system on "laurels".given_boosts (tenant_id, system, boost_id)',
    LOAD_V2,
    NAMED_PERIODS_V1,
    SAVE_V6,
    REMOVE_USER_V2,
  ],
}
