import { toIdHex } from '../../adapters/sql/entry-rows.ts'
import type { DriftRow, DriftValue } from '../../src/storage/audit.ts'
import { LONG } from '../../src/testing/storage/audit-samples.ts'

/** One row of a table as `storeRich` has left it for `ann`, and what else might stand there. */
export interface Corruptible {
  readonly table: string
  /** The columns of its key but those that name the user. */
  readonly key: readonly string[]
  readonly row: DriftRow
  /** Another value for each column, those that name the user included. */
  readonly wrong: DriftRow
}

const HASH = 'sha256 404f519dc5100c58fe2e1a976d75e2c03cb6c58c5e063278efb41508a20ad999'
const OWNER = { tenant_id: '', user_id: 'ann' }
/** A user of whom there is nothing else. */
const OTHER = { tenant_id: 'nobody', user_id: 'ghost' }

export const FALSE_AND_TRUE = { sqlite: [0, 1], postgres: [false, true] } as const

/** A value as the table has it: ids of awards are bytes there. */
export function toStored(table: string, column: string, value: unknown): unknown {
  const isId = table === 'awards' && ['award_id', 'trigger_id', 'entry_id'].includes(column)
  return isId ? Buffer.from(toIdHex(String(value)), 'hex') : value
}

export function corruptibles([no, yes]: readonly [DriftValue, DriftValue]): readonly Corruptible[] {
  return [
    {
      table: 'users',
      key: [],
      row: {
        ...OWNER,
        seq: 1,
        at: 1_772_366_400_001,
        epoch: 1,
        created: 1_772_366_400_000,
        updated: 1_772_366_400_000,
        email: 'ann@example.com',
        name: 'Ann',
        tz: 'Europe/Madrid',
        subscribed_to_emails: no,
        device_tokens: '["b","a"]',
        attributes: '{"__proto__":"x","country":"es","plan":"pro"}',
        notifications: '{"streak_reminder":["push","email"]}',
        personal_streak: '{"evaluationMode":"OR","metrics":{"$":[["words",10]]}}',
        streak_length: 2,
        streak_last_period: 20_513,
        streak_started: '2026-02-28',
        streak_first_at: 1_772_366_400_000,
        streak_extended_at: 1_772_366_400_001,
        streak_longest: 7,
        streak_open_periods: '[{"period":20513,"sums":{"$":[["words",0.1]]}}]',
        streak_kept_period: 20_514,
        streak_lost:
          '{"extendedAt":1772366399993,"firstAt":null,"last":20500,"length":7,"missed":20501,"started":20494}',
        freezes: 2,
        freezes_next_earned: '2026-03-08',
        pauses: '[{"end":20516,"id":"pause-1","start":20514}]',
        leaderboards:
          '{"$":[["weekly",[{"group":"","reachedAt":1772366400000,"run":"2026-01-05 3f2a91c0","until":null,"value":7}]]]}',
        date_sums: '{"$":[["words",[{"date":20513,"sum":0.1}]]]}',
        suspended: null,
        merged_into: null,
        boosts:
          '[{"created":1773100000000,"end":null,"id":"boost-1","multiplier":2,"name":"Double","rounding":"down","start":20513,"system":"xp","userAttributes":[]}]',
        caps: '{"$":[["trigger-1",[{"period":20513,"sum":10}]]]}',
        cooldowns: '{"$":[["trigger-1",1772366400000]]}',
        timers: '{"$":[["trigger-2",{"anchor":1772366400000,"date":20513,"dueCount":3}]]}',
        activity:
          '{"completedIn":{"$":[["writer",{"at":1772366400000,"zone":"UTC"}]]},"dates":[{"date":20513,"zone":null}]}',
        streaks:
          '{"$":[["gym",{"freezes":{"count":1,"nextEarned":null},"streak":{"extendedAt":1772366400001,"firstAt":1772366400000,"kept":2930,"last":2930,"length":2,"longest":2,"lost":null,"open":[{"period":2930,"sums":{"$":[["words",0.1]]}}],"started":20506}}]]}',
      },
      wrong: {
        ...OTHER,
        seq: 2,
        at: 0,
        epoch: 7,
        created: -1,
        updated: 9_007_199_254_740_991,
        email: null,
        name: 'ann',
        tz: 'Nowhere/At all',
        subscribed_to_emails: yes,
        device_tokens: '["b", "a"]',
        attributes: '{',
        notifications: '',
        personal_streak: 'null',
        streak_length: -2,
        streak_last_period: null,
        streak_started: '2026-02-30',
        streak_first_at: null,
        streak_extended_at: 1_772_366_400_002,
        streak_longest: 0,
        streak_open_periods: '[{"period":20513,"sums":{"$":[["words",0.2]]}}]',
        streak_kept_period: null,
        streak_lost: null,
        freezes: null,
        freezes_next_earned: 'soon',
        pauses: '[]',
        leaderboards: '{}',
        date_sums: null,
        suspended: '{"from":["leaderboards"],"reason":"Forged","since":1772366400000}',
        merged_into: 'bea',
        boosts: null,
        caps: '{"$":[["trigger-1",[{"period":20513,"sum":11}]]]}',
        cooldowns: '{',
        timers: '{"$":[["trigger-2",{"anchor":1772366400000,"date":20514,"dueCount":3}]]}',
        activity: null,
        streaks: '{}',
      },
    },
    {
      table: 'totals',
      key: ['metric'],
      row: { ...OWNER, metric: 'words', total: 0.1, highest: 12.5 },
      wrong: { ...OTHER, metric: 'Words', total: 0.10000000000000002, highest: 12 },
    },
    {
      table: 'tallies',
      key: ['rule_id'],
      row: { ...OWNER, rule_id: 'rule-1', total: 5e-324, highest: 1e15 },
      wrong: { ...OTHER, rule_id: '', total: 0, highest: -1e15 },
    },
    {
      table: 'completions',
      key: ['achievement'],
      row: { ...OWNER, achievement: 'novelist', at: 1_772_366_400_000, entry_id: 'entry-1', count: 1 },
      wrong: { ...OTHER, achievement: 'novelist ', at: 1_772_366_400_001, entry_id: 'entry-2', count: 2 },
    },
    {
      table: 'points',
      key: ['system'],
      row: { ...OWNER, system: 'xp', total: 10, level: 'bronze' },
      wrong: { ...OTHER, system: 'xq', total: 10.5, level: null },
    },
    {
      table: 'awards',
      key: ['system', 'at', 'seq', 'ordinal'],
      row: {
        ...OWNER,
        system: 'xp',
        at: 1_772_366_400_000,
        seq: 1,
        ordinal: 1,
        award_id: 'b',
        trigger_id: 'trigger-1',
        entry_id: 'entry-1',
        awarded: 0.2,
        total: 10.2,
        boosts: '[{"id":"boost-1","name":"Double","start":"2026-03-01","end":null,"multiplier":2,"rounding":"down"}]',
      },
      wrong: {
        ...OTHER,
        system: 'karma',
        at: 1_772_366_400_001,
        seq: 3,
        ordinal: 4,
        award_id: 'a',
        trigger_id: 'trigger-2',
        entry_id: '',
        awarded: 2,
        total: -10.2,
        boosts: null,
      },
    },
    {
      table: 'streak_periods',
      key: ['streak', 'start_date'],
      row: { ...OWNER, streak: '', start_date: '2026-02-28', length: 1, kind: 'counted' },
      wrong: { ...OTHER, streak: 'no', start_date: 'yesterday', length: 2, kind: 'paused' },
    },
    {
      table: 'streak_pauses',
      key: ['pause_id'],
      row: { ...OWNER, pause_id: 'pause-1' },
      wrong: { ...OTHER, pause_id: 'pause-2' },
    },
    {
      table: 'streak_periods',
      key: ['streak', 'start_date'],
      row: { ...OWNER, streak: 'gym', start_date: '2026-02-28', length: 3, kind: 'paused' },
      wrong: { ...OTHER, streak: 'Gym', start_date: '2026-02-30', length: 4, kind: 'counted' },
    },
    {
      table: 'given_boosts',
      key: ['boost_id'],
      row: { ...OWNER, boost_id: 'boost-1', system: 'xp' },
      wrong: { ...OTHER, boost_id: 'boost-2', system: 'karma' },
    },
    {
      table: 'leaderboard_entries',
      key: ['leaderboard', 'run'],
      row: {
        ...OWNER,
        leaderboard: HASH,
        run: '2026-01-05 3f2a91c0',
        group_key: HASH,
        minus_value: 0,
        reached_at: 1_772_366_400_000,
        until: 1_772_366_400_001,
        names: JSON.stringify([LONG, LONG]),
      },
      wrong: {
        ...OTHER,
        leaderboard: 'daily',
        run: '2026-01-06 3f2a91c0',
        group_key: 'es',
        minus_value: 5e-324,
        reached_at: 1,
        until: null,
        names: '[',
      },
    },
  ]
}
