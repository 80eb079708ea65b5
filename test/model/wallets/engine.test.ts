// @early: It takes long for its size.
// Wallets on every storage beside the naive walk. HISTORIES=… goes through as many; SEED=… repeats a run.

import { describe, expect, it } from 'vitest'
import { openOn } from '../../support/engine.ts'
import { howMany } from '../../support/share.ts'
import { keepSnapshotsEvery } from '../../support/snapshots.ts'
import { SOAK, seedOfRun } from '../../support/zones.ts'
import { STORAGES } from '../storages.ts'
import { definitionOf } from './definition.ts'
import { type Driven, drive, look, statement, textOf } from './drive.ts'
import { type History, historyOf, USERS } from './histories.ts'
import { createModel, type Model } from './model.ts'
import { comparable } from './rows.ts'

// Short histories have snapshots too: late events start from them.
keepSnapshotsEvery(3)

const RUNS = howMany(8, 100, 20_000)
const SEED = seedOfRun()
const HOUR = 3_600_000
const TEN_YEARS = 87_600

async function compare(driven: Driven, model: Model, user: string, now: number, about: object): Promise<void> {
  for (const system of ['coins', 'gems']) {
    const expected = model.look(user, system, now)
    if (expected === null) continue
    const found = await look(driven, user, system)
    expect(found, JSON.stringify({ user, system, ...about })).toEqual(expected)
    const { balance, total, spent, expired, held, pending } = found
    expect(total - spent - expired - held - pending).toBe(balance)
  }
}

async function play(driven: Driven, { first, calls, starts }: History): Promise<void> {
  const model = createModel(first)
  const games = [first, ...calls.flatMap(({ act }) => (act.type === 'apply' ? [act.game] : []))]
  for (const [index, call] of calls.entries()) {
    driven.engine.at(textOf(call.at))
    const expected = model.call(call)
    const { balance } = await drive(driven, call).then((found) => {
      expect({ index, call, code: found.code }).toEqual({ index, call, code: expected.code })
      return found
    })
    if (expected.balance !== undefined)
      expect({ index, call, balance }).toEqual({ index, call, balance: expected.balance })
    // Each look asks for much, so not of all users after every call.
    for (const user of index % 5 === 0 ? USERS : [call.user])
      if (model.has(user)) await compare(driven, model, user, call.at, { index, call })
  }
  const last = calls.at(-1)?.at ?? starts
  for (const wait of [0, 30, 1_500, 12_000, TEN_YEARS]) {
    const now = last + wait * HOUR
    driven.engine.at(textOf(now))
    for (const user of USERS) {
      if (!model.has(user)) continue
      await compare(driven, model, user, now, { wait })
      for (const system of ['coins', 'gems']) {
        if (wait === TEN_YEARS || model.look(user, system, now) === null) continue
        const about = { games, system }
        const rows = await statement(driven, user, system)
        expect(comparable(rows, about)).toEqual(comparable(model.statement(user, system, now), about))
      }
    }
  }
  expect((await driven.engine.verify()).drift).toEqual([])
}

describe.each(STORAGES)('On $name', ({ name, open }) => {
  const runs = Number(process.env.HISTORIES ?? (name === 'SQLite in memory' ? RUNS : Math.ceil(RUNS / 10)))
  it(`wallets follow the naive walk in ${runs} histories (seed ${SEED})`, {
    timeout: SOAK ? 14_400_000 : 3_600_000,
  }, async () => {
    for (let run = 0; run < runs; run += 1) {
      const history = historyOf(SEED + run, 40)
      const { storage, end } = open()
      const engine = await openOn(storage, { now: textOf(history.starts) }, definitionOf(history.first))
      const driven: Driven = { engine, game: history.first, ids: new Map() }
      try {
        await play(driven, history)
      } catch (error) {
        throw new Error(`seed ${SEED + run}: ${error instanceof Error ? error.message : error}`, { cause: error })
      } finally {
        await driven.engine.close()
        await end?.()
      }
    }
  })
})
