import type { Migration } from '../../sql/traits.ts'

/** Released: not to be changed. */
export const mechanics: Migration = {
  name: '0005-mechanics',
  texts: [
    'alter table laurels_users add column boosts text',
    'alter table laurels_users add column caps text',
    'alter table laurels_users add column cooldowns text',
    'alter table laurels_users add column timers text',
    'alter table laurels_users add column streaks text',
    'alter table laurels_users add column activity text',
    'alter table laurels_completions add column count integer not null default 1',
    'alter table laurels_awards add column boosts text',
    // A table of its own: processes of the version before write the other one by a key without the streak.
    `create table laurels_named_streak_periods (
  tenant_id text not null,
  user_id text not null,
  streak text not null,
  start_date text not null,
  length integer not null,
  kind text not null,
  constraint laurels_named_streak_periods_key primary key (tenant_id, user_id, streak, start_date)
) strict, without rowid`,
    `create table laurels_given_boosts (
  tenant_id text not null,
  user_id text not null,
  boost_id text not null,
  system text not null,
  constraint laurels_given_boosts_key primary key (tenant_id, user_id, boost_id)
) strict, without rowid`,
    'create index laurels_given_boosts_by_id on laurels_given_boosts (boost_id, tenant_id)',
    'create index laurels_given_boosts_of_system on laurels_given_boosts (tenant_id, system, boost_id)',
  ],
}
