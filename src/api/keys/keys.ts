import { toInstantText } from '../../answers/users.ts'
import { GamificationError } from '../../errors.ts'
import { checkNoOptions } from '../../options.ts'
import type { Game } from '../../rules/game.ts'
import type { Call, Context } from '../../runtime/context.ts'
import { parse, read, text, withoutUndefined } from '../../runtime/input.ts'
import { toIssueText } from '../../runtime/input-issues.ts'
import { wrapErrors } from '../../runtime/tracing.ts'
import type {
  AdminKey,
  ApplicationKey,
  ApplicationKeyIssue,
  CreateApplicationKeysResponse,
  CreatedAdminKey,
  CreatedApplicationKey,
  DeleteApplicationKeysResponse,
} from '../../shapes/keys.ts'
import {
  type AdminKeyChange,
  addAdminKey,
  addApplicationKeys,
  loadAdminKeys,
  loadApplicationKeys,
  removeAdminKey,
  removeApplicationKeys,
  type StoredKey,
  updateAdminKey,
} from '../../sql/api-keys.ts'
import { loadUser } from '../../sql/read-user.ts'
import { hint, quote } from '../../suggest.ts'
import { followMerges } from '../users/read-user.ts'
import { newApiKey, readAdminKey } from './api-key.ts'
import * as requests from './requests.ts'

/** Admin keys of the account: one opens every tenant's users and the admin API. */
export interface AdminKeysApi {
  /** Creates a key. Rejects with `too_many_admin_keys` if there are 3, revoked ones included. */
  create(): Promise<CreatedAdminKey>
  /**
   * Makes a key of your own the first admin key, for example one from the environment. Returns false, and stores
   * nothing, if there are admin keys already, so a key that was deleted does not return. Rejects with `invalid_request`
   * unless the key is `adm_`, 4 of 0-9a-z, a dot, and 32 random bytes as base64url.
   */
  createFirst(key: string): Promise<boolean>
  /** Lists the keys, the oldest first. */
  list(): Promise<readonly AdminKey[]>
  /** Gives the key another prefix and body; the old ones are invalid at once. A revoked key stays revoked. */
  rotate(id: string): Promise<CreatedAdminKey>
  /** Makes the key invalid at once, until it is reactivated. */
  revoke(id: string): Promise<AdminKey>
  /** Makes a revoked key valid again, with the prefix and body it had. */
  reactivate(id: string): Promise<AdminKey>
  /** Deletes the key for good. */
  delete(id: string): Promise<void>
}

const MOST_ADMIN_KEYS = 3

const keyId = text(255)

export function createAdminKeys({ storage, now, newId }: Pick<Context, 'storage' | 'now' | 'newId'>): AdminKeysApi {
  const change = (id: unknown, changes: AdminKeyChange): Promise<StoredKey> =>
    wrapErrors(
      'outcome_unknown',
      async () => (await updateAdminKey(storage, parse(keyId, id, 'admin key id'), changes)) ?? unknown(id),
    )

  const toStored = ({ prefix, hash }: { readonly prefix: string; readonly hash: string }): StoredKey => {
    const createdAt = now()
    const unset = { owner: null, lastUsedAt: null, can: null, expiresAt: null }
    return { id: newId(createdAt), prefix, hash, status: 'active', createdAt, ...unset }
  }

  return {
    create: (...given: readonly unknown[]) =>
      wrapErrors('outcome_unknown', async () => {
        checkNoOptions('adminKeys.create', given)
        const { key, ...made } = newApiKey('admin')
        const stored = toStored(made)
        if (await addAdminKey(storage, stored, MOST_ADMIN_KEYS)) return { ...toAdminKey(stored), key }
        const message = `There are ${MOST_ADMIN_KEYS} admin keys, the most an account has: rotate or delete one of them.`
        throw new GamificationError('too_many_admin_keys', message)
      }),
    // At most 1: if several processes start at once, only one adds it.
    createFirst: (key) =>
      wrapErrors('outcome_unknown', async () => addAdminKey(storage, toStored(readAdminKey(key)), 1)),
    list: () => wrapErrors('internal', async () => (await loadAdminKeys(storage)).map(toAdminKey)),
    rotate: async (id) => {
      const { key, prefix, hash } = newApiKey('admin')
      return { ...toAdminKey(await change(id, { prefix, hash })), key }
    },
    revoke: async (id) => toAdminKey(await change(id, { status: 'revoked' })),
    reactivate: async (id) => toAdminKey(await change(id, { status: 'active' })),
    delete: (id) =>
      wrapErrors('outcome_unknown', async () => {
        if (!(await removeAdminKey(storage, parse(keyId, id, 'admin key id')))) unknown(id)
      }),
  }
}

function unknown(id: unknown): never {
  throw new GamificationError('unknown_admin_key', `There is no admin key with the id ${JSON.stringify(id)}.`)
}

function toAdminKey({ id, prefix, status, createdAt, lastUsedAt }: StoredKey): AdminKey {
  const lastUsed = lastUsedAt === null ? null : toInstantText(lastUsedAt)
  return { id, prefix, status, created: toInstantText(createdAt), lastUsed }
}

