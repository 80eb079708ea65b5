import { afterEach } from 'vitest'
import { memory } from '../../../adapters/memory/index.ts'
import type {
  GameDefinition,
  LeaderboardDefinition,
  MetricEventRequest,
  MetricEventResponse,
} from '../../../src/index.ts'
import { type Engine, openOn } from '../../support/engine.ts'

type Boards = { readonly [key: string]: LeaderboardDefinition<string, string, string> }
type Rest = Omit<Partial<MetricEventRequest>, 'user'> & { readonly user?: Omit<MetricEventRequest['user'], 'id'> }

interface Play {
  readonly engine: Engine
  /** At this instant the user adds so much to `words`. */
  add(at: string, user: string, value: number, rest?: Rest): Promise<MetricEventResponse['leaderboards']>
  /** One run of a board, best first: `ann 12`. */
  ranking(board: string, run?: string, userAttributes?: { readonly [name: string]: string }): Promise<readonly string[]>
}

export function toPlay(engine: Engine): Play {
  return {
    engine,
    add: async (at, user, value, { user: said, ...rest } = {}) => {
      engine.at(at)
      return (await engine.metrics.event('words', { user: { id: user, ...said }, value, ...rest })).leaderboards
    },
    ranking: async (board, run, userAttributes) => {
      const request = { ...(run === undefined ? {} : { run }), ...(userAttributes && { userAttributes }) }
      const { rankings } = await engine.leaderboards.get(board, request)
      return rankings.map(({ userId, value }) => `${userId} ${value}`)
    },
  }
}

/** Opens games with the metrics `words` and `laps`, the attributes `country` and `plan`, and these boards, in memory. */
export function usePlays(): (boards: Boards, rest?: Partial<GameDefinition>) => Promise<Play> {
  const opened: Engine[] = []
  afterEach(async () => {
    for (const engine of opened.splice(0)) await engine.close()
  })
  return async (boards, rest) => {
    const engine = await openOn(memory(), { now: '2024-01-01T12:00:00Z' }, gameWith(boards, rest))
    opened.push(engine)
    return toPlay(engine)
  }
}

export function gameWith(leaderboards: Boards, rest: Partial<GameDefinition> = {}): GameDefinition {
  return {
    metrics: { words: { name: 'Words' }, laps: { name: 'Laps' } },
    userAttributes: ['country', 'plan'],
    leaderboards,
    ...rest,
  }
}
