import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { memory } from '../../adapters/memory/index.ts'
import { sqlite } from '../../adapters/sqlite/index.ts'
import type { GamificationMessage, MessageType } from '../../src/index.ts'
import { inOrder, open, type Played } from '../api/events/void-lives.ts'
import { type Life, lives } from '../record/random-lives.ts'
import { SOAK, seedOfRun } from '../support/zones.ts'
import { LIVE, STANDING, standing } from './standing-messages.ts'

// Random lives, what subscriptions are handed of them, and the same made again from the logs.

const HOUR = 3_600_000
const DAY = 24 * HOUR
const RUNS = Number(process.env.HISTORIES ?? (SOAK ? 600 : 12))
const MOST_DEEDS = SOAK ? 40 : 24
const SEED = seedOfRun()

async function listen(
  { engine }: Played,
  name: string,
  types: readonly MessageType[],
  from: 'now' | 'start' = 'now',
): Promise<GamificationMessage[]> {
  const handed: GamificationMessage[] = []
  await engine.subscribe(name, { types, from }, (messages) => {
    handed.push(...messages)
  })
  return handed
}

/** Plays a life; after each deed whose number `sweeps` says, everything is swept. */
async function play(played: Played, { deeds }: Life, sweeps: (number: number) => boolean): Promise<number> {
  let last = 0
  for (const [number, deed] of deeds.entries()) {
    await played.play(number, deed)
    last = Math.max(last, deed.now)
    if (sweeps(number)) await played.engine.workOnce()
  }
  return last
}

const STORAGES = [
  { name: 'memory', create: memory, runs: RUNS },
  { name: 'sqlite', create: () => sqlite(':memory:'), runs: Math.ceil(RUNS / 3) },
]

describe.each(STORAGES)(`Random histories, on $name (seed ${SEED})`, ({ create, runs }) => {
  test('what was told and not taken back is what the logs tell', async () => {
    const cases = fc.record({ life: lives(MOST_DEEDS).map(inOrder), every: fc.constantFrom(1, 3, 1_000) })
    await fc.assert(
      fc.asyncProperty(cases, async ({ life, every }) => {
        const played = await open(life.definition, create())
        try {
          // Before any deed, and before what is told of earlier days.
          played.at((life.deeds[0]?.now ?? 0) - 400 * DAY)
          const live = await listen(played, 'live', LIVE)
          const last = await play(played, life, (number) => number % every === 0)
          played.at(last + 3 * DAY)
          await played.engine.workOnce()
          const again = await listen(played, 'again', STANDING, 'start')
          await played.engine.workOnce()
          expect(new Set(again.map(({ id }) => id)).size).toBe(again.length)
          expect(standing(again)).toEqual(standing(live))
          expect(await played.engine.verify()).toMatchObject({ drift: [] })
        } finally {
          await played.engine.close()
        }
      }),
      { numRuns: runs, seed: SEED },
    )
  })

  test('nobody sweeping for forty days, then one sweep: as if it was swept every hour', async () => {
    await fc.assert(
      fc.asyncProperty(lives(8).map(inOrder), async (life) => {
        const handed = await Promise.all(
          [HOUR, 40 * DAY].map(async (step) => {
            const played = await open(life.definition, create())
            try {
              played.at((life.deeds[0]?.now ?? 0) - 400 * DAY)
              const messages = await listen(played, 'live', [...LIVE, 'points.changed'])
              const last = await play(played, life, () => false)
              for (let now = last; now <= last + 40 * DAY; now += step) {
                played.at(now)
                await played.engine.workOnce()
              }
              return messages
            } finally {
              await played.engine.close()
            }
          }),
        )
        const [hourly, once] = handed.map((messages) =>
          messages.map(({ userId, type, at, id }) => [userId, type, at, id]),
        )
        const users = new Set(hourly?.map(([user]) => user))
        for (const user of users) {
          const own = (all: typeof hourly) => all?.filter(([id, type]) => id === user && type !== 'points.changed')
          expect(own(once)).toEqual(own(hourly))
        }
        expect(new Set(once?.map(([, , , id]) => id))).toEqual(new Set(hourly?.map(([, , , id]) => id)))
      }),
      { numRuns: Math.ceil(runs / 4), seed: SEED },
    )
  })
})
