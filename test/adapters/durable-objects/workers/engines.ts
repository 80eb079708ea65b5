// Runs in workerd: engines in objects, which tests in Node call.

import { DurableObject } from 'cloudflare:workers'
import { createGamification, type DefinedGame, defineGame, type GameDefinition, GamificationError } from 'laurels'
import { durableObject } from 'laurels/durable-objects'
import type { Gamification, Storage } from '../../../../src/index.ts'
import { snapshotLines } from '../../../../src/record/accept/derived-rows.ts'
import { loadUser } from '../../../../src/sql/read-user.ts'
import { type Fold, readFold } from '../../../support/fold.ts'
import type { Answer, Called, Step } from '../remote.ts'

interface Opening {
  readonly now: number
  readonly snapshotsEvery?: number
}

export class Game extends DurableObject {
  readonly #storage: Storage = durableObject(this.ctx)
  readonly #engines: Gamification<DefinedGame>[] = []
  #called: Called[] = []
  #now = 0

  /** Makes one more engine on the object's storage, and resolves with its number. */
  open(definition: GameDefinition, { now, snapshotsEvery }: Opening): Promise<Answer> {
    this.#now = now
    if (snapshotsEvery !== undefined) snapshotLines.every = snapshotsEvery
    return this.#answer(async () => {
      const engine = createGamification<DefinedGame>({
        game: defineGame(definition),
        storage: this.#storage,
        clock: () => new Date(this.#now),
        webhooks: { secretKey: 'a key of the host, long enough for this' },
      })
      await engine.migrate()
      return this.#engines.push(engine) - 1
    })
  }

  /** Calls what the steps lead to. */
  call(engine: number, now: number, steps: readonly Step[]): Promise<Answer> {
    this.#now = now
    return this.#answer(async () => {
      let value: unknown = this.#engines[engine]
      for (const { name, given } of steps) {
        const member: unknown = Reflect.get(value as object, name)
        if (given === undefined) value = member
        else value = Reflect.apply(member as () => unknown, value, this.#revive(name, given))
      }
      return isLines(value) ? await readLines(value) : await value
    })
  }

  /** All that the storage has of a user. */
  user(user: string): Promise<unknown> {
    return loadUser(this.#storage, { tenant: '', user }, { awards: {} })
  }

  fold(): Promise<Fold> {
    return readFold(this.#storage)
  }

  /** A function of the test is a number here, and is called when the answer has arrived. */
  #revive(name: string, given: readonly unknown[]): readonly unknown[] {
    // The instant at which a request began is one of this process.
    if (name === 'forRequest') return [performance.now(), ...given.slice(1)]
    return given.map((each) => {
      const { callback } = (each ?? {}) as { readonly callback?: number }
      return callback === undefined ? each : (...values: unknown[]) => void this.#called.push({ callback, values })
    })
  }

  async #answer(run: () => Promise<unknown>): Promise<Answer> {
    const result = await run().then(
      (value) => ({ value }),
      (error: unknown) => {
        if (!(error instanceof GamificationError)) throw error
        const { code, message, issues } = error
        return { error: { code, message, issues } }
      },
    )
    const called = this.#called
    this.#called = []
    return { ...result, called }
  }
}

async function readLines(lines: AsyncIterable<unknown>): Promise<readonly unknown[]> {
  const read: unknown[] = []
  for await (const line of lines) read.push(line)
  return read
}

const isLines = (value: unknown): value is AsyncIterable<unknown> =>
  typeof value === 'object' && value !== null && Symbol.asyncIterator in value

// biome-ignore lint/style/noDefaultExport: the form of a Worker
export default { fetch: (): Response => new Response() }
