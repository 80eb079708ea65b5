import { GamificationError } from '../../src/errors.ts'
import { auditedTable } from '../../src/sql/audit.ts'
import type { Compile, SqlTraits } from '../../src/sql/database.ts'
import { toOutOfStock } from '../../src/sql/stock.ts'
import { newVersion } from '../../src/sql/user-rows.ts'
import type { UserKey } from '../../src/storage/rows.ts'
import type { HostTransaction, JoinedTransaction, UserTransaction } from '../../src/storage/storage.ts'
import { createTurns, type Turns } from '../../src/storage/turns.ts'
import { randomSlot } from './counter-slots.ts'
import { endedTransaction, toJoinedError } from './errors.ts'
import { groupRequests } from './leaderboards.ts'
import { toLoadRow } from './load-users.ts'
import { removeFromSchema } from './remove-user.ts'
import { SaveRows, toSavedLists } from './save-rows.ts'
import type { Session } from './session.ts'
import { quoteIdentifier } from './sql-text.ts'
import { oneValue, statementsOn, toQuery } from './statements.ts'
import type { TableCheck } from './table-check.ts'
import { lockUserRow, lockWithNames } from './user-locks.ts'

/** A transaction of the host on Postgres. The calls in it run one after the other. */
export interface PostgresTransaction extends HostTransaction {
  readonly session: Session
  /** Runs `work` when everything before it has ended. */
  inTurn<T>(work: () => Promise<T>): Promise<T>
  /** Throws if the connection is now in another transaction than in the first call. */
  checkId(id: string): void
}

/** The calls on each of the host's connections take turns, because savepoints must not cross. */
const turnsOf = new WeakMap<object, Turns>()

/** `host` identifies the connection: calls in two transactions of one host run one after the other. */
export function transactionOf(host: object, session: Session): PostgresTransaction {
  const waiting: (() => void)[] = []
  const turns = turnsOf.get(host) ?? createTurns(1)
  turnsOf.set(host, turns)
  let own: string | null = null
  return {
    session,
    inTurn: (work) => turns.take(work),
    checkId: (id) => {
      own ??= id
      if (own !== id) throw endedTransaction()
    },
    afterCommit: (run) => void waiting.push(run),
    committed: async () => {
      await turns.take(async () => undefined)
      for (const run of waiting.splice(0)) run()
    },
  }
}

function isPostgresTransaction(value: unknown): value is PostgresTransaction {
  return typeof value === 'object' && value !== null && 'session' in value && 'inTurn' in value
}

const FUNCTIONS = 'fromPg, fromKysely, fromDrizzle, fromPrisma, fromKnex, fromTypeORM or fromPostgresJs'

export interface TransactionOptions {
  readonly traits: SqlTraits
  readonly compile: Compile
  readonly schema: string
  readonly tables: Pick<TableCheck, 'checkTables'>
  /** Called with each user who was written. */
  written(key: UserKey): void
}

/** The host's transaction, which one of `FUNCTIONS` made. */
export function joinPostgres(options: TransactionOptions, host: unknown): JoinedTransaction {
  if (!isPostgresTransaction(host)) {
    throw new GamificationError('storage_unusable', `The option tx must be made with ${FUNCTIONS}.`)
  }
  const { session, inTurn, checkId } = host
  return {
    ...postgresTransaction(options, session, checkId),
    checkTables: () => options.tables.checkTables(session.query),
    savepoint: (work) => inTurn(() => undoing(session, async () => work())),
  }
}

/**
 * A transaction that is open on a session. `checkHost` is set in a transaction of the host: it throws if the connection
 * is now in another transaction.
 */
export function postgresTransaction(
  { traits, compile, schema, written }: TransactionOptions,
  session: Session,
  checkHost?: (id: string) => void,
): UserTransaction {
  // Stores nothing if the host has ended the transaction in the meantime.
  const saveText = `select case when pg_current_xact_id()::text = $2 then ${quoteIdentifier(schema)}.save($1::text) end as value`
  let transaction = ''

  return {
    ...statementsOn(session, compile),
    insertRows: async (table, rows) => {
      const { insertAll } = auditedTable(table)
      if (rows.length > 0) await session.query(...toQuery(compile, insertAll, { rows }))
    },
    // A later statement sees what others have committed until the lock was free.
    lock: async (name) => {
      const text = 'select pg_advisory_xact_lock(hashtextextended($1, 0))::text'
      await session.query(text, [`laurels ${schema} ${name}`])
    },
    lockUser: async (key, { withNames = false } = {}) => {
      const locked = await (withNames ? lockWithNames : lockUserRow)(session, schema, key)
      transaction = locked.transaction
      checkHost?.(transaction)
    },
    save: async (key, { epoch, ...storedUser }, save) => {
      const rows = new SaveRows()
      const lists = toSavedLists(rows, traits, [
        { n: 0, loaded: { ...key, ...storedUser }, save, version: newVersion() },
      ])
      const users = [toLoadRow({ ...key, lookups: [] }, 0)]
      // Counts go into rows of their own, so that no save waits for the host's transaction. A later batch adds them up.
      const slot = randomSlot()
      const grouped = groupRequests([{ key, requests: save.ranks }])
      const asked = grouped.groups.length === 0 ? {} : { standings: grouped.groups }
      const document = { ...lists, ...asked, epoch, users, slot }
      const text = await oneValue<string | null>(session, saveText, [JSON.stringify(document), transaction])
      if (text === null) throw ended()
      const answer = JSON.parse(text)
      if (answer.short !== undefined) throw toOutOfStock(answer.short)
      if (answer.left !== null) return null
      written(key)
      return grouped.toRanks(answer.standings ?? [])[0] ?? []
    },
    removeUser: async (key, options = {}) => {
      const host = checkHost === undefined ? null : transaction
      return removeFromSchema({ session, traits, schema, host }, key, options).finally(() => written(key))
    },
  }
}

function ended(): GamificationError {
  return new GamificationError('storage_unusable', 'The transaction has ended: await the call before COMMIT.')
}

/** Sets a savepoint around each call: a refused call is rolled back, and the host's transaction can continue. */
async function undoing<T>(session: Session, work: () => Promise<T>): Promise<T> {
  try {
    await session.query('savepoint laurels', [])
  } catch (error) {
    throw toJoinedError(error)
  }
  try {
    const result = await work()
    await session.query('release savepoint laurels', [])
    return result
  } catch (error) {
    try {
      await session.query('rollback to savepoint laurels', [])
      await session.query('release savepoint laurels', [])
    } catch {
      // The transaction is lost as a whole; the first error says why.
    }
    throw toJoinedError(error)
  }
}
