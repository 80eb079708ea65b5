import Database from 'better-sqlite3'
import { onTestFinished } from 'vitest'
import { sqlite } from '../../adapters/sqlite/index.ts'
import type { GameDefinition, Storage } from '../../src/index.ts'
import { dump } from '../support/dump.ts'
import { NOON, openOn } from '../support/engine.ts'
import { type BindingName, openServer, type Server } from '../support/http.ts'
import { game } from './authorization-table.ts'

/** Every kind of key that there can be. */
interface Keys {
  readonly admin: string
  readonly ofAnn: string
  readonly ofBob: string
  /** A key of a user who is also called ann. */
  readonly ofAnotherTenant: string
  /** By what is wrong with it, or `null` if none is sent. */
  readonly bad: { readonly [kind: string]: string | null }
}

export interface World {
  readonly server: Server
  readonly keys: Keys
  /** Every table, except the last use of keys. */
  tables(): ReadonlyMap<string, readonly string[]>
  /** The same without the rows that name ann. */
  tablesOfOthers(): ReadonlyMap<string, readonly string[]>
}

/** Everything that a user of the game can write. */
export const EVERYTHING: NonNullable<GameDefinition['clients']> = {
  events: { words: {}, laps: {} },
  achievements: ['tour'],
  challenges: ['sprint', 'daily'],
  redeem: ['mug'],
  attributes: ['plan'],
  profile: ['name', 'email', 'tz', 'deviceTokens', 'subscribedToEmails', 'notifications', 'streak'],
}

/** The tenant that requests are sent under if the game has tenants. */
export const TENANT = 'acme'

const OF_ANN = '["user_id","ann"]'
const UNKNOWN_BODY = 'A'.repeat(43)

/**
 * A server with ann and bob, whose totals are 1 and 77.77 (which no id can hold), and all kinds of keys. zoe and all
 * others are unknown.
 */
export async function openWorld(
  binding: BindingName,
  { multiTenant = false, clients }: { readonly multiTenant?: boolean; readonly clients?: null } = {},
): Promise<World> {
  const host = new Database(':memory:')
  const storage = sqlite(host)
  const ofAnotherTenant = await makeKeyOfAnotherTenant(storage)
  const server = await openServer({
    definition: { ...game, multiTenant, ...(clients === null ? {} : { clients: EVERYTHING }) },
    binding,
    storage,
  })
  onTestFinished(async () => {
    await server.close()
    host.close()
  })
  const tenant = multiTenant ? TENANT : undefined
  await enroll(server, tenant)
  return {
    server,
    keys: { ...(await makeKeys(server, tenant)), ofAnotherTenant },
    tables: () => dump(host, { everything: true }),
    tablesOfOthers: () =>
      new Map([...dump(host, { everything: true })].map(([name, rows]) => [name, rows.filter(isNotAnns)])),
  }
}

/** Counts of completions and levels are of all users: ann is among them. */
const isNotAnns = (row: string): boolean => !row.includes(OF_ANN) && !/\["kind","(completions|level)"\]/.test(row)

async function enroll(server: Server, tenant: string | undefined): Promise<void> {
  const headers: Record<string, string> = tenant === undefined ? {} : { 'Tenant-ID': tenant }
  for (const [id, value] of [['ann', 1] as const, ['bob', 77.77] as const]) {
    const user = { id, name: id === 'bob' ? 'Robert' : 'Ann', email: `${id}@example.com` }
    await server.call('POST', '/v1/metrics/words/event', { body: { user, value }, headers })
  }
}

async function makeKeys(server: Server, tenant: string | undefined): Promise<Omit<Keys, 'ofAnotherTenant'>> {
  const { adminKeys } = server.engine
  const rotated = await adminKeys.create()
  const revoked = await adminKeys.rotate(rotated.id)
  await adminKeys.revoke(revoked.id)
  const deleted = await adminKeys.create()
  await adminKeys.delete(deleted.id)
  const headers: Record<string, string> = tenant === undefined ? {} : { 'Tenant-ID': tenant }
  const path = '/admin/v1/application-api-keys'
  const made = await server.call('POST', path, { body: [{ userId: 'ann' }], headers })
  const [deletedOfAnn] = made.body.created
  await server.call('DELETE', `${path}?ids=${deletedOfAnn.id}`, { headers })
  return {
    admin: server.adminKey,
    ofAnn: await server.applicationKey('ann', tenant),
    ofBob: await server.applicationKey('bob', tenant),
    bad: {
      'no key': null,
      'an empty key': '',
      junk: 'junk',
      'an unknown admin key': `adm_0000.${UNKNOWN_BODY}`,
      'an unknown application key': `app_000000000000.${UNKNOWN_BODY}`,
      'a revoked key': revoked.key,
      'a key rotated away': rotated.key,
      'a deleted admin key': deleted.key,
      'a deleted application key': deletedOfAnn.key,
    },
  }
}

/** Made by a game with tenants, which the game of the server may be no longer. */
async function makeKeyOfAnotherTenant(storage: Storage): Promise<string> {
  const before = await openOn(storage, { now: NOON }, { ...game, multiTenant: true })
  const { users, admin } = before.tenant('umbrella')
  await users.create({ id: 'ann' })
  const { created } = await admin.applicationApiKeys.create([{ userId: 'ann' }])
  return created[0]?.key ?? ''
}
