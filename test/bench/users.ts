import { startPostgres } from '../support/postgres-server.ts'
import { UNLIMITED, withBoards } from './leaderboards-game.ts'
import { checkRanks, makePostgres, makeSqlite, type Place } from './leaderboards-places.ts'
import { type Measured, measure, median, type Row, table } from './measure.ts'
import { DURABLE } from './postgres.ts'
import { checkClosedUp, checkedRanks, checkSame, countedUsers, placeOf, usersAt } from './users-ranks.ts'

export interface UsersBenchOptions {
  /** How many participate in each board. */
  readonly users: number
  readonly rounds: number
  /** Calls of each kind in each round. */
  readonly count: number
}

type Print = (text: string) => void

/** What is done, to three users of each call: the first goes on, the second is merged into it, the third is deleted. */
const OPERATIONS = {
  event: ({ library }: Place, user: string) => library.metrics.event('words', { user: { id: user }, value: 1 }),
  suspend: ({ library }: Place, user: string) => library.users.suspend(user, { reason: 'Pasted text' }),
  'event of one who is suspended': ({ library }: Place, user: string) =>
    library.metrics.event('words', { user: { id: user }, value: 1 }),
  restore: ({ library }: Place, user: string) => library.users.restore(user),
  merge: ({ library }: Place, user: string, other: string) => library.users.merge({ from: other, into: user }),
  delete: ({ library }: Place, _: string, __: string, third: string) => library.users.delete(third),
} as const
type Name = keyof typeof OPERATIONS

/**
 * What it takes to suspend, restore, merge and delete users of boards with many participants, two of them without a limit,
 * beside an event of one of them. Ranks are compared with a plain count of rows before and after.
 */
export async function benchUsers(folder: string, options: UsersBenchOptions, print: Print): Promise<void> {
  const given = process.env.BENCH_DATABASE_URL ?? process.env.TEST_DATABASE_URL
  const server = given === undefined ? await startPostgres(DURABLE) : null
  const makers: readonly (readonly [string, () => Promise<Place>])[] = [
    ['SQLite', () => makeSqlite(folder, withBoards, options.users)],
    ['Postgres', () => makePostgres(server?.url ?? given ?? '', withBoards, options.users)],
  ]
  try {
    for (const [name, make] of makers) {
      const place = await make()
      try {
        print(`\n${name}: ${await checkClosing(place)} ranks among ${options.users} are those of a plain count.\n`)
        const title = `${name}: users of boards with ${options.users} participants who come and go`
        print(table(title, ['', 'p50 ms', 'p99 ms', 'p50 of an event'], toRows(await runAll(place, options))))
        await checkClosing(place)
        await checkRanks(place)
      } finally {
        await place.close()
      }
    }
  } finally {
    await server?.stop()
  }
}

/** Suspends, restores, merges and deletes users in the midst of the boards, and looks at others in front of them and behind. */
async function checkClosing(place: Place): Promise<number> {
  const { library } = place
  const many = await countedUsers(place)
  const at = (share: number): number => 2 + Math.floor(share * (many - 3))
  const [subject = '', joining = ''] = await usersAt(place, [at(0.5), at(0.7)])
  const ranks = [1, at(0.25), at(0.5) - 1, at(0.5) + 1, at(0.6), at(0.7) - 1, at(0.7) + 1, at(0.999)]
  const others = await usersAt(place, ranks)
  const everybody = [...others, subject, joining]

  const before = await checkedRanks(place, everybody)
  await library.users.suspend(subject)
  const suspended = await checkedRanks(place, everybody)
  checkClosedUp(before, suspended, subject, [...others, joining])
  await library.users.restore(subject)
  const restored = await checkedRanks(place, everybody)
  checkSame(before, restored)

  await library.users.merge({ from: joining, into: subject })
  const merged = await checkedRanks(place, [...others, subject])
  const own = merged.get(placeOf(UNLIMITED, subject)) ?? many
  if (own >= (before.get(placeOf(UNLIMITED, subject)) ?? 0)) throw new Error(`${subject} has not moved up.`)
  if ((await library.users.leaderboard(joining, UNLIMITED)).rank !== own) throw new Error('An alias has another rank.')

  await library.users.delete(subject)
  const gone = await checkedRanks(place, others)
  const withSubject = new Map([...gone, [placeOf(UNLIMITED, subject), null]])
  checkClosedUp(merged, withSubject, subject, others)
  return before.size + suspended.size + restored.size + merged.size + gone.size
}

type Results = ReadonlyMap<Name, readonly Measured[]>

async function runAll(place: Place, { rounds, count }: UsersBenchOptions): Promise<Results> {
  const names = Object.keys(OPERATIONS).filter((name): name is Name => name in OPERATIONS)
  const results = new Map<Name, Measured[]>(names.map((name) => [name, []]))
  const everybody = existing(place)
  // The first round warms up.
  for (let round = 0; round <= rounds; round += 1) {
    const called: (readonly [string, string, string])[] = []
    while (called.length < count) called.push([await next(everybody), await next(everybody), await next(everybody)])
    // Nobody is read from the disk in what is measured.
    for (const id of called.flat()) await place.library.metrics.event('words', { user: { id }, value: 1 })
    for (const name of names) {
      const measured = await measure(1, count, (index) => {
        const [user, other, third] = called[index] ?? ['', '', '']
        return OPERATIONS[name](place, user, other, third)
      })
      if (round > 0) results.get(name)?.push(measured)
    }
  }
  return results
}

/** Users all over the boards, each once, but for those who are gone. */
async function* existing({ ask, dialect, users }: Place): AsyncGenerator<string> {
  for (let index = 1; index < users; index += 1) {
    const user = `user-${(index * 7_919) % users}`
    const isThere = await ask(
      `select count(*) from ${dialect.table('users')} where tenant_id = '' and user_id = '${user}' and merged_into is null`,
    )
    if (Number(isThere) === 1) yield user
  }
}

async function next(users: AsyncGenerator<string>): Promise<string> {
  const { value, done } = await users.next()
  if (done === true) throw new Error('There are not enough users.')
  return value
}

/** Ratios are taken within a round; of the rounds, the median. */
function toRows(results: Results): readonly Row[] {
  const events = results.get('event') ?? []
  return [...results].map(([name, measured]): Row => {
    const ratio = median(measured.map(({ p50 }, round) => p50 / (events[round]?.p50 ?? 0)))
    return [
      name,
      median(measured.map(({ p50 }) => p50)),
      median(measured.map(({ p99 }) => p99)),
      name === 'event' ? '' : ratio,
    ]
  })
}
