import type { Fault } from './fault.ts'

/** What saves streaks: freezes, pauses, restores. */
export const freezeFaults: readonly Fault[] = [
  {
    name: 'Freezes that were earned on several dates come as one.',
    file: 'src/rules/freeze.ts',
    find: 'times * autoEarn.amount)',
    replace: 'autoEarn.amount)',
    tests: ['rules/freezes'],
  },
  {
    name: 'The next freeze is as far from when somebody looked as it should be from the last one.',
    file: 'src/rules/freeze.ts',
    find: 'nextEarned: nextEarned + times * autoEarn.interval',
    replace: 'nextEarned: date - 1 + autoEarn.interval',
    tests: ['rules/streak-rare'],
  },
  {
    name: 'Who has more freezes than a newer game allows loses them when one is earned.',
    file: 'src/rules/freeze.ts',
    find: 'Math.max(freezes.count, Math.min(max, freezes.count + count))',
    replace: 'Math.min(max, freezes.count + count)',
    tests: ['rules/streak-newer-games'],
  },
  {
    name: 'More freezes are earned than there may be.',
    file: 'src/rules/freeze.ts',
    find: 'Math.min(max, freezes.count + count)',
    replace: 'freezes.count + count',
    tests: ['rules/freezes'],
  },
  {
    name: 'Who was there before a game let freezes be earned earns none.',
    file: 'src/rules/freeze.ts',
    find: '(freezes.nextEarned ?? today + rule.autoEarn.interval)',
    replace: 'freezes.nextEarned',
    tests: ['rules/streak-newer-games'],
  },
  {
    name: 'Every newer game has users wait for the next freeze from the beginning.',
    file: 'src/rules/freeze.ts',
    find: '(freezes.nextEarned ?? today + rule.autoEarn.interval)',
    replace: 'today + rule.autoEarn.interval',
    tests: ['rules/streak-newer-games'],
  },
  {
    name: 'Freezes are gone once a game had none.',
    file: 'src/rules/freeze.ts',
    find: 'return freezes === null ? null : { ...freezes, nextEarned: null }',
    replace: 'return null',
    tests: ['rules/streak-newer-games'],
  },
  {
    name: 'What is earned at the midnight at which a day is missed saves the streak.',
    file: 'src/rules/settle.ts',
    find: 'earnBefore(firstDayOf(frequency, game.weekStartsOn, period + 1))',
    replace: 'earnBefore(firstDayOf(frequency, game.weekStartsOn, period + 1) + 1)',
    tests: ['rules/freezes'],
  },
  {
    name: 'A paused day takes a freeze while there is one.',
    file: 'src/rules/settle.ts',
    find: 'if (isPaused(state.pauses, frequency, game.weekStartsOn, period)) {',
    replace: `const has = freezes?.count ?? 0
    if (has === 0 && isPaused(state.pauses, frequency, game.weekStartsOn, period)) {`,
    tests: ['rules/pauses'],
  },
  {
    name: 'Days after the loss of a streak take freezes too.',
    file: 'src/rules/settle.ts',
    find: `      all.splice(all.indexOf(ended), 1)
      continue
    }`,
    replace: `      all.splice(all.indexOf(ended), all.length > 1 ? 1 : 0)
      freezes = freezes === null ? null : { ...freezes, count: 1 }
      if (ended.period >= ended.current || freezes === null) break
      continue
    }`,
    tests: ['rules/freezes'],
  },
  {
    name: 'Freezes are earned only while there is a streak.',
    file: 'src/rules/settle.ts',
    find: 'if ((freezesOf(state, pool[0])?.nextEarned ?? null) !== null) return true',
    replace: '',
    tests: ['rules/freezes'],
  },
  {
    name: 'A date that is not there takes a freeze.',
    file: 'src/rules/ended-periods.ts',
    find: `rule.frequency === 'daily' && !isDateInZone(zone, ended.period)`,
    replace: `rule.frequency === 'daily' && zone.length === 0`,
    tests: ['rules/freezes'],
  },
  {
    name: 'A change of zone leaves the date on which the next freeze is earned.',
    file: 'src/rules/streak.ts',
    find: 'return { ...freezes, nextEarned: freezes.nextEarned + days }',
    replace: 'return freezes',
    tests: ['rules/freezes'],
  },
  {
    name: 'A streak leaves its leaderboard though freezes save it.',
    file: 'src/rules/alive.ts',
    find: 'freezes === null || freezes.count === 0)',
    replace: 'freezes === null || freezes.count < 9)',
    tests: ['engine/streak-reads'],
  },
  {
    name: 'A streak leaves its leaderboard though a freeze is still earned in time.',
    file: 'src/rules/alive.ts',
    find: 'freezes = earnFreezes(rule.freezes, freezes, from)',
    replace: 'freezes = earnFreezes(rule.freezes, freezes, from - 400)',
    tests: ['rules/streak-rare'],
  },
  {
    name: 'A week is paused only as a whole.',
    file: 'src/rules/pause.ts',
    find: 'start <= last && end >= first',
    replace: 'start <= first && end >= last',
    tests: ['rules/pauses'],
  },
  {
    name: 'A pause that is over is forgotten within the month that it saves.',
    file: 'src/rules/pause.ts',
    find: 'const KEPT_DAYS = 70',
    replace: 'const KEPT_DAYS = 7',
    tests: ['rules/streak-rare'],
  },
  {
    name: 'A pause that is deleted while it lasts leaves nothing.',
    file: 'src/rules/pause.ts',
    find: 'return pause.start < today ? [{ ...pause, end: today - 1 }] : []',
    replace: 'return []',
    tests: ['rules/pauses'],
  },
  {
    name: 'A pause that is deleted on its first date still saves the week of it.',
    file: 'src/rules/pause.ts',
    find: 'return pause.start < today ?',
    replace: 'return pause.start <= today ?',
    tests: ['rules/streak-rare'],
  },
  {
    name: 'A restored streak is as young as its loss, and so may not lengthen.',
    file: 'src/rules/settle.ts',
    find: 'lost: { length, last, missed, started, firstAt, extendedAt }',
    replace: 'lost: { length, last, missed, started, firstAt: extendedAt, extendedAt }',
    tests: ['rules/streak-rare'],
  },
  {
    name: 'A restore shortens a streak that late events have made the longer one.',
    file: 'src/rules/streak.ts',
    find: 'if (streak.lost === null || streak.lost.length <= streak.length) return []',
    replace: 'if (streak.lost === null) return []',
    tests: ['rules/streak-rare'],
  },
  {
    name: 'The day on which a streak is restored counts twice.',
    file: 'src/rules/streak.ts',
    find: 'const last = streak.last ?? Math.min(',
    replace: 'const last = Math.min(',
    tests: ['rules/restores'],
  },
  {
    name: 'The history tells the length before the restore of the day that had counted.',
    file: 'src/rules/streak.ts',
    find: 'streak.last === null || streak.last < current ? null : firstDayOf(frequency, game.weekStartsOn, streak.last)',
    replace: 'null',
    tests: ['rules/restores'],
  },
  {
    name: 'The id of a pause is not known in capital letters.',
    file: 'src/engine/calls/write/manage-streaks.ts',
    find: '.map((id) => id.toLowerCase())',
    replace: '',
    tests: ['engine/streak-pause-ids'],
  },
  {
    name: 'A pause that is named twice is deleted, and not known.',
    file: 'src/engine/calls/write/manage-streaks.ts',
    find: `const ids = [...new Set(parse(pauseIds, request, 'pause ids').map((id) => id.toLowerCase()))]`,
    replace: `const ids = parse(pauseIds, request, 'pause ids').map((id) => id.toLowerCase())`,
    tests: ['engine/streak-pause-ids'],
  },
]
