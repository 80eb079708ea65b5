import type { Fault } from './fault.ts'

/** Reads that are asked for days: of a log they begin with a snapshot, and stop behind the days. */
export const dayFaults: readonly Fault[] = [
  {
    name: 'A date is taken to begin everywhere at midnight in UTC.',
    file: 'src/rules/calendar.ts',
    find: 'return date * DAY - FURTHEST_OFF',
    replace: 'return date * DAY',
    tests: ['rules/calendar > lies between', 'engine/days-of-logs > have an event of a zone far ahead'],
  },
  {
    name: 'A date is taken to be over everywhere at midnight in UTC.',
    file: 'src/rules/calendar.ts',
    find: 'return (date + 1) * DAY + FURTHEST_OFF',
    replace: 'return (date + 1) * DAY',
    tests: ['rules/calendar > lies between'],
  },
  {
    name: 'A summary begins with 0 although it reads on from a snapshot.',
    file: 'src/engine/calls/read/summarize-events.ts',
    find: 'before?.totals.get(key)?.total ?? 0',
    replace: '0',
    tests: ['engine/days-of-logs > a summary of the last days'],
  },
  {
    name: 'A summary reads to the end of the log.',
    file: 'src/engine/replay/read-log.ts',
    find: ' || after.at > until) return',
    replace: ') return',
    tests: ['engine/days-of-logs > a summary of days in its midst'],
  },
  {
    name: 'The awards of the last line of a snapshot are added once more.',
    file: 'src/engine/replay/read-log.ts',
    find: 'seq: after.seq + 1, ordinal: -1',
    replace: 'seq: after.seq, ordinal: -1',
    tests: ['engine/days-of-logs > a summary of the last days'],
  },
  {
    name: 'A snapshot from before a game that replaces all earlier ones is read on from.',
    file: 'src/engine/replay/read-start.ts',
    find: 'start === null || start.since !== since',
    replace: 'start === null',
    tests: ['engine/days-of-logs > of a user who was not folded'],
  },
  {
    name: 'The check sum of a snapshot is that of its state alone.',
    file: 'src/engine/accept/snapshot.ts',
    find: '[FORMAT, lines, at, seq, since, text]',
    replace: '[FORMAT, text]',
    tests: ['engine/days-of-logs > are right with a snapshot of another'],
  },
  {
    name: 'Totals of points are rounded to 15 digits.',
    file: 'src/engine/calls/read/summarize-awards.ts',
    find: 'return total + awarded',
    replace: 'return Number((total + awarded).toPrecision(15))',
    tests: ['acceptance/points-event-summary > has totals of more than 15 digits'],
  },
  {
    name: 'A day that began before the snapshot is shown as if all of it came after.',
    file: 'src/engine/calls/read/score-history.ts',
    find: '.filter(({ date }) => start === null || start.at <= beforeDate(date))',
    replace: '',
    tests: ['engine/days-of-logs > the history of a place on'],
  },
  {
    name: 'Parts of a log that was changed between them are put together.',
    file: 'src/engine/calls/read/score-history.ts',
    find: 'if (end !== null && !leadsTo(part, end)) break',
    replace: '',
    tests: ['engine/days-of-logs > of a place are those of one log'],
  },
  {
    name: 'A run that a newer game ends sooner loses the days after.',
    file: 'src/engine/calls/read/score-history.ts',
    find: 'return to === null || to === end ?',
    replace: 'return to === null || end === null ?',
    tests: ['engine/days-of-logs > of a run have the days after'],
  },
  {
    name: 'A year in review tells of an attribute what was added in that year and the one before.',
    file: 'src/engine/calls/read/read-wrapped.ts',
    find: 'if (!hasAttributes) return days',
    replace: 'if (days.size >= 0) return days',
    tests: ['engine/days-of-logs > a year in review of events with attributes'],
  },
]
