import { hint, quote } from '../../game/suggest.ts'
import type { Game } from '../../rules/game.ts'
import type { Call } from '../../runtime/context.ts'
import type { StoredKey } from '../../storage/storage.ts'
import { parse, read, withoutUndefined } from '../input.ts'
import { toInstantText } from '../users/answer.ts'
import { followMerges } from '../users/read-user.ts'
import { newApplicationKey } from './api-key.ts'
import {
  applicationKeyRequest,
  applicationKeyRequests,
  applicationKeysQuery,
  deletedKeys,
  type ParsedCapability,
  type ParsedKeyRequest,
  parseCapability,
} from './requests.ts'
import type {
  ApplicationKey,
  ApplicationKeyIssue,
  CreateApplicationKeysResponse,
  CreatedApplicationKey,
  DeleteApplicationKeysResponse,
} from './types.ts'

function unknownCapability(game: Game, can: readonly string[]): string | null {
  for (const [index, each] of can.entries()) {
    const parsed = parseCapability(each)
    if (parsed === null || !('key' in parsed) || parsed.key === null) continue
    const { what, keys } = keysOf(game, parsed.kind)
    if (!keys.includes(parsed.key)) {
      return `can[${index}]: unknown ${what} ${quote(parsed.key)}${hint(parsed.key, keys, 'leave it out')}`
    }
  }
  return null
}

function keysOf(
  game: Game,
  kind: Extract<ParsedCapability, { readonly key: unknown }>['kind'],
): { readonly what: string; readonly keys: readonly string[] } {
  switch (kind) {
    case 'events':
      return { what: 'metric', keys: [...game.metrics.keys()] }
    case 'attributes':
      return { what: 'user attribute', keys: [...game.userAttributes] }
    case 'achievements': {
      const completed = [...game.achievements.values()].filter(({ trigger }) => trigger === 'api')
      return { what: "achievement with the trigger 'api'", keys: completed.map(({ key }) => key) }
    }
    default:
      return kind satisfies never
  }
}

export async function createApplicationKeys(call: Call, request: unknown): Promise<CreateApplicationKeysResponse> {
  const items = parse(applicationKeyRequests, request, 'application keys')
  const stored: StoredKey[] = []
  const created: CreatedApplicationKey[] = []
  const issues: ApplicationKeyIssue[] = []
  for (const [index, item] of items.entries()) {
    const parsed = read(applicationKeyRequest, item)
    if ('issues' in parsed) {
      const message = parsed.issues
        .map(({ path, message }) => (path === '' ? message : `${path}: ${message}`))
        .join('; ')
      issues.push({ index, severity: 'error', message })
      continue
    }
    const { userId } = parsed.data
    const message = await refusalOf(call, parsed.data)
    if (message !== null) {
      issues.push({ index, userId, severity: 'error', message })
      continue
    }
    const { key, prefix, hash } = newApplicationKey()
    const createdAt = call.now()
    const id = call.newId(createdAt)
    const owner = { tenant: call.tenant, user: userId }
    const can = parsed.data.can === undefined ? null : [...new Set(parsed.data.can)]
    const expiresAt = parsed.data.expiresAt?.getTime() ?? null
    stored.push({ id, prefix, hash, owner, status: 'active', createdAt, lastUsedAt: null, can, expiresAt })
    created.push({ id, userId, key, prefix })
  }
  if (stored.length > 0) await call.storage.addApplicationKeys(stored)
  return { created, issues }
}

/** Why no key is made of what was asked for; null: one is. */
async function refusalOf(call: Call, { userId: user, can, expiresAt }: ParsedKeyRequest): Promise<string | null> {
  if (expiresAt !== undefined && expiresAt.getTime() <= call.now()) {
    return 'expiresAt: must be to come, or the key would be none.'
  }
  if (can !== undefined) {
    const { game } = await call.games.current(call.storage)
    const unknown = unknownCapability(game, can)
    if (unknown !== null) return unknown
  }
  const { state } = await call.storage.readUser({ tenant: call.tenant, user })
  return state === null ? `There is no user ${JSON.stringify(user)}.` : null
}

export async function listApplicationKeys(
  { storage, tenant }: Call,
  request: unknown = {},
): Promise<readonly ApplicationKey[]> {
  const { userId, after, limit } = parse(applicationKeysQuery, request, 'options')
  const user = userId === undefined ? userId : (await followMerges(storage, { tenant, user: userId })).key.user
  const keys = await storage.applicationKeys(tenant, { limit, ...withoutUndefined({ user, after }) })
  return keys.map(toApplicationKey)
}

function toApplicationKey({ id, prefix, owner, can, createdAt, expiresAt }: StoredKey): ApplicationKey {
  return {
    id,
    prefix,
    userId: owner?.user ?? '',
    can,
    createdAt: toInstantText(createdAt),
    expiresAt: expiresAt === null ? null : toInstantText(expiresAt),
  }
}

export async function deleteApplicationKeys(call: Call, request: unknown): Promise<DeleteApplicationKeysResponse> {
  const which = parse(deletedKeys, request, 'application keys')
  if ('userId' in which) return deleteKeysOfUser(call, which.userId)
  const ids = [...new Set(which.map((id) => id.toLowerCase()))]
  const removed = new Set(await call.storage.removeApplicationKeys(call.tenant, ids))
  const message = 'There is no application key with this id.'
  return {
    deleted: ids.filter((id) => removed.has(id)).map((id) => ({ id })),
    issues: ids.filter((id) => !removed.has(id)).map((id) => ({ id, severity: 'error', message })),
  }
}

const MOST_AT_ONCE = 1_000

/** Deletes the keys of the user and of its other names. Keys that are made meanwhile may stay. */
async function deleteKeysOfUser({ storage, tenant }: Call, named: string): Promise<DeleteApplicationKeysResponse> {
  const { user } = (await followMerges(storage, { tenant, user: named })).key
  const deleted: { readonly id: string }[] = []
  for (let after = ''; ; ) {
    const keys = await storage.applicationKeys(tenant, { user, after, limit: MOST_AT_ONCE })
    const last = keys.at(-1)
    if (last === undefined) return { deleted, issues: [] }
    const removed = await storage.removeApplicationKeys(
      tenant,
      keys.map(({ id }) => id),
    )
    deleted.push(...removed.map((id) => ({ id })))
    after = last.id
  }
}
