import { GamificationError } from '../../src/errors.ts'
import type { PGliteTransaction, PostgresPGlite } from './driver.ts'
import { type PendingRows, rowsOf, type Session, type Sessions } from './session.ts'

interface OpenTransaction {
  query(text: string, values?: readonly unknown[]): PendingRows
  /** Resolves when it has ended. */
  end(how: End): Promise<unknown>
}

type End = 'commit' | 'rollback'

/**
 * PGlite has one connection, which the host uses too: what is asked between `begin` and `commit` goes into a
 * transaction of PGlite's own, so that nothing of the host's comes between.
 */
export function pgliteSessions(pglite: PostgresPGlite): Sessions {
  return {
    ready: async () => {
      if (pglite.closed) throw closedByHost()
      await pglite.waitReady
    },
    use: async (end, work) => {
      if (pglite.closed) throw closedByHost()
      let open: OpenTransaction | null = null

      const ask = async (text: string, values: readonly unknown[] = []): PendingRows => {
        if (text.startsWith('begin')) {
          open = await begin(pglite)
          return open.query('set transaction isolation level read committed')
        }
        if (open === null) return pglite.query(text, [...values])
        if (text !== 'commit' && text !== 'rollback') return open.query(text, values)
        const ended = open.end(text)
        open = null
        await ended
        return { rows: [] }
      }
      const session: Session = { query: async (text, values) => rowsOf(end, ask(text, values), ask) }
      try {
        return await work(session)
      } finally {
        // A transaction is still open where its answers came too late.
        await (open as OpenTransaction | null)?.end('rollback').catch(() => undefined)
      }
    },
    close: async () => undefined,
  }
}

function begin(pglite: PostgresPGlite): Promise<OpenTransaction> {
  return new Promise((resolve, reject) => {
    const ending = Promise.withResolvers<End>()
    const running: Promise<unknown> = pglite.transaction(async (transaction: PGliteTransaction) => {
      resolve({
        query: (text, values = []) => transaction.query(text, [...values]),
        end: (how) => {
          ending.resolve(how)
          return running
        },
      })
      if ((await ending.promise) === 'rollback') await transaction.rollback()
    })
    running.catch(reject)
  })
}

function closedByHost(): GamificationError {
  return new GamificationError('storage_unusable', 'The PGlite was closed by whoever opened it.')
}
