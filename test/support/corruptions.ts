import { toIdHex } from '../../src/sql/entry-rows.ts'
import type { DriftValue } from '../../src/storage/audit.ts'
import { LONG } from '../../src/testing/storage/audit-samples.ts'

/** One row of a table as `storeRich` has left it for `ann`, and what else might stand there. */
export interface Corruptible {
  readonly table: string
  /** The columns of its key but those that name the user. */
  readonly key: readonly string[]
  /** The value and another one of each column but those that name the user. */
  readonly columns: { readonly [column: string]: readonly [right: DriftValue, wrong: DriftValue] }
}

const HASH = 'sha256 404f519dc5100c58fe2e1a976d75e2c03cb6c58c5e063278efb41508a20ad999'

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
      columns: {
        seq: [1, 2],
        at: [1_772_366_400_001, 0],
        epoch: [1, 7],
        created: [1_772_366_400_000, -1],
        updated: [1_772_366_400_000, 9_007_199_254_740_991],
        email: ['ann@example.com', null],
        name: ['Ann', 'ann'],
        tz: ['Europe/Madrid', 'Nowhere/At all'],
        subscribed_to_emails: [no, yes],
        sign_up_date: ['2019-04-14', '2019-02-30'],
        device_tokens: ['["b","a"]', '["b", "a"]'],
        attributes: ['{"__proto__":"x","country":"es","plan":"pro"}', '{'],
        notifications: ['{"streak_reminder":["push","email"]}', ''],
        leaderboard_choice: ['anonymous', 'hidden'],
        gamification: ['off', null],
        personal_streak: ['{"evaluationMode":"OR","metrics":{"$":[["words",10]]}}', 'null'],
        streak_length: [2, -2],
        streak_last_period: [20_513, null],
        streak_started: ['2026-02-28', '2026-02-30'],
        streak_first_at: [1_772_366_400_000, null],
        streak_extended_at: [1_772_366_400_001, 1_772_366_400_002],
        streak_longest: [7, 0],
        streak_open_periods: [
          '[{"period":20513,"sums":{"$":[["words",0.1]]}}]',
          '[{"period":20513,"sums":{"$":[["words",0.2]]}}]',
        ],
        streak_kept_period: [20_514, null],
        streak_lost: [
          '{"extendedAt":1772366399993,"firstAt":null,"last":20500,"length":7,"missed":20501,"started":20494}',
          null,
        ],
        freezes: [2, null],
        freezes_next_earned: ['2026-03-08', 'soon'],
        pauses: ['[{"end":20516,"id":"pause-1","start":20514}]', '[]'],
        leaderboards: [
          '{"$":[["weekly",[{"group":"","reachedAt":1772366400000,"run":"2026-01-05 3f2a91c0","until":null,"value":7}]]]}',
          '{}',
        ],
        earlier_days: ['{"$":[["",[{"days":null,"on":["sat","sun"],"until":20513}]]]}', '{}'],
        resets: ['{"$":[["gym",[{"at":1772366400000,"date":20513}]]]}', '{}'],
        date_sums: ['{"$":[["words",[{"date":20513,"sum":0.1}]]]}', null],
        suspended: [null, '{"from":["leaderboards"],"reason":"Forged","since":1772366400000}'],
        merged_into: [null, 'bea'],
        boosts: [
          '[{"created":1773100000000,"end":null,"id":"boost-1","multiplier":2,"name":"Double","rounding":"down","start":20513,"system":"xp","userAttributes":[]}]',
          null,
        ],
        caps: [
          '{"$":[["trigger-1",[{"period":20513,"sum":10}]]]}',
          '{"$":[["trigger-1",[{"period":20513,"sum":11}]]]}',
        ],
        challenges: ['[["daily",1772366400000,[]]]', '{}'],
        redeemed: ['{"$":[["mug",2]]}', '{"$":[["mug",3]]}'],
        wallets: [
          '{"$":[["coins",{"balance":-3,"expired":2,"holds":[{"amount":5,"id":"hold-1","lots":[{"amount":4,"expires":20544}],"until":1772366400000}],"lots":[],"pending":[{"amount":7,"available":20520,"expires":null}],"spent":9}]]}',
          '{}',
        ],
        cooldowns: ['{"$":[["trigger-1",1772366400000]]}', '{'],
        timers: [
          '{"$":[["trigger-2",{"anchor":1772366400000,"date":20513,"dueCount":3}]]}',
          '{"$":[["trigger-2",{"anchor":1772366400000,"date":20514,"dueCount":3}]]}',
        ],
        activity: [
          '{"completedIn":{"$":[["writer",{"at":1772366400000,"zone":"UTC"}]]},"dates":[{"date":20513,"zone":null}]}',
          null,
        ],
        streaks: [
          '{"$":[["gym",{"freezes":{"count":1,"nextEarned":null},"streak":{"extendedAt":1772366400001,"firstAt":1772366400000,"kept":2930,"last":2930,"length":2,"longest":2,"lost":null,"open":[{"period":2930,"sums":{"$":[["words",0.1]]}}],"started":20506}}]]}',
          '{}',
        ],
      },
    },
    {
      table: 'totals',
      key: ['metric'],
      columns: { metric: ['words', 'Words'], total: [0.1, 0.10000000000000002], highest: [12.5, 12] },
    },
    {
      table: 'tallies',
      key: ['rule_id'],
      columns: { rule_id: ['rule-1', ''], total: [5e-324, 0], highest: [1e15, -1e15] },
    },
    {
      table: 'completions',
      key: ['achievement'],
      columns: {
        achievement: ['novelist', 'novelist '],
        at: [1_772_366_400_000, 1_772_366_400_001],
        entry_id: ['entry-1', 'entry-2'],
        count: [1, 2],
      },
    },
    { table: 'points', key: ['system'], columns: { system: ['xp', 'xq'], total: [10, 10.5], level: ['bronze', null] } },
    {
      table: 'awards',
      key: ['system', 'at', 'seq', 'ordinal'],
      columns: {
        system: ['xp', 'karma'],
        at: [1_772_366_400_000, 1_772_366_400_001],
        seq: [1, 3],
        ordinal: [1, 4],
        award_id: ['b', 'a'],
        trigger_id: ['trigger-1', 'trigger-2'],
        entry_id: ['entry-1', ''],
        awarded: [0.2, 2],
        total: [10.2, -10.2],
        boosts: [
          '[{"id":"boost-1","name":"Double","start":"2026-03-01","end":null,"multiplier":2,"rounding":"down"}]',
          null,
        ],
      },
    },
    {
      table: 'movements',
      key: ['system', 'at', 'seq', 'ordinal'],
      columns: {
        system: ['coins', 'gems'],
        at: [1_772_366_400_000, 1_772_366_400_001],
        seq: [1, 3],
        ordinal: [0, 4],
        kind: ['earned', 'spent'],
        points: [10, 11],
        amount: [10, -10],
        balance: [10, 9],
        entry_id: ['entry-1', ''],
        spend_id: ['spend-1', null],
        hold_id: [null, 'hold-1'],
        lots: ['[{"amount":7,"expires":"2026-03-01"}]', '[{"amount":8,"expires":"2026-03-01"}]'],
        reference: ['order 7', 'Order 7'],
        until: [1_772_366_400_001, null],
      },
    },
    {
      table: 'streak_periods',
      key: ['streak', 'start_date'],
      columns: {
        streak: ['', 'no'],
        start_date: ['2026-02-28', 'yesterday'],
        length: [1, 2],
        kind: ['counted', 'paused'],
      },
    },
    { table: 'streak_pauses', key: ['pause_id'], columns: { pause_id: ['pause-1', 'pause-2'] } },
    {
      table: 'streak_periods',
      key: ['streak', 'start_date'],
      columns: {
        streak: ['gym', 'Gym'],
        start_date: ['2026-02-28', '2026-02-30'],
        length: [3, 4],
        kind: ['paused', 'counted'],
      },
    },
    {
      table: 'given_boosts',
      key: ['boost_id'],
      columns: { boost_id: ['boost-1', 'boost-2'], system: ['xp', 'karma'] },
    },
    {
      table: 'leaderboard_entries',
      key: ['leaderboard', 'run'],
      columns: {
        leaderboard: [HASH, 'daily'],
        run: ['2026-01-05 3f2a91c0', '2026-01-06 3f2a91c0'],
        group_key: [HASH, 'es'],
        minus_value: [0, 5e-324],
        reached_at: [1_772_366_400_000, 1],
        until: [1_772_366_400_001, null],
        names: [JSON.stringify([LONG, LONG]), '['],
      },
    },
  ]
}
