import { onTestFinished } from 'vitest'
import { memory } from '../../../adapters/memory/index.ts'
import { uuidv7 } from '../../../src/game/ids.ts'
import { createGamification, defineGame } from '../../../src/index.ts'
import { createWebhooks, type Webhooks } from '../../../src/messages/webhooks/create-webhooks.ts'
import { createSender, type Send } from '../../../src/messages/webhooks/send.ts'
import { createSecretBox } from '../../../src/messages/webhooks/stored-webhook.ts'
import { putMessages } from '../../../src/sql/messages.ts'
import type { Storage } from '../../../src/storage/storage.ts'

const NOON = Date.parse('2026-03-10T12:00:00Z')
export const SECOND = 1_000
export const MINUTE = 60_000
export const HOUR = 3_600_000
const SECRET_KEY = 'a key of the host, long enough for this'

interface Logged {
  readonly details: { readonly [name: string]: unknown }
  readonly message: string
}

interface World extends Pick<Webhooks, 'api'> {
  endWithin(ms: number): void
  readonly storage: Storage
  readonly clock: { now: number }
  readonly logged: Logged[]
  /** How often the types that are wanted were asked for. */
  readonly wanted: { times: number }
  /** Writes messages as the engine does, each with the number as its data. */
  write(...messages: readonly Written[]): Promise<void>
  /** Does all that is due, until nothing is. */
  work(): Promise<{ delivered: number; failed: number }>
  /** Another process on the same storage, with the same clock. */
  beside(options?: WorldOptions): World
}

interface Written {
  readonly user?: string | null
  readonly type?: string
  readonly tenant?: string
  readonly data?: unknown
  readonly id?: string
}

interface WorldOptions {
  readonly storage?: Storage
  readonly clock?: { now: number }
  readonly secretKey?: string | null
  readonly allowInternal?: boolean
  readonly multiTenant?: boolean
  readonly wholeNumbers?: 'round' | 'floor'
  readonly send?: Send
  readonly random?: () => number
}

/** Webhooks on a storage, without an engine. The clock starts at noon, and only the test moves it. */
export function openWorld(options: WorldOptions = {}): World {
  const { storage = openStorage(), clock = { now: NOON }, secretKey = SECRET_KEY, allowInternal = true } = options
  const logged: Logged[] = []
  const tell = (details: Logged['details'], message: string): void => void logged.push({ details, message })
  const wanted = { times: 0 }
  const webhooks = createWebhooks({
    storage,
    now: () => clock.now,
    databaseClock: { leaseNow: () => clock.now },
    newId: uuidv7,
    logger: { warn: tell, error: tell },
    random: options.random ?? (() => 0),
    send: options.send ?? createSender({ timeoutMs: 2_000 }),
    secretBox: secretKey === null ? null : createSecretBox(secretKey),
    allowInternal,
    multiTenant: options.multiTenant ?? false,
    wholeNumbers: options.wholeNumbers ?? null,
    wantTypes: async () => {
      wanted.times += 1
    },
  })
  const enroll = enrolling(storage)
  return {
    api: webhooks.api,
    endWithin: webhooks.worker.endWithin,
    storage,
    clock,
    logged,
    wanted,
    write: async (...messages) => {
      for (const { user = 'ann', tenant = '' } of messages) await enroll(tenant, user)
      await storage.transaction((tx) =>
        putMessages(
          tx,
          messages.map(({ user = 'ann', type = 'streak.lost', tenant = '', data = {}, id = uuidv7(clock.now) }) => ({
            id,
            type,
            at: clock.now,
            data: JSON.stringify(data),
            due: null,
            tenant,
            user,
          })),
        ),
      )
    },
    work: async () => {
      const sum = { delivered: 0, failed: 0 }
      for (;;) {
        const { delivered, failed } = await webhooks.worker.runOnce()
        sum.delivered += delivered
        sum.failed += failed
        if (delivered + failed === 0 && !(await webhooks.worker.ended())) return sum
      }
    },
    beside: (more = {}) => openWorld({ ...options, storage, clock, ...more }),
  }
}

/** Makes users, each once: of others nothing is kept. */
function enrolling(storage: Storage): (tenant: string, user: string | null) => Promise<void> {
  const definition = { metrics: { words: { name: 'Words' } } }
  const plain = createGamification({ game: defineGame(definition), storage })
  const ofTenants = createGamification({ game: defineGame({ ...definition, multiTenant: true }), storage })
  const known = new Set<string>()
  return async (tenant, user) => {
    const id = JSON.stringify([tenant, user])
    if (user === null || known.has(id)) return
    known.add(id)
    await (tenant === '' ? plain : ofTenants.tenant(tenant)).users.create({ id: user })
  }
}

function openStorage(): Storage {
  const storage = memory()
  onTestFinished(() => storage.close())
  return storage
}
