import type { z } from 'zod'
import type { Call, WriteCall } from '../runtime/context.ts'
import { gameKey, parse, userId } from '../runtime/input.ts'
import type { Steps } from '../storage/steps.ts'
import type { HostTransaction } from '../storage/storage.ts'
import type { Endpoint } from './endpoint.ts'

/** Options of every call that writes. */
export interface WriteOptions {
  /**
   * Writes within this transaction of yours: your commit saves the call, and your rollback undoes it. Handlers run when
   * you call `tx.committed()` after the commit.
   */
  readonly tx?: HostTransaction
}

/** Options of the calls that record what a user did. */
export interface RecordOptions extends WriteOptions {
  /**
   * Returns what the call would return now, with ranks and refusals, and writes nothing. No handler runs, the
   * idempotency key stays unused, and the ids of new rows are not kept. Cannot be combined with `tx`.
   */
  readonly dryRun?: boolean
}

/** Options of the client's calls. */
export interface CallOptions {
  /** Gives the call up: it rejects with the signal's reason. A request that was sent may still be carried out. */
  readonly signal?: AbortSignal
}

/** How a call is made: in the process with a promise, synchronously by `within`, or by the client. */
export type Mode = 'later' | 'atOnce' | 'overHttp'

export type Answer<M extends Mode, T> = M extends 'atOnce' ? T : Promise<T>

/** The options of a call that writes. */
export type Options<M extends Mode, Own = WriteOptions> = M extends 'atOnce'
  ? []
  : [options?: M extends 'overHttp' ? CallOptions : Own]

/** The options of a call that reads. */
export type ReadOptions<M extends Mode> = M extends 'overHttp' ? [options?: CallOptions] : []

/** The kinds of operations, and the context that `run` gets. `write` has a write mode, and takes options. */
interface Calls {
  readonly read: Call
  /** Writes outside the host's transactions. */
  readonly change: Call
  readonly write: WriteCall
}

/** An argument: its name in documents and tools, its schema, and its name in messages. */
export interface Argument<T = unknown> {
  readonly name: string
  readonly schema: z.ZodType<T>
  readonly label: string
  /** Replaces an argument that is left out. By default the schema decides. */
  readonly absent?: unknown
}

export function arg<T>(name: string, schema: z.ZodType<T>, label: string = name): Argument<T> {
  return { name, schema, label }
}

/** The user of a call, by id. */
export const userArg: Argument<string> = arg('userId', userId, 'user id')

/** The points system of a call for apps, by key. */
export const systemArg: Argument<string> = arg('system', gameKey, 'points system key')

/** The points system of a call for administration, by id or key. */
export const adminSystemArg: Argument<string> = arg('system', gameKey, 'points system id')

/** An argument whose members are all optional: it may be left out. */
export function optionalArg<T>(name: string, schema: z.ZodType<T>, label: string = name): Argument<T> {
  return { name, schema, label, absent: {} }
}

type Parsed<Takes extends readonly Argument[]> = {
  readonly [Place in keyof Takes]: Takes[Place] extends Argument<infer T> ? T : never
}

type Running<T> = Promise<T> | Steps<T>

interface Spec<Kind extends keyof Calls, Takes extends readonly Argument[], Path extends string, Read, Answered> {
  readonly kind: Kind
  readonly takes: Takes
  /** True if its options have `dryRun`. */
  readonly dryRun?: true
  /** The route. In-process calls have none. */
  readonly endpoint?: Endpoint<Path, Read, Answered>
  /** The use case. Its arguments are parsed. */
  run(call: Calls[Kind], ...given: Parsed<Takes>): Running<Answered>
}

/** The number of parameters of the method: a call that writes has its options last. */
type CountOf<Kind extends keyof Calls, Takes extends readonly unknown[]> = Kind extends 'write'
  ? [...Takes, unknown]['length']
  : Takes['length']

/** A call of the API. Its method, its route and its documentation follow from it. */
export interface Operation<Count extends number = number, Answered = unknown> {
  readonly kind: keyof Calls
  readonly takes: readonly Argument[]
  readonly takesDryRun: boolean
  readonly endpoint: Endpoint | null
  /** Has no value. Its type is the number of parameters of the method. */
  readonly count?: Count
  /** Parses the arguments from the first to the last, then runs. Throws `invalid_request`. */
  run(call: WriteCall, given: readonly unknown[]): Running<Answered>
}

export function defineOperation<
  Kind extends keyof Calls,
  const Takes extends readonly Argument[],
  const Path extends string,
  Read,
  Answered,
>(spec: Spec<Kind, Takes, Path, Read, Answered>): Operation<CountOf<Kind, Takes>, Answered> {
  const { kind, takes, dryRun = false, endpoint = null } = spec
  const run = spec.run as (call: WriteCall, ...given: readonly unknown[]) => Running<Answered>
  return {
    kind,
    takes,
    takesDryRun: dryRun,
    // Only its own schemas parse what its functions get.
    endpoint: endpoint as Endpoint | null,
    run: (call, given) => {
      const parsed: unknown[] = []
      for (const { schema, label, absent } of takes) {
        const argument = given[parsed.length]
        parsed.push(parse(schema, argument === undefined ? absent : argument, label))
      }
      return run(call, ...parsed)
    },
  }
}

/** One operation for each method of an interface. The compiler reports a missing one, and one too many. */
export type OperationsOf<Api> = {
  readonly [Name in keyof Api]: Api[Name] extends (...given: infer Given) => infer Answered
    ? Operation<Required<Given>['length'], Awaited<Answered>>
    : OperationsOf<Api[Name]>
}

/** Operations by name, in groups. */
export type Operations = { readonly [name: string]: Operation | Operations }

export function isOperation(part: Operation | Operations): part is Operation {
  return typeof part.run === 'function'
}

/** The method of an operation. */
export function methodOf(api: object, name: string): (...given: readonly unknown[]) => Promise<unknown> {
  const method = name.split('.').reduce<unknown>((part, each) => Reflect.get(Object(part), each), api)
  if (typeof method !== 'function') throw new RangeError(`There is no method for the operation ${name}.`)
  return (...given) => method(...given)
}

/** The name of a part in a group: `admin.points.boosts`. */
export function nameIn(group: string, part: string): string {
  return group === '' ? part : `${group}.${part}`
}

/** Each operation with its name, such as `admin.points.boosts.create`. */
export function* eachOperation(
  operations: Operations,
  group = '',
): Generator<readonly [name: string, operation: Operation]> {
  for (const [part, inside] of Object.entries(operations)) {
    const name = nameIn(group, part)
    if (isOperation(inside)) yield [name, inside]
    else yield* eachOperation(inside, name)
  }
}
