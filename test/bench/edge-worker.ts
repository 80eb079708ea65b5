// Runs in workerd: the game of the benchmarks in an object, which counts the rows that it writes.

import { DurableObject } from 'cloudflare:workers'
import { durableObject, type ObjectContext } from '../../adapters/durable-objects/index.ts'
import { createGamification, type DefinedGame, type Gamification } from '../../src/index.ts'
import { type BenchEvent, events, game } from './game.ts'
import { measure } from './measure.ts'

interface Cursor extends Iterable<object> {
  readonly rowsWritten: number
  toArray(): object[]
}

interface Sql {
  readonly databaseSize: number
  exec(text: string, ...values: unknown[]): Cursor
}

export interface Written {
  readonly rows: number
  readonly bytes: number
}

export class Game extends DurableObject {
  readonly #sql: Sql
  readonly #engine: Gamification<DefinedGame>
  #rows = 0
  #cursor: Cursor | null = null

  constructor(ctx: ObjectContext, env: unknown) {
    super(ctx, env)
    const { storage } = ctx
    this.#sql = storage.sql as Sql
    const counting = {
      sql: { exec: (text: string, ...values: unknown[]) => this.#exec(text, values) },
      transactionSync: storage.transactionSync.bind(storage),
      transaction: storage.transaction.bind(storage),
      getAlarm: storage.getAlarm.bind(storage),
      setAlarm: storage.setAlarm.bind(storage),
    }
    this.#engine = createGamification({ game, storage: durableObject({ storage: counting }) })
    ctx.blockConcurrencyWhile(() => this.#engine.migrate())
  }

  /** A cursor knows how many rows its statement wrote when the statement has ended. */
  #exec(text: string, values: readonly unknown[]): Cursor {
    this.#rows += this.#cursor?.rowsWritten ?? 0
    this.#cursor = this.#sql.exec(text, ...values)
    return this.#cursor
  }

  async event({ user, metric, value }: BenchEvent): Promise<void> {
    await this.#engine.metrics.event(metric, { user: { id: user }, value })
  }

  /** Records events by callers within the object. */
  async run(callers: number, count: number, users: number): Promise<void> {
    const source = events(users, callers)
    await measure(callers, count, () => this.event(source.next().value as BenchEvent))
  }

  written(): Written {
    return { rows: this.#rows + (this.#cursor?.rowsWritten ?? 0), bytes: this.#sql.databaseSize }
  }
}

interface Env {
  readonly GAME: { getByName(name: string): Pick<Game, 'event' | 'run' | 'written'> }
}

// biome-ignore lint/style/noDefaultExport: the form of a Worker
export default {
  /** A POST is one event. `/run` records many, and `/written` says what the object has written. */
  fetch: async (request: Request, { GAME }: Env): Promise<Response> => {
    const object = GAME.getByName('bench')
    const { pathname, searchParams } = new URL(request.url)
    const numberOf = (name: string): number => Number(searchParams.get(name))
    if (pathname === '/written') return Response.json(await object.written())
    if (pathname === '/run') await object.run(numberOf('callers'), numberOf('count'), numberOf('users'))
    else await object.event((await request.json()) as BenchEvent)
    return new Response()
  },
}
