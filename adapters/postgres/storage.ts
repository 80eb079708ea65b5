import { closed, createCallTracker } from '../../src/sql/call-tracker.ts'
import { inOpenTransaction } from '../../src/sql/open-transaction.ts'
import { runSteps } from '../../src/storage/steps.ts'
import type { OpenTransaction, Storage } from '../../src/storage/storage.ts'
import type { Committer } from './commit.ts'
import { toHandlerError, toStorageError } from './errors.ts'
import { auditBlocks, readPage, readRanks } from './leaderboards.ts'
import { migrate } from './migrate.ts'
import { type Runner, rowsOf } from './runner.ts'
import type { Session, Sessions } from './session.ts'
import { readOn, shortened, statementsOn, toQuery } from './statements.ts'
import type { TableCheck } from './table-check.ts'
import { joinPostgres, postgresTransaction, type TransactionOptions } from './transaction.ts'

/** Leaves most connections of a pool to events. */
const AUDITS_AT_ONCE = 4

export interface StorageParts extends TransactionOptions {
  readonly sessions: Sessions
  readonly partitions: number | undefined
  readonly deadlineMs: number
  /** Each of its calls has its own time. */
  readonly unhurried: Runner
  readonly committer: Committer
  readonly tables: TableCheck
}

/** Lets calls in once the host's database has started, and until the storage is closed. */
interface Entrance {
  enter<T>(call: () => Promise<T>): Promise<T>
  isOpen(): boolean
  /** A deadline, later by the time that the database needs from now on to start. */
  until(deadline: number): () => number
  close(release: () => Promise<void>): Promise<void>
}

/** How long `changes` answers the same, because nothing tells when another process writes. */
const SAME_FOR_MS = 1_000

interface Changes {
  current(): number
  note(): void
}

function createChanges(): Changes {
  let count = 0
  let until = Number.NEGATIVE_INFINITY
  const note = (): void => {
    count += 1
  }
  return {
    current: () => {
      const now = performance.now()
      if (now >= until) {
        note()
        until = now + SAME_FOR_MS
      }
      return count
    },
    note,
  }
}

export function postgresStorage(parts: StorageParts): Storage {
  const shared = { ...parts, changes: createChanges() }
  return storageBy(shared, createEntrance(parts.sessions), parts.unhurried, () => undefined)
}

/** `end`: the deadline of the storage's calls; without it each has its own time. */
function storageBy(
  parts: StorageParts & { readonly changes: Changes },
  entrance: Entrance,
  runner: Runner,
  end: () => number | undefined,
): Storage {
  const { schema, traits, compile, sessions, committer, tables, unhurried, changes } = parts
  const { enter } = entrance
  return {
    name: 'postgres',
    deadlineMs: parts.deadlineMs,
    auditsAtOnce: AUDITS_AT_ONCE,
    toBoolean: traits.toBoolean,
    until: (deadline) => {
      const later = entrance.until(deadline)
      return storageBy(parts, entrance, unhurried.until(later), later)
    },
    changes: changes.current,
    all: (statement, params) => enter(() => runner.rows(...toQuery(compile, statement, params))),
    read: (asked) => enter(() => readOn(runner.value, compile, asked)),
    // Without statistics of a table Postgres may expect few rows, and sort all of them again for each page.
    page: (statement, params) =>
      enter(() =>
        runner.transaction(async (session) => {
          await session.query('set local enable_bitmapscan = off', [])
          return rowsOf(session, ...toQuery(compile, statement, params))
        }),
      ),
    chunk: (statement, params, texts, order) => {
      const [text, values] = toQuery(compile, statement, params)
      return enter(() => runner.rows(shortened(text, texts, order), values))
    },
    change: async (statement, params) => {
      try {
        return await enter(() => runner.change(...toQuery(compile, statement, params)))
      } finally {
        changes.note()
      }
    },
    transaction: (work) =>
      enter(() =>
        runner
          .transaction(async (session) => runSteps(work(postgresTransaction(parts, session))))
          .finally(changes.note),
      ),
    openTransaction: (work) =>
      enter(() => {
        const until = runner.deadline()
        const open = () => runner.open(until)
        return inOpenTransaction(open, (begin) => work(toOpenTransaction(parts, begin)), until).finally(changes.note)
      }),
    joinTransaction: (host) => {
      if (!entrance.isOpen()) throw closed()
      return joinPostgres(parts, host)
    },
    commit: (requests, decide) => enter(() => committer.commit(requests, decide, end())),
    ranks: (user, requests) => enter(() => readRanks(runner, schema, user, requests)),
    leaderboardPage: (tenant, key, page) => enter(() => readPage(runner, schema, tenant, key, page)),
    auditBlocks: (group, options) => enter(() => auditBlocks(runner, schema, group, options)),
    migrate: () => enter(() => migrate(runner, traits, schema, parts.partitions)),
    checkTables: () => enter(() => tables.checkTables(runner.rows)),
    checkWritable: () => enter(() => tables.checkWritable(runner)),
    close: () =>
      entrance.close(async () => {
        changes.note()
        await committer.close()
        await sessions.close()
      }),
  }
}

function createEntrance({ ready }: Sessions): Entrance {
  const { enter, isOpen, close } = createCallTracker()
  if (ready === undefined) return { enter, isOpen, close, until: (deadline) => () => deadline }
  let readyAt: number | null = null
  return {
    enter: (call) =>
      enter(async () => {
        await ready()
        readyAt ??= performance.now()
        return call()
      }),
    isOpen,
    close,
    until: (deadline) => {
      const from = performance.now()
      return () => deadline + Math.max(0, (readyAt ?? from) - from)
    },
  }
}

/** `begin` begins the transaction if it has not begun. */
function toOpenTransaction({ compile }: StorageParts, begin: () => Promise<Session>): OpenTransaction {
  const on =
    (toError: (error: unknown) => unknown): Session['query'] =>
    async (text, values) => {
      const session = await begin()
      try {
        return await session.query(text, values)
      } catch (error) {
        throw toError(error)
      }
    }
  return { ...statementsOn({ query: on(toStorageError) }, compile), ask: on(toHandlerError) }
}
