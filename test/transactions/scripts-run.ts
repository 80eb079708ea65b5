import { expect } from 'vitest'
import { memory } from '../../adapters/memory/index.ts'
import type { DefinedGame } from '../../src/game/define-game.ts'
import {
  createGamification,
  defineGame,
  type Gamification,
  isGamificationError,
  type Storage,
} from '../../src/index.ts'
import { TENANTS_GAME } from './game.ts'
import { type Script, type ScriptedCall, type Step, USERS } from './scripts.ts'
import type { Writer } from './writer.ts'

/** A transaction of the host's that a script runs in. */
export interface ScriptTransaction {
  readonly writer: Writer
  /** A statement of the host's. */
  exec(text: string): Promise<unknown>
  end(how: 'commit' | 'rollback'): Promise<unknown>
  /** After the commit. */
  committed(): Promise<void>
}

/** A storage whose transactions are looked at. */
export interface Target {
  readonly storage: Storage
  readonly engine: Gamification<DefinedGame>
  readonly time: Time
  begin(tenant: string, isSecondKind: boolean): Promise<ScriptTransaction>
}

/** The clock, and ids that follow from the number of the call: the same calls leave the same rows. */
export interface Time {
  now: number
  call: number
  ids: number
}

export function engineAt(storage: Storage): { readonly engine: Gamification<DefinedGame>; readonly time: Time } {
  const time: Time = { now: 0, call: 0, ids: 0 }
  const ids = (): string => {
    time.ids += 1
    return `call-${time.call}-${time.ids}`
  }
  const game = defineGame(TENANTS_GAME)
  const engine = createGamification<DefinedGame>({ game, storage, clock: () => new Date(time.now), ids })
  return { engine, time }
}

const START = Date.parse('2026-03-10T12:00:00.000Z')
const MINUTE = 60_000

/** A call that was committed: when it was made, and what its caller was told. */
interface Made {
  readonly call: ScriptedCall
  readonly number: number
  readonly now: number
  readonly told: string
}

/** Runs a script, and then its committed calls alone on `memory()`: callers, handlers and tables are told the same. */
export async function agree(target: Target, script: Script, tenant: string): Promise<void> {
  const heard: string[] = []
  const end = listen(target.engine, tenant, heard)
  const made = await run(target, script, tenant)
  end()

  const storage = memory()
  const { engine, time } = engineAt(storage)
  await engine.migrate()
  const expected: string[] = []
  listen(engine, tenant, expected)
  const writer = engine.tenant(tenant)
  for (const { call, number, now, told } of made) {
    Object.assign(time, { now, call: number, ids: 0 })
    expect(await outcomeOf(() => call.run(writer, now))).toBe(told)
  }
  expect(await stored(target.storage, tenant)).toEqual(await stored(storage, tenant))
  // A savepoint that the host gives up is its own affair: nobody tells us of it.
  const isAnswered = script.every(
    (step) => step.type === 'outside' || step.parts.every(({ savepoint }) => savepoint !== 'undone'),
  )
  if (isAnswered) expect(heard).toEqual(expected)
}

async function run(target: Target, script: Script, tenant: string): Promise<readonly Made[]> {
  const { engine, time } = target
  const outside = engine.tenant(tenant)
  const made: Made[] = []
  Object.assign(time, { now: START, call: 0 })

  const tell = async (call: ScriptedCall, writer: Writer): Promise<Made> => {
    time.now += call.minutes * MINUTE
    time.call += 1
    time.ids = 0
    const { call: number, now } = time
    return { call, number, now, told: await outcomeOf(() => call.run(writer, now)) }
  }

  const inTransaction = async (step: Step & { readonly type: 'transaction' }): Promise<void> => {
    const transaction = await target.begin(tenant, step.isSecondKind)
    const kept: Made[] = []
    for (const { calls, savepoint } of step.parts) {
      if (savepoint !== 'none') await transaction.exec('savepoint host')
      for (const call of calls) {
        const one = await tell(call, transaction.writer)
        if (savepoint !== 'undone') kept.push(one)
      }
      if (savepoint === 'undone') await transaction.exec('rollback to savepoint host')
      if (savepoint !== 'none') await transaction.exec('release savepoint host')
    }
    await transaction.end(step.end)
    if (step.end === 'rollback') return
    await transaction.committed()
    made.push(...kept)
  }

  for (const step of script) {
    if (step.type === 'transaction') await inTransaction(step)
    else for (const call of step.calls) made.push(await tell(call, outside))
  }
  return made
}

async function outcomeOf(call: () => unknown): Promise<string> {
  try {
    return JSON.stringify(await call())
  } catch (error) {
    if (isGamificationError(error)) return `${error.code}: ${error.message}`
    throw error
  }
}

function listen(engine: Gamification<DefinedGame>, tenant: string, heard: string[]): () => void {
  const names = ['user.created', 'achievement.completed', 'points.changed', 'streak.extended', 'streak.lost'] as const
  const ends = names.map((name) =>
    engine.on(name, (event) => {
      if (event.tenant === tenant) heard.push(`${name} ${JSON.stringify(event)}`)
    }),
  )
  return () => {
    for (const end of ends) end()
  }
}

/** Everything that a storage has of a tenant. */
async function stored(storage: Storage, tenant: string): Promise<unknown> {
  const users = USERS.map(async (user) => {
    const { state, awards, periods } = await storage.readUser({ tenant, user }, { awards: {}, periods: {} })
    return { state, awards, periods, log: await storage.readLog({ tenant, user }) }
  })
  return { users: await Promise.all(users), counters: await storage.counters(tenant) }
}
