import { scoreOf } from './leaderboards-game.ts'
import type { Place } from './leaderboards-places.ts'
import { type Measured, measureFor, median, type Row, table } from './measure.ts'

/** The same game with and without boards, among few users and among many, on one database. */
export interface Quartet {
  readonly name: string
  readonly few: Place
  readonly many: Place
  readonly fewWithout: Place
  readonly manyWithout: Place
}

/** The same pseudo-random subjects in every run. */
function* subjects(users: number, seed: number): Generator<{ readonly user: string; readonly by: number }, never> {
  let state = seed
  const next = (): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
  for (;;) yield { user: scoreOf(Math.floor(next() * users)).user, by: 1 + Math.floor(next() * 5) }
}

type Part = Exclude<keyof Quartet, 'name'>

const PARTS: readonly { readonly part: Part; readonly title: string; readonly plain: Part }[] = [
  { part: 'few', title: 'three boards', plain: 'fewWithout' },
  { part: 'many', title: 'three boards', plain: 'manyWithout' },
  { part: 'fewWithout', title: 'no boards', plain: 'fewWithout' },
  { part: 'manyWithout', title: 'no boards', plain: 'manyWithout' },
]

const HEAD = ['', 'users', 'callers', 'per s', 'p50 ms', 'p99 ms', 'cost in few', 'its p50', 'cost without', 'aim']

/** Whole events: what one costs among many users in times of what it costs among few, and of what it costs without boards. */
export async function benchBoardEvents(
  quartets: readonly Quartet[],
  callers: number,
  rounds: number,
  seconds: number,
): Promise<string> {
  const sources = new Map<Place, ReturnType<typeof subjects>>()
  const results = new Map<Place, Measured[]>()
  for (const quartet of quartets) {
    for (const { part } of PARTS) {
      sources.set(quartet[part], subjects(quartet[part].users, callers))
      results.set(quartet[part], [])
    }
  }
  // In turns, and the first round warms up.
  for (let round = 0; round <= rounds; round += 1) {
    for (const [place, source] of sources) {
      const measured = await measureFor(callers, seconds, () => {
        const { user, by } = source.next().value
        return place.library.metrics.event('words', { user: { id: user }, value: by })
      })
      if (round > 0) results.get(place)?.push(measured)
    }
  }

  const rows = quartets.flatMap((quartet) =>
    PARTS.map(({ part, title, plain }): Row => {
      const own = results.get(quartet[part]) ?? []
      const over = (read: (measured: Measured) => number): number => median(own.map(read))
      const beside = (other: Part, read: (measured: Measured) => number): number =>
        median(own.map((measured, round) => read(measured) / read(results.get(quartet[other])?.[round] ?? measured)))
      const cost = ({ perSecond }: Measured): number => 1 / perSecond
      const p50 = (measured: Measured): number => measured.p50
      const few = part === plain ? 'fewWithout' : 'few'
      return [
        `${quartet.name}, ${title}`,
        String(quartet[part].users),
        String(callers),
        over(({ perSecond }) => perSecond),
        over(p50),
        over(({ p99 }) => p99),
        part === few ? '' : beside(few, cost),
        part === few ? '' : beside(few, p50),
        part === plain ? '' : beside(plain, cost),
        part === 'many' ? '2 in few' : '',
      ]
    }),
  )
  return table(
    `An event with three boards and without, ${callers === 1 ? '1 caller' : `${callers} callers`}`,
    HEAD,
    rows,
  )
}
