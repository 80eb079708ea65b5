import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { fromPg, postgres } from '../../../adapters/postgres/index.ts'
import { assignPositions, loadMessages } from '../../../src/sql/messages.ts'
import { loadUser, lockAndLoadUser } from '../../../src/sql/read-user.ts'
import type { PlacedMessage } from '../../../src/storage/outbox.ts'
import type { UserKey } from '../../../src/storage/rows.ts'
import { runSteps } from '../../../src/storage/steps.ts'
import type { Storage, UserSave } from '../../../src/storage/storage.ts'
import { saveOf } from '../../../src/testing/storage/case.ts'
import { message } from '../../../src/testing/storage/outbox-samples.ts'
import { eventOf } from '../../../src/testing/storage/samples.ts'

interface Storm {
  readonly url: string
  /** The URL of another database of the same server. */
  readonly otherUrl: string
  readonly schema: string
  readonly forMs: number
  /** A statement by which readers give positions, in place of `assignPositions`. */
  readonly placing?: string
}

/** The faults that readers saw; empty if there are none. */
export interface Findings {
  readonly messages: number
  readonly lost: number
  readonly doubled: number
  /** Messages that came before an earlier one of the same user. */
  readonly swapped: number
  /** Readers who got nothing that was written while the unrelated transaction was open, until it was over. */
  readonly stopped: number
}

const [WRITERS, HOSTS, READERS, USERS] = [6, 2, 3, 24]

const userOf = (n: number): UserKey => ({ tenant: '', user: `user-${n % USERS}` })

/** One entry, and a message that says which: what was written is what the logs say. */
function saveNext(user: { readonly user: string; readonly state: UserSave['before'] }): UserSave {
  const seq = (user.state?.seq ?? 0) + 1
  const told = message(seq, { data: JSON.stringify({ seq, at: Date.now() }) })
  return saveOf(user, { appended: [eventOf(user, seq)], messages: [told] })
}

/** Writers, hosts and readers at once, with an unrelated transaction open for a while. */
export async function storm({ url, otherUrl, schema, forMs, placing }: Storm): Promise<Findings> {
  // A transaction before all others: transactions that began earlier do not wait for it.
  const unrelated = await openElsewhere(otherUrl)
  const end = Date.now() + forMs
  const storages = Array.from({ length: WRITERS + HOSTS + READERS }, () => postgres(url, { schema }))
  const [writing, joining, reading] = [
    storages.slice(0, WRITERS),
    storages.slice(WRITERS, WRITERS + HOSTS),
    storages.slice(WRITERS + HOSTS),
  ]
  let isWritten = false
  const closing = sleep(forMs * 0.8).then(unrelated.close)
  const writers = [
    ...writing.map((storage) => write(storage, end)),
    ...joining.map((storage) => host(storage, url, end)),
  ]
  const pool = new pg.Pool({ connectionString: url, max: READERS })
  const place = (storage: Storage): Promise<unknown> =>
    placing === undefined ? assignPositions(storage, 50) : pool.query(placing)
  const readers = reading.map((storage) => read(storage, place, () => isWritten))
  await Promise.all(writers)
  isWritten = true
  const seen = await Promise.all(readers)
  const [{ from }, to] = [unrelated, await closing]
  const [first] = writing
  if (first === undefined) throw new Error('There are no writers.')
  const written = await countLines(first)
  await Promise.all([pool.end(), ...storages.map((storage) => storage.close())])
  const sum = (count: (each: readonly Seen[]) => number): number => seen.reduce((total, each) => total + count(each), 0)
  return {
    messages: written,
    lost: sum((each) => written - new Set(each.map(idOf)).size),
    doubled: sum((each) => each.length - new Set(each.map(idOf)).size),
    swapped: sum(countSwapped),
    stopped: seen.filter((each) => !each.some(({ data, readAt }) => data.at > from && readAt < to)).length,
  }
}

type Seen = Omit<PlacedMessage, 'data'> & {
  readonly data: { readonly seq: number; readonly at: number }
  readonly readAt: number
}

const idOf = ({ user, data }: Seen): string => `${user} ${data.seq}`

async function write(storage: Storage, end: number): Promise<void> {
  while (Date.now() < end) {
    const keys = [0, 1, 2].map(() => userOf(Math.floor(Math.random() * USERS)))
    const requests = [...new Map(keys.map((key) => [key.user, { ...key, lookups: [] }])).values()]
    // Users whom a host holds are given back, and nothing is written of them.
    await storage.commit(requests, (users) => users.map(saveNext)).catch(() => undefined)
  }
}

/** Transactions of a host's that write some users, stay open, and partly roll back. */
async function host(storage: Storage, url: string, end: number): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  while (Date.now() < end) {
    await client.query('begin')
    try {
      // It has its number among transactions long before it writes.
      await client.query('select pg_current_xact_id()')
      await sleep(Math.random() * 100)
      const joined = storage.joinTransaction(fromPg(client))
      for (let n = Math.floor(Math.random() * 6); n < USERS; n += 6 + Math.floor(Math.random() * 6)) {
        const key = userOf(n)
        await joined.savepoint(async () => {
          const view = await runSteps(lockAndLoadUser(joined, key))
          await joined.save(key, view, saveNext({ ...key, state: view.state }))
        })
      }
      await sleep(Math.random() * 300)
      await client.query(Math.random() < 0.3 ? 'rollback' : 'commit')
    } catch {
      await client.query('rollback')
    }
  }
  await client.end()
}

/** As a subscription does: gives positions, then reads on from the last that it has seen, until nothing more comes. */
async function read(
  storage: Storage,
  place: (storage: Storage) => Promise<unknown>,
  isWritten: () => boolean,
): Promise<readonly Seen[]> {
  const seen: Seen[] = []
  for (let after = 0, idle = 0; idle < 20; ) {
    const isOver = isWritten()
    await place(storage)
    const found = await loadMessages(storage, { after, limit: 100 })
    const readAt = Date.now()
    seen.push(...found.map((each) => ({ ...each, data: JSON.parse(each.data), readAt })))
    after = found.at(-1)?.position ?? after
    idle = isOver && found.length === 0 ? idle + 1 : 0
    await sleep(5)
  }
  return seen
}

function countSwapped(seen: readonly Seen[]): number {
  const newest = new Map<string | null, number>()
  let swapped = 0
  for (const { user, data } of seen) {
    if (data.seq < (newest.get(user) ?? 0)) swapped += 1
    newest.set(user, Math.max(newest.get(user) ?? 0, data.seq))
  }
  return swapped
}

async function countLines(storage: Storage): Promise<number> {
  const logs = await Promise.all(
    Array.from({ length: USERS }, async (_, n) => (await loadUser(storage, userOf(n))).state?.seq ?? 0),
  )
  return logs.reduce((sum, lines) => sum + lines, 0)
}

/** A transaction that has written, has nothing to do with any of it, and stays open until all is written. */
interface Unrelated {
  /** Since when it is open. */
  readonly from: number
  /** Answers until when it was open. */
  close(): Promise<number>
}

async function openElsewhere(url: string): Promise<Unrelated> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query('begin')
  await client.query('select pg_current_xact_id()')
  return {
    from: Date.now(),
    close: async () => {
      const to = Date.now()
      await client.query('rollback')
      await client.end()
      return to
    },
  }
}
