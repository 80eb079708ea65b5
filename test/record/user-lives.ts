import { createGamification, type DefinedGame, defineGame, type Gamification, type Storage } from '../../src/index.ts'
import type { LeaderboardRow } from '../../src/storage/rows.ts'
import { type Action, type Life, perform } from './random-lives.ts'

interface World {
  readonly engine: Gamification<DefinedGame>
  readonly storage: Storage
  /** Does the next thing with ids that depend on its number alone. */
  play(action: Action, index: number): Promise<unknown>
  /** Does something at a moment before all others, so that no instant of a log depends on it. */
  aside<T>(work: () => Promise<T>): Promise<T>
}

/** A game on a storage, whose ids are told by which action they are of. */
export async function openWorld(storage: Storage, { definition }: Pick<Life, 'definition'>): Promise<World> {
  let now = 0
  let number = 0
  let asides = 0
  const engine = createGamification<DefinedGame>({
    game: defineGame(definition),
    storage,
    clock: () => new Date(now),
    ids: () => {
      number += 1
      return `00000000-0000-7000-8000-${number.toString(16).padStart(12, '0')}`
    },
  })
  await engine.migrate()
  return {
    engine,
    storage,
    play: async (action, index) => {
      now = action.now
      number = index * 1_000
      return perform(engine, action)
    },
    aside: async (work) => {
      now = 0
      asides += 1
      number = 1_000_000_000 + asides * 1_000
      return work()
    },
  }
}

interface Placed extends LeaderboardRow {
  readonly user: string
}

const order = new Intl.Collator('en')

/** Every group of every run that some users are in, as a plain sort of their rows has it. */
export async function sortedBoards(
  storage: Storage,
  users: readonly string[],
): Promise<ReadonlyMap<string, readonly Placed[]>> {
  const boards = new Map<string, Placed[]>()
  for (const user of users) {
    const { leaderboards } = await storage.readUser({ tenant: '', user }, { leaderboards: {} })
    for (const row of leaderboards) {
      const id = JSON.stringify([row.leaderboard, row.run, row.group])
      boards.set(id, [...(boards.get(id) ?? []), { ...row, user }])
    }
  }
  for (const rows of boards.values()) {
    rows.sort((a, b) => b.value - a.value || a.reachedAt - b.reachedAt || order.compare(hexOf(a.user), hexOf(b.user)))
  }
  return boards
}

const hexOf = (text: string): string => Buffer.from(text).toString('hex')

/** What the storage answers of a board, each user with its rank. */
export async function pageOf(storage: Storage, board: string): Promise<readonly (readonly [string, number])[]> {
  const [leaderboard = '', run = '', group = ''] = JSON.parse(board) as readonly string[]
  const page = { limit: null, at: Number.MIN_SAFE_INTEGER, offset: 0, count: 1_000 }
  const lines = await storage.leaderboardPage('', { leaderboard, run, group }, page)
  return lines.map(({ user, rank }) => [user, rank])
}
