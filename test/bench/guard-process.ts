import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { loadBuild } from './guard-build.ts'
import { CASES, type OpenCase } from './guard-cases.ts'

/** The arguments of a process, as JSON. */
interface Started {
  readonly folder: string
  readonly key: string
  /** The folder for the database's file, or the URL of the server. */
  readonly place: string
  readonly schema: string
  readonly share: number
}

export interface Bursts {
  /** The time of each burst, in milliseconds. */
  readonly took: readonly number[]
  /** Milliseconds of the processor for all bursts, in all threads of the process. */
  readonly processor: number
}

/** Some bursts, or why there are none. */
type Answer = Bursts | { readonly error: string }

export interface GuardProcess {
  /** Runs bursts. Rejects if the build cannot run the case. */
  run(bursts: number): Promise<Bursts>
  stop(): Promise<void>
}

/** Starts a case on a build in a process of its own, so that builds share no compiled code and no garbage. */
export function startProcess(started: Started): GuardProcess {
  const child = fork(fileURLToPath(import.meta.url), [JSON.stringify(started)])
  const ended = once(child, 'exit')
  return {
    run: async (bursts) => {
      const answered = once(child, 'message')
      child.send(bursts)
      const [answer]: readonly Answer[] = await Promise.race([
        answered,
        ended.then(([code]) => [{ error: `the process ended with code ${code}` }]),
      ])
      if (answer === undefined || 'error' in answer) throw new Error(answer?.error)
      return answer
    },
    stop: async () => {
      if (child.connected) child.disconnect()
      await ended
    },
  }
}

async function openCase({ folder, key, place, schema, share }: Started): Promise<OpenCase> {
  const build = await loadBuild(folder)
  const { database, open } = CASES[key] as (typeof CASES)[string]
  const storage =
    database === 'Postgres'
      ? build.postgres(place, { schema })
      : build.sqlite(join(place, `${schema}.db`), { synchronous: 'NORMAL' })
  return open({ build, storage, share })
}

async function runBursts({ burst }: OpenCase, count: number): Promise<Answer> {
  const took: number[] = []
  const before = process.cpuUsage()
  for (let each = 0; each < count; each += 1) {
    const start = performance.now()
    await burst()
    took.push(performance.now() - start)
  }
  const { user, system } = process.cpuUsage(before)
  return { took, processor: (user + system) / 1_000 }
}

if (process.send !== undefined) {
  const opened = openCase(JSON.parse(process.argv[2] ?? '{}'))
  opened.catch(() => undefined)
  process.on('message', async (bursts: number) => {
    const answer = await opened
      .then((open) => runBursts(open, bursts))
      .catch((error): Answer => ({ error: String(error.message) }))
    process.send?.(answer)
  })
  process.on('disconnect', async () => {
    await opened.then(({ close }) => close()).catch(() => undefined)
    process.exit()
  })
}
