// A game of readers behind the API of a signed-in user, and a client whose requests a test can hold back or fail.

import { createGamification, defineGame, type Gamification } from 'laurels'
import { createClient, type GamificationClient } from 'laurels/client'
import { userApi } from 'laurels/fetch'
import { memory } from 'laurels/memory'
import { createTestClock } from 'laurels/testing'

export const game = defineGame({
  metrics: {
    pages: { name: 'Pages' },
    fastest: { name: 'Fastest', aggregation: 'min' },
    mood: { name: 'Mood', aggregation: 'last' },
  },
  achievements: {
    first: { name: 'First page', trigger: 'metric', metric: 'pages', value: 1 },
    bookworm: { name: 'Bookworm', trigger: 'metric', metric: 'pages', value: 1_000 },
  },
  points: {
    xp: {
      name: 'XP',
      triggers: [{ type: 'metric', metric: 'pages', threshold: 10, points: 5 }],
      levels: { reader: { name: 'Reader', points: 10 } },
    },
  },
  streak: { frequency: 'daily', metrics: { pages: { threshold: 1 } } },
  leaderboards: { all: { name: 'All', rankBy: 'metric', metric: 'pages', start: '2026-01-01' } },
  challenges: {
    daily: {
      name: 'Daily',
      every: 'day',
      of: [{ metric: 'pages', value: 20 }],
      claim: { within: { days: 1 } },
      reward: { points: { xp: 7 } },
    },
  },
  clients: { events: { pages: { max: 500 }, fastest: {}, mood: {} }, challenges: ['daily'] },
})

export type ReadersGame = typeof game

export interface Readers {
  readonly client: GamificationClient<ReadersGame>
  readonly gamification: Gamification<ReadersGame>
  readonly clock: ReturnType<typeof createTestClock>
  /** The requests so far, such as `GET users/18/streak`. */
  readonly requests: string[]
  /** Holds back the answers to the next requests whose line contains this, until the returned function is called. */
  hold(part: string): () => void
  /** Gives the next request whose line contains this no answer. `isStored`: the server carries it out. */
  lose(part: string, isStored?: boolean): void
}

/** User 18 is signed in, and known from the start. */
export async function startReaders(): Promise<Readers> {
  const clock = createTestClock('2026-03-02T09:00:00Z')
  const gamification = createGamification({ game, storage: memory(), clock: clock.now })
  await gamification.users.identify('18', { name: 'Ada' })
  const handle = userApi(gamification, { prefix: '/game', user: () => '18' })
  const requests: string[] = []
  const held: { readonly part: string; readonly until: Promise<void> }[] = []
  const lost: { readonly part: string; readonly isStored: boolean }[] = []

  const answer: typeof fetch = async (input, init) => {
    const request = new Request(input, init)
    request.headers.set('Origin', 'https://app.example.com')
    const line = `${request.method} ${request.url.replace('https://app.example.com/game/', '')}`
    requests.push(line)
    const gates = held.filter(({ part }) => line.includes(part))
    const loss = lost.findIndex(({ part }) => line.includes(part))
    const [{ isStored } = { isStored: true }] = loss < 0 ? [] : lost.splice(loss, 1)
    const response = isStored ? await handle(request) : null
    const { promise: aborted, reject } = Promise.withResolvers<never>()
    request.signal.throwIfAborted()
    request.signal.addEventListener('abort', () => reject(request.signal.reason))
    await Promise.race([aborted, Promise.all(gates.map(({ until }) => until))])
    if (loss >= 0 || response === null) throw new TypeError('The connection was lost')
    return response
  }
  return {
    client: createClient<ReadersGame>({ baseUrl: 'https://app.example.com/game', fetch: answer, retries: 0 }),
    gamification,
    clock,
    requests,
    hold: (part) => {
      const { promise, resolve } = Promise.withResolvers<void>()
      const gate = { part, until: promise }
      held.push(gate)
      return () => {
        held.splice(held.indexOf(gate), 1)
        resolve()
      }
    },
    lose: (part, isStored = false) => void lost.push({ part, isStored }),
  }
}
