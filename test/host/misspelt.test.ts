import { fastify } from 'fastify'
import * as expressApi from 'laurels/express'
import * as fastifyApi from 'laurels/fastify'
import * as fetchApi from 'laurels/fetch'
import { memory } from 'laurels/memory'
import { postgres } from 'laurels/postgres'
import { sqlite } from 'laurels/sqlite'
import { createScenario, createTestClock, event, preferences, user, wait } from 'laurels/testing'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { createGamification, type DefinedGame, defineGame, type Gamification } from '../../src/index.ts'
import { type Place, type PublicTypes, readPublicTypes } from './public-options.ts'

/*
 * Every property of every argument that the public types know, misspelt, one at a time: each is refused, with the name
 * that was meant. No list here names the accepted options.
 */

type Call = (...args: unknown[]) => unknown

let types: PublicTypes
beforeAll(() => {
  types = readPublicTypes()
  // The compiler reads the sources and what they import.
}, 120_000)

const game = defineGame({
  metrics: { words: { name: 'Words' } },
  achievements: { words: { name: 'Words', trigger: 'api' } },
  points: { words: { name: 'Words', triggers: [] } },
  streak: { frequency: 'daily', metrics: { words: {} }, customization: true },
  leaderboards: { words: { name: 'Words', rankBy: 'metric', metric: 'words', start: '2026-01-01' } },
})

/** A letter doubled, one left out, and all of them small: what is still another name than any that is known. */
function misspellings({ name, known }: Pick<Place, 'name' | 'known'>): readonly string[] {
  const middle = Math.floor(name.length / 2)
  const wrong = [`${name}${name.at(-1)}`, `${name.slice(0, middle)}${name.slice(middle + 1)}`, name.toLowerCase()]
  return [...new Set(wrong)].filter((each) => !known.includes(each))
}

/** An argument that has nothing but the misspelt property, in its place. */
function argumentWith(path: Place['path'], wrong: string): unknown {
  const inner = { [wrong]: 'x' }
  return path.reduceRight<unknown>((value, part) => (typeof part === 'number' ? [value] : { [part]: value }), inner)
}

/** The message of the call: thrown, rejected, or an issue in its answer. */
async function toldBy(call: () => unknown): Promise<{ readonly code: string; readonly text: string }> {
  try {
    return { code: 'invalid_request', text: JSON.stringify(await call()) ?? '' }
  } catch (error) {
    const { code = '', message = '' } = error as { code?: string; message?: string }
    return { code, text: message }
  }
}

/** The arguments before the tested one: a key, an id, or these. */
const BEFORE: { readonly [method: string]: unknown } = { import: [], whatIf: game, apply: game }

/** Names that were not refused with the right suggestion. */
async function unrefused(places: readonly Place[], callOf: (place: Place) => Call): Promise<readonly string[]> {
  const wrong: string[] = []
  for (const place of places) {
    for (const name of misspellings(place)) {
      const before = Array.from({ length: place.index }, () => BEFORE[place.method] ?? 'words')
      const { code, text } = await toldBy(() => callOf(place)(...before, argumentWith(place.path, name)))
      const isRefused = text.includes(`unknown property '${name}'; did you mean '${place.name}'?`)
      if (code === 'invalid_request' && isRefused) continue
      wrong.push(`${place.method}, argument ${place.index}: ${[...place.path, name].join('.')}: ${code} ${text}`)
    }
  }
  return wrong
}

function methodOf(api: unknown, method: string): Call {
  const parts = method.split('.')
  const owner = parts.slice(0, -1).reduce<unknown>((each, part) => Reflect.get(each as object, part), api)
  return (...args) => Reflect.get(owner as object, parts.at(-1) ?? '').apply(owner, args)
}

function engineOf(definition: DefinedGame = game): Gamification<DefinedGame> {
  const engine = createGamification<DefinedGame>({ game: definition, storage: memory() })
  onTestFinished(() => engine.close())
  return engine
}

const describesAll = (places: readonly Place[], ...some: readonly string[]): void => {
  const names = places.map(({ method, path, name }) => [method, ...path, name].join('.'))
  expect(names).toEqual(expect.arrayContaining([...some]))
}

