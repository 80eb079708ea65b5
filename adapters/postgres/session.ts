import { randomUUID } from 'node:crypto'
import type { CompiledText, KyselyConnection, PostgresClient, PostgresKysely, PostgresPool } from './driver.ts'
import { LostConnection } from './errors.ts'

/** One connection, for a short while. */
export interface Session {
  query(text: string, values: readonly unknown[]): Promise<readonly unknown[]>
}

/** Where connections come from. */
export interface Sessions {
  /** Runs `work` on a connection that nobody else uses; rejects with `LostConnection` once `end` has passed. */
  use<T>(end: number, work: (session: Session) => Promise<T>): Promise<T>
  close(): Promise<void>
}

/** Nobody may wait for ever, for a free connection or for an answer. `onLate` is given what comes after all. */
async function inTime<T>(end: number, promise: Promise<T>, onLate: (late: T) => void): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  let isOver = false
  const over = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => {
        isOver = true
        reject(new LostConnection('Postgres did not answer in time.'))
      },
      Math.max(0, end - performance.now()),
    )
  })
  promise.then(
    (value) => isOver && onLate(value),
    () => undefined,
  )
  try {
    return await Promise.race([promise, over])
  } finally {
    clearTimeout(timer)
  }
}

const ignore = (): void => undefined

/** `isOwn`: whether `close` ends the pool. */
export function poolSessions(open: () => Promise<PostgresPool>, isOwn: boolean): Sessions {
  let opening: Promise<PostgresPool> | null = null

  const pool = (): Promise<PostgresPool> => {
    opening ??= open().then((opened) => {
      // An idle connection that breaks is no reason for the process to end.
      opened.on('error', ignore)
      return opened
    })
    opening.catch(() => {
      opening = null
    })
    return opening
  }

  return {
    use: async (end, work) => {
      const client = await inTime(end, (await pool()).connect(), (late) => late.release())
      return useClient(client, end, work)
    },
    close: async () => {
      const opened = await opening?.catch(() => null)
      if (!opened) return
      if (isOwn) await opened.end()
      opened.off('error', ignore)
    },
  }
}

async function useClient<T>(client: PostgresClient, end: number, work: (session: Session) => Promise<T>): Promise<T> {
  // The pool listens only while a connection is idle.
  client.on('error', ignore)
  let failure: Error | boolean = false
  try {
    const session: Session = {
      query: async (text, values) => (await inTime(end, client.query(text, [...values]), ignore)).rows,
    }
    return await work(session)
  } catch (error) {
    // Only an answer of Postgres proves that the connection is as it should be.
    failure = !(error instanceof Error && 'severity' in error)
    throw error
  } finally {
    client.release(failure)
    client.off('error', ignore)
  }
}

export function kyselySessions(kysely: PostgresKysely): Sessions {
  return {
    use: (end, work) =>
      inTime(
        end,
        kysely.connection().execute((connection) => work(toSession(connection, end))),
        ignore,
      ),
    close: async () => undefined,
  }
}

function toSession(connection: KyselyConnection, end: number): Session {
  return {
    query: async (text, values) =>
      (await inTime(end, connection.withoutPlugins().executeQuery(toCompiled(text, values)), ignore)).rows,
  }
}

/** What kysely would have made of a query. */
export function toCompiled(sql: string, parameters: readonly unknown[]): CompiledText {
  const query = { kind: 'RawNode', sqlFragments: [sql], parameters: [] } as const
  return { sql, parameters, query, queryId: { queryId: randomUUID() } }
}
