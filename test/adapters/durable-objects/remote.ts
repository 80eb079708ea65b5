import type { Miniflare } from 'miniflare'
import {
  type DefinedGame,
  type ErrorCode,
  type GameDefinition,
  type Gamification,
  GamificationError,
  type Issue,
} from '../../../src/index.ts'
import type { StoredUser } from '../../../src/storage/storage.ts'
import type { Fold } from '../../support/fold.ts'

/** A member of what the step before led to, and its arguments if it is called. */
export interface Step {
  readonly name: string
  readonly given?: readonly unknown[]
}

/** A call of a function that the test gave. */
export interface Called {
  readonly callback: number
  readonly values: readonly unknown[]
}

export interface Answer {
  readonly value?: unknown
  readonly error?: { readonly code: ErrorCode; readonly message: string; readonly issues: readonly Issue[] }
  readonly called: readonly Called[]
}

interface Objects {
  newUniqueId(): unknown
  get(id: unknown): Stub
}

interface Stub {
  open(definition: unknown, options: object): Promise<Answer>
  call(engine: number, now: number, steps: readonly Step[]): Promise<Answer>
  user(id: string): Promise<StoredUser>
  fold(): Promise<Fold>
}

/** An object with engines in workerd. Each call of an engine is a request to the object. */
export interface RemoteObject {
  open(definition: GameDefinition): Promise<Gamification<DefinedGame>>
  user(id: string): Promise<StoredUser>
  fold(): Promise<Fold>
}

/** These return an API at once, without a request. */
const AT_ONCE = new Set(['tenant', 'forRequest'])

/** A new object of the Worker `workers/engines.ts`. `now` is its clock. */
export async function openObject(worker: Miniflare, now: () => number, options: object = {}): Promise<RemoteObject> {
  // Without the types of Cloudflare, which the project does not have.
  const objects = (await worker.getDurableObjectNamespace('GAME')) as unknown as Objects
  const stub = objects.get(objects.newUniqueId())
  const callbacks: ((...values: readonly unknown[]) => unknown)[] = []

  const settle = async ({ value, error, called }: Answer): Promise<unknown> => {
    for (const { callback, values } of called) await callbacks[callback]?.(...values)
    if (error !== undefined) throw new GamificationError(error.code, error.message, { issues: error.issues })
    return value
  }
  const toSent = (given: unknown): unknown =>
    typeof given === 'function' ? { callback: callbacks.push(given as () => unknown) - 1 } : given

  const memberOf = (engine: number, before: readonly Step[]): unknown =>
    new Proxy(() => {}, {
      get: (target, name) => {
        // The test adds members of its own. With `then` it would be a promise.
        if (Object.hasOwn(target, name) || name === 'then') return Reflect.get(target, name)
        return memberOf(engine, [...before, { name: String(name) }])
      },
      apply: (_, __, given: readonly unknown[]) => {
        const name = before.at(-1)?.name ?? ''
        const steps = [...before.slice(0, -1), { name, given: given.map(toSent) }]
        if (AT_ONCE.has(name)) return memberOf(engine, steps)
        const call = async (): Promise<unknown> => settle(await stub.call(engine, now(), steps))
        return name === 'export' ? linesOf(call) : call()
      },
    })

  return {
    open: async (definition) => {
      const engine = await settle(await stub.open(definition, { ...options, now: now() }))
      return memberOf(engine as number, []) as Gamification<DefinedGame>
    },
    user: (id) => stub.user(id),
    fold: () => stub.fold(),
  }
}

async function* linesOf(read: () => Promise<unknown>): AsyncGenerator<string> {
  yield* (await read()) as readonly string[]
}
