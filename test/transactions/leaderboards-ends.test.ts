// What hosts' transactions do to leaderboards: nothing before their COMMIT, all of it after, and nobody waits for them.

import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, describe, expect, test } from 'vitest'
import { checkFold } from '../support/check-fold.ts'
import { BOARDS } from './leaderboards-game.ts'
import { boardsOf } from './leaderboards-world.ts'
import { beginPg, HOSTS } from './postgres-hosts.ts'
import { type Tables, useWorld } from './postgres-world.ts'
import { codeOf, settlesWithin } from './settled.ts'
import { joined } from './writer.ts'

const SOAK = process.env.SOAK !== undefined
const OPEN_MS = SOAK ? 6_000 : 500

const world = useWorld(BOARDS)
afterAll(() => checkFold(world().storage))

const event = (id: string, value: number, country?: string) => {
  const attributes = country === undefined ? {} : { attributes: { country } }
  return ['words', { user: { id, ...attributes }, value }] as const
}

/** The tables of leaderboards alone. */
function boardsIn(tables: Tables): Tables {
  return Object.fromEntries(Object.entries(tables).filter(([name]) => name.startsWith('leaderboard_')))
}

describe.each(HOSTS)('a transaction by %s', (_, begin) => {
  test('leaves nothing after its ROLLBACK, and everything after its COMMIT', async () => {
    const { engine, pool, dump, nextUser } = world()
    const boards = boardsOf(world())
    const [ann, bob, cid, spain] = [nextUser(), nextUser(), nextUser(), `Spain of ${nextUser()}`]
    await engine.metrics.event(...event(ann, 30, spain))
    await engine.metrics.event(...event(bob, 20, spain))
    await boards.addUp()
    const before = boardsIn(await dump())

    for (const end of ['rollback', 'commit'] as const) {
      const opened = await begin(pool)
      const { metrics, users } = joined(engine, opened.tx)
      const first = await metrics.event(...event(bob, 15))
      await users.identify(ann, { attributes: { country: 'fr' } })
      await metrics.event(...event(cid, 100, spain))
      const last = await metrics.event(...event(bob, -30))
      expect(boardsIn(await dump())).toEqual(before)
      await opened[end]()
      const ranks = [first, last].map(({ leaderboards: { country } }) => [country?.previousRank, country?.rank])
      // Ann is passed, then leaves; Cid comes.
      expect(ranks).toEqual([
        [2, 1],
        [2, 2],
      ])
      if (end === 'rollback') expect(boardsIn(await dump())).toEqual(before)
    }
    const { pending } = await boards.check()
    expect(pending).toBeGreaterThan(0)
    const read = async (): Promise<unknown> =>
      (await engine.leaderboards.get('country', { userAttributes: { country: spain } })).rankings
    const rankings = [
      { userId: cid, userName: null, rank: 1, value: 100 },
      { userId: bob, userName: null, rank: 2, value: 5 },
    ]
    expect(await read()).toEqual(rankings)
    await boards.addUp()
    expect((await boards.check()).pending).toBe(0)
    expect(await read()).toEqual(rankings)
  })
})

describe('while transactions are open', () => {
  test('all other users of the same leaderboards are answered, by every process', async () => {
    const { engine, pool, nextUser, another } = world()
    const other = await another()
    const boards = boardsOf(world())
    const [held, moved] = [nextUser(), nextUser()]
    await engine.metrics.event(...event(moved, 5, 'es'))
    const opened = await Promise.all([beginPg(pool), beginPg(pool)])
    // In one the leader, and the first of a group; in the other somebody who leaves a group.
    await joined(engine, opened[0].tx).metrics.event(...event(held, 1_000, 'nowhere yet'))
    await joined(engine, opened[1].tx).metrics.event(...event(moved, 990, 'fr'))

    const started = performance.now()
    let slowest = 0
    let events = 0
    while (performance.now() - started < OPEN_MS) {
      const users = Array.from({ length: 40 }, nextUser)
      const countries = ['es', 'fr', 'nowhere yet']
      const began = performance.now()
      const calls = users.map((id, index) =>
        (index % 2 === 0 ? engine : other).metrics.event(...event(id, index, countries[index % 3])),
      )
      expect(await settlesWithin(4_000, Promise.all(calls))).toBe(true)
      await Promise.all(calls)
      slowest = Math.max(slowest, performance.now() - began)
      events += calls.length
      await boards.counts()
    }
    await boards.check()
    process.stdout.write(`${events} events beside two open transactions, the slowest in ${Math.round(slowest)} ms\n`)

    await opened[0].commit()
    await boards.check()
    await opened[1].rollback()
    await boards.check()
    const top = await engine.leaderboards.get('top')
    expect(top.rankings[0]).toMatchObject({ userId: held, value: 1_000 })
  })

  test('they do not wait for each other, in whatever order they come to the leaderboards', async () => {
    const { engine, pool, nextUser } = world()
    const [first, second] = [await beginPg(pool), await beginPg(pool)]
    const countries = ['es', 'fr', 'pt']
    const whole = Promise.all(
      [first, second].map(async ({ tx }, index) => {
        const order = index === 0 ? countries : countries.toReversed()
        for (const country of order) {
          await joined(engine, tx).metrics.event(...event(nextUser(), 7, country))
          await sleep(20)
        }
      }),
    )
    expect(await settlesWithin(3_000, whole)).toBe(true)
    await whole
    await second.commit()
    await boardsOf(world()).check()
    await first.commit()
    await boardsOf(world()).check()
  })

  test('those that touch two users in opposite order have one victim, as by their own rows, and the other goes on', async () => {
    const { engine, pool, nextUser } = world()
    const [ann, bob] = [nextUser(), nextUser()]
    for (const id of [ann, bob]) await engine.metrics.event(...event(id, 50, 'es'))
    const goOn = await Promise.all(
      [
        [ann, bob],
        [bob, ann],
      ].map(async ([one = '', two = '']) => {
        const opened = await beginPg(pool)
        await joined(engine, opened.tx).metrics.event(...event(one, 1))
        return async () => {
          const code = await codeOf(joined(engine, opened.tx).metrics.event(...event(two, 1)))
          await (code === 'ok' ? opened.commit() : opened.rollback())
          return code
        }
      }),
    )
    const codes = await Promise.all(goOn.map((go) => go()))
    expect(codes.toSorted()).toEqual(['40P01', 'ok'])
    const totals = [ann, bob].map(async (id) => (await engine.users.leaderboard(id, 'all')).value)
    expect(await Promise.all(totals)).toEqual([51, 51])
    await boardsOf(world()).check()
  })
})