function unknownCapability(
  { metrics, userAttributes, achievements, challenges, rewards }: Game,
  can: readonly string[],
): string | null {
  const completed = [...achievements.values()].filter(({ trigger }) => trigger === 'api')
  const known = {
    events: { what: 'metric', keys: [...metrics.keys()] },
    attributes: { what: 'user attribute', keys: [...userAttributes] },
    achievements: { what: "achievement with the trigger 'api'", keys: completed.map(({ key }) => key) },
    challenges: { what: 'challenge', keys: [...challenges.keys()] },
    redeem: { what: 'reward', keys: [...rewards.keys()] },
  }
  for (const [index, each] of can.entries()) {
    const parsed = requests.parseCapability(each)
    if (parsed === null || !('key' in parsed) || parsed.key === null) continue
    const { what, keys } = known[parsed.kind]
    if (!keys.includes(parsed.key)) {
      return `can[${index}]: unknown ${what} ${quote(parsed.key)}${hint(parsed.key, keys, 'leave it out')}`
    }
  }
  return null
}

export async function createApplicationKeys(
  call: Call,
  items: readonly unknown[],
): Promise<CreateApplicationKeysResponse> {
  const stored: StoredKey[] = []
  const created: CreatedApplicationKey[] = []
  const issues: ApplicationKeyIssue[] = []
  const asked: { readonly id: string; readonly index: number; readonly userId: string }[] = []
  for (const [index, item] of items.entries()) {
    const parsed = read(requests.applicationKeyRequest, item)
    if ('issues' in parsed) {
      issues.push({ index, severity: 'error', message: parsed.issues.map(toIssueText).join('; ') })
      continue
    }
    const { userId } = parsed.data
    const message = await refusalOf(call, parsed.data)
    if (message !== null) {
      issues.push({ index, userId, severity: 'error', message })
      continue
    }
    const { key, prefix, hash } = newApiKey('application')
    const createdAt = call.now()
    const id = call.newId(createdAt)
    const owner = { tenant: call.tenant, user: userId }
    const can = parsed.data.can === undefined ? null : [...new Set(parsed.data.can)]
    const expiresAt = parsed.data.expiresAt?.getTime() ?? null
    stored.push({ id, prefix, hash, owner, status: 'active', createdAt, lastUsedAt: null, can, expiresAt })
    created.push({ id, userId, key, prefix })
    asked.push({ id, index, userId })
  }
  if (stored.length === 0) return { created, issues }
  const added = new Set(await addApplicationKeys(call.storage, stored))
  // A merge came between.
  const lost = asked.filter(({ id }) => !added.has(id))
  for (const { index, userId } of lost) {
    issues.push({
      index,
      userId,
      severity: 'error',
      message: `${JSON.stringify(userId)} was merged into another user.`,
    })
  }
  return { created: created.filter(({ id }) => added.has(id)), issues }
}

async function refusalOf(
  call: Call,
  { userId: user, can, expiresAt }: requests.ParsedKeyRequest,
): Promise<string | null> {
  if (expiresAt !== undefined && expiresAt.getTime() <= call.now()) {
    return 'expiresAt: must be to come, or the key would be none.'
  }
  if (can !== undefined) {
    const { game } = await call.games.current(call.storage)
    const unknown = unknownCapability(game, can)
    if (unknown !== null) return unknown
  }
  const { state } = await loadUser(call.storage, { tenant: call.tenant, user })
  if (state === null) return `There is no user ${JSON.stringify(user)}.`
  if (state.mergedInto === null) return null
  return `${JSON.stringify(user)} was merged into ${JSON.stringify(state.mergedInto)}: make the key for that user.`
}

export async function listApplicationKeys(
  { storage, tenant }: Call,
  { userId, after, limit }: requests.ParsedKeysRequest,
): Promise<readonly ApplicationKey[]> {
  const user = userId === undefined ? userId : (await followMerges({ storage }, { tenant, user: userId })).key.user
  const keys = await loadApplicationKeys(storage, tenant, { limit, ...withoutUndefined({ user, after }) })
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

export async function deleteApplicationKeys(
  call: Call,
  which: readonly string[] | requests.KeysOfUser,
): Promise<DeleteApplicationKeysResponse> {
  if ('userId' in which) return deleteKeysOfUser(call, which.userId)
  const ids = [...new Set(which.map((id) => id.toLowerCase()))]
  const removed = new Set(await removeApplicationKeys(call.storage, call.tenant, ids))
  const message = 'There is no application key with this id.'
  return {
    deleted: ids.filter((id) => removed.has(id)).map((id) => ({ id })),
    issues: ids.filter((id) => !removed.has(id)).map((id) => ({ id, severity: 'error', message })),
  }
}

const MOST_AT_ONCE = 1_000

/** Deletes the keys of the user and of its other names. */
async function deleteKeysOfUser({ storage, tenant }: Call, named: string): Promise<DeleteApplicationKeysResponse> {
  const { user } = (await followMerges({ storage }, { tenant, user: named })).key
  const deleted: { readonly id: string }[] = []
  for (;;) {
    const keys = await loadApplicationKeys(storage, tenant, { user, limit: MOST_AT_ONCE })
    if (keys.length === 0) return { deleted, issues: [] }
    const ids = keys.map(({ id }) => id)
    deleted.push(...(await removeApplicationKeys(storage, tenant, ids)).map((id) => ({ id })))
  }
}
