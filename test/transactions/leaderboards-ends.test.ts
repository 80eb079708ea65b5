// What hosts' transactions do to leaderboards: nothing before their COMMIT, all of it after, and nobody waits for them.

import { afterAll, describe, expect, test } from 'vitest'
import { checkFold } from '../support/check-fold.ts'
import { BOARDS } from './leaderboards-game.ts'
import { boardsOf } from './leaderboards-world.ts'
import { beginPg, HOSTS } from './postgres-hosts.ts'
import { type Tables, useWorld } from './postgres-world.ts'
import { codeOf } from './settled.ts'
import { joined } from './writer.ts'

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
