// @heavy: It takes more than three seconds.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createGamification, type DefinedGame, defineGame } from '../../../src/index.ts'
import type { Call } from '../../model/types.ts'
import { seedOfRun } from '../../support/zones.ts'
import { checkBoards } from './check-boards.ts'
import { drive } from './drive.ts'
import { games } from './games.ts'
import { histories, MOMENTS, type Moment } from './histories.ts'
import { HOSTS, type Host } from './hosts.ts'
import { type Answer, type BoardsModel, createBoardsModel, type GameDefinition, type Standing } from './model.ts'

const SOAK = process.env.SOAK !== undefined
const SEED = seedOfRun()
const FEW: { readonly [storage: string]: number } = { sqlite: 15, postgres: 4 }
const MOST_MOMENTS = SOAK ? 50 : 25

async function agree(host: Host, definition: GameDefinition, moments: readonly Moment[]): Promise<void> {
  const game: DefinedGame = defineGame(definition)
  let now = 0
  const { storage } = host
  const engine = createGamification<DefinedGame>({ game, storage, clock: () => new Date(now) })
  await engine.migrate()
  const model = createBoardsModel(definition)
  try {
    for (const { calls, isLookedAt, isJoined, ...at } of moments) {
      now = at.now
      const answers: Answer[] = []
      if (isJoined) {
        await host.transact(engine, async (writer) => {
          for (const call of calls) answers.push(await drive(writer, call))
        })
      } else {
        answers.push(...(await Promise.all(calls.map((call) => drive(engine, call)))))
      }
      for (const [index, call] of calls.entries()) {
        const expected = withoutExpired(model, call, model.call(call))
        expect({ call, answer: withoutExpired(model, call, answers[index]) }).toEqual({ call, answer: expected })
      }
      if (isLookedAt) await checkBoards({ model, engine, storage, now })
    }
    for (const wait of [0, 14, 26]) {
      now += wait * 3_600_000
      await checkBoards({ model, engine, storage, now })
    }
  } finally {
    await engine.close()
    await host.close()
  }
}

/** No rule decides if a late event reports a change of a streak that no longer runs. */
function withoutExpired(model: BoardsModel, call: Call, answer: Answer | undefined): Answer | undefined {
  if (answer === null || answer === undefined) return answer
  const isThere = ([board, { rank }]: readonly [string, Standing]): boolean =>
    rank !== null || model.entries(board, call.id, call.now).length > 0
  return Object.fromEntries(Object.entries(answer).filter(isThere))
}

/**
 * On Postgres a user who was changed elsewhere in the meantime, or whose idempotency key is used, is stored after the
 * others of the batch. The order of arrival then differs from the order of the ranks.
 */
function inOrderOfArrival(moments: readonly Moment[]): readonly Moment[] {
  const hasJoined = moments.some(({ isJoined }) => isJoined)
  return moments.flatMap((moment) => {
    if (moment.isJoined || moment.calls.length === 1) return [moment]
    if (hasJoined) return moment.calls.map((call) => ({ ...moment, calls: [call] }))
    return [{ ...moment, calls: moment.calls.map(withoutKey) }]
  })
}

function withoutKey(call: Call): Call {
  if (call.call !== 'event') return call
  const { idempotencyKey: _, ...rest } = call
  return rest
}

const cases = fc
  .constantFrom(...MOMENTS)
  .chain((start) => fc.tuple(games(start.slice(0, 10)), histories(start, MOST_MOMENTS)))

describe.each(Object.entries(HOSTS))('Boards on %s', (name, open) => {
  const runs = Number(process.env.HISTORIES ?? (SOAK ? 1_000 : FEW[name]))

  it(`rank ${runs} random histories as a plain sort does (seed ${SEED})`, { timeout: 3_000_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(cases, async ([definition, moments]) =>
        agree(await open(), definition, name === 'postgres' ? inOrderOfArrival(moments) : moments),
      ),
      {
        numRuns: runs,
        seed: SEED,
        endOnFailure: process.env.SHRINK === '0',
        ...(process.env.PATH_OF === undefined ? {} : { path: process.env.PATH_OF }),
      },
    )
  })
})
