import type { Fault } from './fault.ts'

/** What is ranked, where, and as of which moment. */
export const leaderboardFaults: readonly Fault[] = [
  {
    name: 'Months of a run are counted from the last run, so that month ends are lost.',
    file: 'src/rules/leaderboard.ts',
    find: 'return { from: addMonths(start, runs * months), next: addMonths(start, (runs + 1) * months) }',
    replace:
      'return { from: addMonths(start, runs * months), next: addMonths(addMonths(start, runs * months), months) }',
    tests: ['rules/leaderboard', 'leaderboards/histories'],
  },
  {
    name: 'The window of a leaderboard has its end in it.',
    file: 'src/rules/leaderboard.ts',
    find: 'endTime === null || time < endTime',
    replace: 'endTime === null || time <= endTime',
    tests: ['rules/leaderboard', 'leaderboards/histories'],
  },
  {
    name: 'A value that is reached again keeps its old instant.',
    file: 'src/rules/leaderboard.ts',
    find: 'const reachedAt = previous?.value === value ? previous.reachedAt : entry.at',
    replace: 'const reachedAt = previous === null ? entry.at : previous.reachedAt',
    tests: ['rules/leaderboard', 'leaderboards/histories'],
  },
  {
    name: 'A change of group begins the value anew.',
    file: 'src/rules/leaderboard.ts',
    find: 'entry: { ...previous, group }, previous }',
    replace: 'entry: { ...previous, group, value: 0 }, previous }',
    tests: ['rules/leaderboard', 'leaderboards/histories'],
  },
  {
    name: 'Equal values rank by id alone.',
    file: 'src/rules/position.ts',
    find: 'right.value - left.value || left.reachedAt - right.reachedAt ||',
    replace: 'right.value - left.value ||',
    tests: ['leaderboards/histories', 'adapters/storage'],
  },
  {
    name: 'Ids rank by UTF-16 units.',
    file: 'src/rules/position.ts',
    find: 'return isSurrogate(a) === isSurrogate(b) ? a - b : isSurrogate(a) ? 1 : -1',
    replace: 'return a - b',
    tests: ['leaderboards/histories', 'adapters/storage'],
  },
  {
    name: 'A streak stays on its leaderboard after it has expired.',
    file: 'src/engine/ranks/moves.ts',
    find: 'return until === null || until > at',
    replace: 'return until === null || until > 0 * at',
    tests: ['leaderboards/histories', 'rules/leaderboard'],
  },
  {
    name: 'Users of one batch do not see what came before them.',
    file: 'src/engine/ranks/ranks-after.ts',
    find: 'const rank = known + countBefore(race.current, position, at, user.user) + 1',
    replace: 'const rank = known + countBefore(race.stored, position, at, user.user) + 1',
    tests: ['leaderboards/histories'],
  },
  {
    name: 'The threshold is that of before the batch.',
    file: 'src/engine/ranks/ranks-after.ts',
    find: 'const skipped = first - alive(race.stored).filter(isSkipped).length + current.filter(isSkipped).length',
    replace:
      'const skipped = first + 0 * alive(race.stored).filter(isSkipped).length * current.filter(isSkipped).length',
    tests: ['leaderboards/histories'],
  },
  {
    name: 'A fold leaves an entry of a leaderboard as it was.',
    file: 'src/engine/record/accept-late.ts',
    find: '    leaderboards,\n    unlimited',
    replace: '    leaderboards: { put: [], remove: leaderboards.remove.slice(0, 0) },\n    unlimited',
    tests: ['leaderboards/histories'],
  },
  {
    name: 'Two users of Postgres that a process knew are stored though their idempotency keys are used.',
    file: 'adapters/postgres/save-rows.ts',
    find: `rows.add('unread', {`,
    replace: `rows.add('ignored', {`,
    tests: ['postgres/chaos-round-trips', 'postgres/races'],
  },
  {
    name: 'A refusal is told from what a process remembers of a user.',
    file: 'adapters/postgres/commit.ts',
    find: 'if (fits && decided.length === known.open.length) return { situation: known, decided }',
    replace: 'if (fits) return { situation: known, decided }',
    tests: ['transactions/postgres-refusals > what another process has made possible'],
  },
  {
    name: 'A row that is removed and put again is taken out of its block twice.',
    file: 'adapters/postgres/migrations/0009-rank-sets/save-v10.ts',
    find: ') k group by 1, 2, 3, 4',
    replace: ') k group by 1, 2, 3, 4, k.unlimited',
    tests: ['adapters/storage > an entry that one save removes and puts'],
  },
  {
    name: 'Blocks that have become too large are never split.',
    file: 'adapters/postgres/blocks/tidier.ts',
    find: 'if (waiting.size > 0) running ??= run()',
    replace: 'if (waiting.size > 1e9) running ??= run()',
    tests: ['postgres/leaderboards-races'],
  },
  {
    name: 'What a deleted user leaves is read before its groups are locked.',
    file: 'adapters/postgres/migrations/0010-locked-groups/remove-user-v6.ts',
    find: 'another save may be adding it up.\n  if is_own then',
    replace: 'another save may be adding it up.\n  if false then',
    tests: ['transactions/leaderboards-pending > is taken from the counts once'],
  },
]
