import type { Fault } from './fault.ts'

/** Late events: the log is folded again. */
export const lateFaults: readonly Fault[] = [
  {
    name: 'A completion that the new fold loses is not kept.',
    file: 'src/engine/record/record-late.ts',
    find: '.filter(([achievement]) => state?.completions.has(achievement) !== true)',
    replace: '.filter(([achievement]) => state?.completions.has(achievement) === null)',
    tests: ['acceptance/late-events'],
  },
  {
    name: 'A completion is kept at the instant of the call.',
    file: 'src/engine/record/record-late.ts',
    find: 'kept.push(keepCompletion(achievement, at, made))',
    replace: 'kept.push(keepCompletion(achievement, Math.max(at, first.receivedAt), made))',
    tests: ['engine/late-folds'],
  },
  {
    name: 'A late event is not refused when a total leaves its bounds later.',
    file: 'src/engine/replay/replay.ts',
    find: `if (change.type === 'metricChanged' && !isWithinBounds(change.total)) overflow ??= change`,
    replace: `if (change.type === 'metricChanged' && !isWithinBounds(change.value)) overflow ??= change`,
    tests: ['acceptance/late-events'],
  },
  {
    name: 'One late event out of bounds has all refused that wait with it.',
    file: 'src/engine/record/record-late.ts',
    find: 'if (commands.length > 1) throw TRY_ALONE',
    replace:
      'const refusal = refuseTotal(fold.overflow.metric, fold.overflow.total)\n' +
      `      if (commands.length > 1) return commands.map(() => ({ type: 'refused', refusal }))`,
    tests: ['engine/races > one of several late events'],
  },
  {
    name: 'A late event comes before others of the same instant.',
    file: 'src/engine/replay/replay.ts',
    find: 'first.at < entry.at',
    replace: 'first.at <= entry.at',
    tests: ['acceptance/late-events', 'model/engine'],
  },
  {
    name: 'Late events that wait together are folded in the order in which they came.',
    file: 'src/engine/replay/replay.ts',
    find: '.sort((left, right) => (left.at ?? 0) - (right.at ?? 0))',
    replace: '',
    tests: ['engine/late-folds'],
  },
  {
    name: 'Two late events with one key that wait together are both new.',
    file: 'src/engine/replay/late-entries.ts',
    find: 'view.found[index] ?? used.get(idempotencyText(command)) ?? null',
    replace: 'view.found[index] ?? null',
    tests: ['engine/late-folds'],
  },
  {
    name: 'A late event belongs to the newest game.',
    file: 'src/engine/replay/late-entries.ts',
    find: 'const epoch = before?.epoch ?? next?.epoch ?? current.epoch',
    replace: 'const { epoch } = current',
    tests: ['engine/races > does not judge a late event'],
  },
  {
    name: 'Entries that another zone dates anew keep their old dates in the log.',
    file: 'src/engine/replay/replay.ts',
    find: 'if (placed !== entry) redated.push(redatedLine(stored, placed))',
    replace: '',
    tests: ['engine/late-folds'],
  },
  {
    name: 'Entries are not dated anew in another zone.',
    file: 'src/engine/replay/replay.ts',
    find: '      follow(placed)',
    replace: '      follow(entry)',
    tests: ['engine/late-folds'],
  },
  {
    name: 'A fold is stored over what others have written meanwhile.',
    file: 'src/engine/record/record-late.ts',
    find: 'isStored = loaded?.version === view.version && epoch === current.epoch',
    replace: 'isStored = epoch === current.epoch',
    tests: ['engine/races > another engine may write the user'],
  },
  {
    name: 'A fold is stored although the game has changed meanwhile.',
    file: 'src/engine/record/record-late.ts',
    find: ' && epoch === current.epoch',
    replace: '',
    tests: ['engine/late-folds'],
  },
  {
    name: 'Counters are not bumped when a log is folded again.',
    file: 'src/engine/record/record-late.ts',
    find: 'counted: countChanges(view.state, fold.state)',
    replace: 'counted: []',
    tests: ['acceptance/late-events', 'engine/races', 'model/engine'],
  },
  {
    name: 'Awards that a fold moves are put beside the old ones.',
    file: 'src/engine/record/record-late.ts',
    find: 'remove: awards.remove,',
    replace: 'remove: [],',
    tests: ['acceptance/late-events'],
  },
  {
    name: 'What a fold changed is told to each of the late events that shared it.',
    file: 'src/engine/record/late-answers.ts',
    find: '    isTold = true\n',
    replace: '',
    tests: ['engine/races', 'acceptance/late-events'],
  },
  {
    name: 'Live events overtake the fold of their user.',
    file: 'src/engine/record/recorder.ts',
    find: '!folds.isBusy(command) && elsewhere(command) === null',
    replace: '() => true',
    tests: ['engine/races > other users do not wait'],
  },
]
