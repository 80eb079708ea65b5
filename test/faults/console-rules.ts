import type { Fault } from './fault.ts'

const PAGES = 'adapters/console/pages'

/** The pages of rules and of operation, as a browser shows them. */
export const consoleRulesFaults: readonly Fault[] = [
  {
    name: 'Who may only look can rebuild.',
    file: `${PAGES}/pages/integrity.tsx`,
    find: '{mayWrite && (',
    replace: '{(mayWrite || true) && (',
    tests: ['browser/console-read-access'],
  },
  {
    name: 'A game that was left in the middle is applied from the first user again, or not at all.',
    file: `${PAGES}/parts/what-if/apply.tsx`,
    find: 'const [kept, setKept] = useState(readBreak)',
    replace: 'const [kept, setKept] = useState<Break | null>(null)',
    tests: ['browser/console-what-if > goes on after a break'],
  },
  {
    name: 'What-if looks at all users where a part was asked for.',
    file: `${PAGES}/pages/what-if.tsx`,
    find: '{ sample: Number(sample) }',
    replace: '{ sample: 1 }',
    tests: ['browser/console-what-if > takes a definition from a file'],
  },
  {
    name: 'The second page of a leaderboard begins one place too late.',
    file: `${PAGES}/parts/leaderboard/rankings.tsx`,
    find: 'to(offset + ON_A_PAGE)',
    replace: 'to(offset + ON_A_PAGE + 1)',
    tests: ['browser/console-leaderboards > shows every page'],
  },
  {
    name: 'The picture of a game sets off only what a part leads to.',
    file: `${PAGES}/parts/game/graph.ts`,
    find: '(each: string) => graph.byId.get(each)?.from ?? [], ',
    replace: '',
    tests: ['browser/console-keyboard > the parts of the game'],
  },
  {
    name: 'A key stays on the page after it was kept.',
    file: `${PAGES}/parts/keys/application-keys.tsx`,
    find: 'close={() => setMade(null)}',
    replace: 'close={() => undefined}',
    tests: ['browser/console-operate > a key is made'],
  },
]
