import type { Storage } from '../../src/index.ts'
import { type Engine, NOON, openOn } from '../support/engine.ts'
import type { Told } from './bare.ts'
import { definition, PLACEHOLDERS } from './fuzz-requests.ts'
import type { RawRequest } from './raw-connection.ts'

/** An engine that requests with placeholders are sent to, one after the other. */
interface Run {
  readonly engine: Engine
  /** The request as it can be sent: with keys and ids in place of what stands for them. */
  fill(asked: RawRequest): RawRequest
  /** Keeps the newest application key that an answer shows. */
  learn(told: Told): void
}

/** Ann is known, and has an application key. */
export async function startRun(storage: Storage, multiTenant: boolean): Promise<Run> {
  const engine = await openOn(storage, { now: NOON }, definition(multiTenant))
  const api = multiTenant ? engine.tenant('acme') : engine
  await api.users.create({ id: 'ann', attributes: { plan: 'pro' } })
  const { created } = await api.admin.applicationApiKeys.create([{ userId: 'ann' }])
  const { key: adminKey } = await engine.adminKeys.create()
  // The last use of the key is written down now and not, off the path of a request, while one is looked at.
  await engine.authenticate(adminKey)
  while ((await engine.adminKeys.list())[0]?.lastUsed === null) await new Promise((resolve) => setTimeout(resolve, 1))

  const { key = '', id = '' } = created[0] ?? {}
  const filled = new Map<string, string>([
    [PLACEHOLDERS.adminKey, adminKey],
    [PLACEHOLDERS.annsKey, key],
    [PLACEHOLDERS.newestKey, key],
    [PLACEHOLDERS.newestId, id],
  ])
  const fillText = (text: string): string =>
    text.includes('{{') ? [...filled].reduce((result, [name, value]) => result.replaceAll(name, value), text) : text

  return {
    engine,
    fill: (asked) => ({
      ...asked,
      path: fillText(asked.path),
      headers: (asked.headers ?? []).map(([name, value]) => [name, fillText(value)] as const),
    }),
    learn: (told) => {
      if (told.status !== 201 || !told.body.startsWith('{"created":[{')) return
      const { created: made } = JSON.parse(told.body)
      // Pauses are made with the same status.
      if (made[0].key === undefined) return
      filled.set(PLACEHOLDERS.newestKey, made[0].key).set(PLACEHOLDERS.newestId, made[0].id)
    },
  }
}
