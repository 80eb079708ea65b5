// The rules alone beside the naive walk, in many histories: their wallets and statements are the same after each call.

import { expect, test } from 'vitest'
import { howMany } from '../../support/share.ts'
import { seedOfRun } from '../../support/zones.ts'
import { historyOf, USERS } from './histories.ts'
import { createModel } from './model.ts'
import { liveByRules } from './pure.ts'
import { comparable } from './rows.ts'
import type { Game } from './types.ts'

const RUNS = Number(process.env.HISTORIES ?? howMany(10, 200, 20_000))
const SEED = seedOfRun()

function play(seed: number): void {
  const { first, calls } = historyOf(seed, 40)
  const model = createModel(first)
  const games: Game[] = [first]
  for (const [index, call] of calls.entries()) {
    model.call(call)
    if (call.act.type === 'apply') games.push(call.act.game)
    for (const user of USERS) {
      if (!model.has(user)) continue
      const found = liveByRules(games, model.log(user), call.at)
      for (const system of ['coins', 'gems']) {
        const expected = model.look(user, system, call.at)
        if (expected === null) continue
        const about = JSON.stringify({ seed, index, user, system })
        expect(found.look(system), about).toEqual(expected)
        const of = { games, system }
        const rows = comparable(model.statement(user, system, call.at), of)
        expect(comparable(found.statement(system), of), about).toEqual(rows)
      }
    }
  }
}

test(`The wallets of ${RUNS} histories follow the naive walk (seed ${SEED})`, { timeout: 14_400_000 }, () => {
  for (let run = 0; run < RUNS; run += 1) play(SEED + run)
})