describe('a misspelt property is refused, with the one that was meant,', () => {
  test('by every method', async () => {
    const places = types.ofInterface('src/index.ts', 'Gamification')
    describesAll(places, 'metrics.event.occurredAt', 'metrics.event.idempotencyKey', 'metrics.event.user.tz')
    describesAll(places, 'metrics.event.dryRun', 'leaderboards.get.limit', 'admin.streaks.pauses.create.pauses.0.end')
    const engine = engineOf()
    expect(await unrefused(places, ({ method }) => methodOf(engine, method))).toEqual([])
  })

  test('by createGamification and the storages', async () => {
    const options = (places: readonly Place[]): readonly Place[] => places.filter(({ index }) => index === 1)
    const creating = types.ofFunction('src/index.ts', 'createGamification')
    describesAll(creating, 'createGamification.clock')
    expect(await unrefused(creating, () => createGamification as Call)).toEqual([])
    const files = options(types.ofFunction('adapters/sqlite/index.ts', 'sqlite'))
    describesAll(files, 'sqlite.synchronous')
    expect(await unrefused(files, () => (_, given) => sqlite(':memory:', given as never))).toEqual([])
    const servers = options(types.ofFunction('adapters/postgres/index.ts', 'postgres'))
    describesAll(servers, 'postgres.deadlineMs')
    expect(await unrefused(servers, () => (_, given) => postgres('postgres://localhost/app', given as never))).toEqual(
      [],
    )
  })

  test('by the bindings', async () => {
    const engine = engineOf()
    for (const [file, api] of [
      ['adapters/express/index.ts', expressApi],
      ['adapters/fetch/index.ts', fetchApi],
    ] as const) {
      for (const name of ['applicationApi', 'adminApi'] as const) {
        const places = types.ofFunction(file, name)
        describesAll(places, `${name}.prefix`, `${name}.cors.origins`)
        expect(await unrefused(places, () => (_, options) => void api[name](engine, options as never))).toEqual([])
      }
    }
    const plugins = types.ofOptions('adapters/fastify/index.ts', 'FastifyApiOptions')
    describesAll(plugins, 'FastifyApiOptions.bodyLimit', 'FastifyApiOptions.cors.origins')
    // Without the engine nothing is served: whatever else the options say, it has to be there.
    const register: Call = async (given) => {
      const app = fastify()
      await app.register(fastifyApi.applicationApi, { gamification: engine, ...(given as object) })
    }
    expect(await unrefused(plugins, () => register)).toEqual([])
  })

  test('by scenarios and clocks', async () => {
    const start = createScenario(game, { now: '2026-03-01T09:00:00Z' })
    const happens = (step: unknown): unknown => start.when(step as never).refusal
    const file = 'src/testing/index.ts'
    const calls: { readonly [name: string]: Call } = {
      createScenario: (_, options) => createScenario(game, { now: '2026-03-01T09:00:00Z', ...(options as object) }),
      event: (_, __, options) => event('words', 1, options as never),
      wait: (duration) => wait(duration as never),
      user: (update) => happens(user(update as never)),
      preferences: (update) => happens(preferences(update as never)),
    }
    for (const [name, call] of Object.entries(calls)) {
      const places = types.ofFunction(file, name)
      expect(places.length).toBeGreaterThan(0)
      expect(
        await unrefused(
          places,
          () =>
            (...args) =>
              call(...args),
        ),
      ).toEqual([])
    }
    const clock = createTestClock('2026-03-01T09:00:00Z')
    const moving = types.ofInterface(file, 'TestClock')
    describesAll(moving, 'advance.days')
    expect(await unrefused(moving, ({ method }) => methodOf(clock, method))).toEqual([])
    const looking = types.ofInterface(file, 'Outcome').filter(({ path }) => path.length === 0)
    describesAll(looking, 'thenExpect.streak')
    const { thenExpect } = start.when(event('words', 1))
    expect(await unrefused(looking, () => (given) => void thenExpect(given as never))).toEqual([])
  })
})
