// @heavy: It takes more than three seconds.

import { expect, test } from 'vitest'
import { createSender } from '../../../src/messages/webhooks/send.ts'
import { openReceiver } from './receiver.ts'
import { HOUR, openWorld } from './world.ts'

const MESSAGES = process.env.SOAK === undefined ? 1_000 : 10_000
const USERS = 50

/** Fails one in five, as it comes; tells what it took, in order. */
async function openUnsteady() {
  const taken: { readonly user: string; readonly n: number }[] = []
  let asked = 0
  const receiver = await openReceiver(({ body }, response) => {
    asked += 1
    if (asked % 5 === 0) return response.writeHead(asked % 2 === 0 ? 500 : 429).end()
    const { userId, data } = JSON.parse(body)
    taken.push({ user: userId, n: data.n })
    return response.end()
  })
  return { ...receiver, taken }
}

test.each([['user'], ['none']] as const)(
  `Of ${MESSAGES} messages to a receiver that fails one in five each arrives once, in the order "%s"`,
  async (order) => {
    // This many requests of one process may wait for a processor, and no request may be sent again for that reason.
    const world = openWorld({ send: createSender({ timeoutMs: 60_000 }) })
    const { address, taken, received } = await openUnsteady()
    const { id } = await world.api.create({ url: address, types: ['streak.lost'], order })
    for (let from = 0; from < MESSAGES; from += 500) {
      const batch = Array.from({ length: 500 }, (_, index) => from + index)
      await world.write(...batch.map((n) => ({ user: `user-${n % USERS}`, data: { n } })))
    }
    for (let rounds = 0; rounds < 1_000 && taken.length < MESSAGES; rounds += 1) {
      await world.work()
      // Over the longer pauses too.
      world.clock.now += HOUR
    }
    expect((await world.api.get(id)).deliveries).toEqual({ waiting: 0, done: MESSAGES, dead: 0 })
    expect(taken.map(({ n }) => n).sort((a, b) => a - b)).toEqual(Array.from({ length: MESSAGES }, (_, n) => n))
    expect(received.length).toBeGreaterThan(MESSAGES * 1.2)
    if (order === 'none') return
    for (let user = 0; user < USERS; user += 1) {
      const own = taken.filter((each) => each.user === `user-${user}`).map(({ n }) => n)
      expect(own).toEqual(own.toSorted((a, b) => a - b))
    }
  },
  1_800_000,
)
