import { type Child, startChild } from '../crash/child.ts'

export interface ServerProcess {
  readonly port: number
  readonly child: Child
}

export interface ServerProcessOptions {
  /** That of `compiled()`. */
  readonly directory: string
  readonly file: string
  readonly game: unknown
  /** When the engine thinks it is. */
  readonly now: string
}

/** `/v1` and `/admin/v1` on plain `node:http`, until it is killed. */
const SERVE = `
  import { createServer } from 'node:http'
  import { adminApi, applicationApi } from './adapters/express/index.js'
  const clock = () => new Date(args.now)
  const storage = sqlite(args.file, { synchronous: 'NORMAL' })
  const engine = createGamification({ game: defineGame(args.game), storage, clock })
  await engine.migrate()
  const [application, admin] = [applicationApi(engine), adminApi(engine)]
  const server = createServer((request, response) => application(request, response, () => admin(request, response)))
  server.listen(0, '127.0.0.1', () => say(String(server.address().port)))
`

/** A server in a process of its own, on a SQLite file that others may have open. */
export function startServer({ directory, ...args }: ServerProcessOptions): Promise<ServerProcess> {
  return new Promise((resolve, reject) => {
    const onLine = (line: string): void => resolve({ port: Number(line), child })
    const child = startChild({ directory, script: SERVE, args, onLine })
    child.ended.catch(reject)
  })
}
