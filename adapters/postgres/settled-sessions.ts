import type { Session, Sessions } from './session.ts'

/**
 * Sessions with the settings that our statements rely on. Where a host's connections have others, each statement gets a
 * transaction of its own with these settings. They are looked at once, because all connections of a host have the same.
 */
export function withSettings(sessions: Sessions): Sessions {
  let isAsItIs: boolean | null = null

  return {
    ...(sessions.ready && { ready: sessions.ready }),
    use: (end, work) =>
      sessions.use(end, async (session) => {
        isAsItIs ??= await hasSettings(session)
        return work(isAsItIs ? session : withTransactions(session))
      }),
    close: () => sessions.close(),
  }
}

/** Whether each statement sees what was committed before it, and numbers come with all their digits. */
async function hasSettings(session: Session): Promise<boolean> {
  const text = `select current_setting('transaction_isolation') = 'read committed'
    and current_setting('extra_float_digits')::int > 0 as value`
  const [row] = await session.query(text, [])
  return (row as { readonly value: boolean } | undefined)?.value === true
}

function withTransactions(session: Session): Session {
  let isOpen = false
  return {
    query: async (text, values) => {
      // A transaction of ours is under the right isolation already.
      if (isOpen || text.startsWith('begin')) {
        isOpen = !/^(?:commit|rollback)$/.test(text)
        const rows = await session.query(text, values)
        if (text.startsWith('begin')) await session.query('set local extra_float_digits = 1', [])
        return rows
      }
      await session.query('begin isolation level read committed', [])
      try {
        await session.query('set local extra_float_digits = 1', [])
        const rows = await session.query(text, values)
        await session.query('commit', [])
        return rows
      } catch (error) {
        await session.query('rollback', []).catch(() => undefined)
        throw error
      }
    },
  }
}
