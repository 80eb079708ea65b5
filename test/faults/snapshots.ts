import type { Fault } from './fault.ts'

const LATE = 'engine/snapshots > is not read from its beginning'
const HISTORIES = 'engine/snapshot-histories'

/** States that lines of a log have left, from which a fold goes on. */
export const snapshotFaults: readonly Fault[] = [
  {
    name: 'No snapshot is kept of what is recorded at the end of a log.',
    file: 'src/engine/accept/user-batch.ts',
    find: 'if (isKept(seq)) snapshots',
    replace: 'if (isKept(seq) && seq < 0) snapshots',
    tests: ['engine/snapshots > has a snapshot after every thousand'],
  },
  {
    name: 'A snapshot is one entry ahead of its place.',
    file: 'src/engine/replay/replay.ts',
    find: 'if (isKept(lines)) snapshots.push({ lines,',
    replace: 'if (isKept(lines + 1)) snapshots.push({ lines: lines + 1,',
    tests: ['engine/snapshots > has a snapshot after every thousand'],
  },
  {
    name: 'Snapshots behind a late event stay as they were.',
    file: 'src/engine/record/accept-late.ts',
    find: 'snapshots: { after: fold.skipped,',
    replace: 'snapshots: { after: null,',
    tests: ['engine/snapshots > has no snapshots of before a late event'],
  },
  {
    name: 'A late event leaves no snapshots behind it.',
    file: 'src/engine/record/accept-late.ts',
    find: 'put: newestSnapshots(fold) }',
    replace: 'put: newestSnapshots({ ...fold, snapshots: [] }) }',
    tests: ['engine/snapshots > moves the snapshots behind'],
  },
  {
    name: 'A snapshot that somebody changed is believed.',
    file: 'src/engine/accept/snapshot.ts',
    find: 'if (end === -1 || checkOf(place, text) !== state.slice(0, end)) return null',
    replace: 'if (end === -1 || text[0] === undefined) return null',
    tests: ['engine/snapshots > is not taken from the text'],
  },
  {
    name: 'What a snapshot and the lines after it come to is not compared with what is stored.',
    file: 'src/engine/replay/fold-start.ts',
    find: 'stateText(fold.state) !== stateText(state)',
    replace: 'stateText(fold.state) === ""',
    tests: ['engine/snapshots > with a snapshot that does not lead to'],
  },
  {
    name: 'A fold begins behind the event that is to be voided.',
    file: 'src/engine/replay/fold-start.ts',
    find: '(at === null ? null : at - 1)',
    replace: '(at === null ? null : at + 1)',
    tests: [HISTORIES],
  },
  {
    name: 'A limit does not see the days before the snapshot that a fold begins with.',
    file: 'src/engine/replay/fold-start.ts',
    find: 'return hasLimits ? occurredAt - (FURTHEST + 3) * DAY_MS : occurredAt',
    replace: 'return hasLimits && FURTHEST < 0 ? occurredAt - 3 * DAY_MS : occurredAt',
    tests: ['engine/snapshots > sees what limits'],
  },
  {
    name: 'A fold that begins with a snapshot forgets the places on leaderboards.',
    file: 'src/engine/replay/replay.ts',
    find: 'if (start !== null) addLeaderboardRows(derived, start.state)',
    replace: 'if (start !== null) addLeaderboardRows(noDerivedRows(), start.state)',
    tests: [HISTORIES],
  },
  {
    name: 'A period that the lines before the snapshot have too is removed with the event that is voided.',
    file: 'src/engine/replay/fold-start.ts',
    find: 'return gone.length === 0 ? null',
    replace: 'return gone.length < 1_000 ? null',
    tests: ['engine/snapshots > keeps a date'],
  },
  {
    name: 'Metrics of a personal streak come back from a snapshot in order of their keys.',
    file: 'src/engine/accept/snapshot.ts',
    find: 'name === IN_ORDER ? [...value] :',
    replace: 'name.length === IN_ORDER.length + 1 ? [...value] :',
    tests: ['engine/snapshots > is read as it was written'],
  },
  {
    name: 'Lines after a snapshot are read once for each fold.',
    file: 'src/engine/replay/read-log.ts',
    find: 'const known = chunks.get(place) ?? read(options)',
    replace: 'const known = read(options) ?? chunks.get(place)',
    tests: [LATE],
  },
  {
    name: 'A rebuild leaves a user without the snapshots that it lacks.',
    file: 'src/engine/calls/operate/verify.ts',
    find: 'drift.length > 0 || snapshots <',
    replace: 'drift.length > 0 || -snapshots >',
    tests: ['engine/snapshots > gets the snapshots that it lacks'],
  },
  {
    name: 'SQLite removes the snapshot that a fold began with.',
    file: 'adapters/sql/snapshots.ts',
    find: "'lines', '>',",
    replace: "'lines', '>=',",
    tests: ['adapters/storage > snapshots of more lines are removed'],
  },
  {
    name: 'A snapshot whose last line is at the instant asked for is passed over.',
    file: 'adapters/sql/snapshots.ts',
    find: "'at', '<=',",
    replace: "'at', '<',",
    tests: ['adapters/storage > the snapshot of the most lines'],
  },
]
