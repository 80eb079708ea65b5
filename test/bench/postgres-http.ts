import { fork, spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { ask, BY_HAND, check, compiled, env, start, stop } from './http.ts'
import { compareAnswers } from './http-answers.ts'
import type { LoadResult } from './http-load.ts'
import { type Contestant, SCHEMAS } from './postgres-contestants.ts'

export const SEQUELIZE = 'by hand, Express and Sequelize'
export const ON_EXPRESS = 'laurels on Express'
/** As http.ts names them. */
const SERVERS = { [SEQUELIZE]: 'by-hand', [ON_EXPRESS]: 'laurels-express' } as const

/** Makes the tables of the hand-written server, with the same users in them. It has to be there: `findByHand`. */
export function seedSequelize(url: string, users: number, at: number): void {
  const server = join(BY_HAND, 'server.js')
  const place = withSchema(url, SCHEMAS.sequelize)
  const { status } = spawnSync(process.execPath, [server, place, 'seed', String(users), String(at)], {
    stdio: 'inherit',
  })
  if (status !== 0) throw new Error('The hand-written server could not be seeded.')
}

/** Which knows nothing of schemas. */
function withSchema(url: string, schema: string): string {
  const place = new URL(url)
  place.searchParams.set('options', `-c search_path=${schema}`)
  return place.href.replaceAll('+', '%20')
}

const startServer = (name: keyof typeof SERVERS, url: string): ReturnType<typeof start> =>
  start(SERVERS[name], name === SEQUELIZE ? withSchema(url, SCHEMAS.sequelize) : url, 'FULL')

/** Whether both servers answer the same. */
export async function compareServers(url: string): Promise<number> {
  const targets = [await startServer(SEQUELIZE, url), await startServer(ON_EXPRESS, url)]
  try {
    return await compareAnswers(targets)
  } finally {
    await Promise.all(targets.map(({ child }) => stop(child)))
  }
}

/** A server in a process of its own, with another one that sends the requests. */
export async function openServer(
  name: keyof typeof SERVERS,
  url: string,
  load: { readonly callers: number; readonly users: number; readonly seconds: number },
): Promise<Contestant> {
  const { child, port, key } = await startServer(name, url)
  const generator = fork(compiled('./http-load.js'), { env })
  const { callers: connections, users, seconds } = load
  let seed = 1
  return {
    name,
    run: async () => {
      seed += 1
      const loaded = await ask<LoadResult>(generator, { port, key, connections, seconds, users, seed })
      check(name, loaded)
      return loaded
    },
    close: async () => void (await Promise.all([stop(child), stop(generator)])),
  }
}
