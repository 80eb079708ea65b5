import { parse, read } from '../../../requests/input.ts'
import { applicationKeyIds, applicationKeyRequest, applicationKeyRequests } from '../../../requests/keys.ts'
import type { StoredKey } from '../../../storage.ts'
import type {
  ApplicationKeyIssue,
  CreateApplicationKeysResponse,
  CreatedApplicationKey,
  DeleteApplicationKeysResponse,
} from '../../answers/wire/keys.ts'
import type { Context } from '../../types.ts'
import { newApplicationKey } from './api-key.ts'

/** Makes keys of single users; what is wrong with one item is an issue, and the others get theirs. */
export async function createApplicationKeys(
  context: Context,
  tenant: string,
  request: unknown,
): Promise<CreateApplicationKeysResponse> {
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
    const user = parsed.data.userId
    const { state } = await context.storage.readUser({ tenant, user })
    if (state === null) {
      issues.push({ index, userId: user, severity: 'error', message: `There is no user ${JSON.stringify(user)}.` })
      continue
    }
    const { key, prefix, hash } = newApplicationKey()
    const createdAt = context.now()
    const id = context.newId(createdAt)
    stored.push({ id, prefix, hash, owner: { tenant, user }, status: 'active', createdAt, lastUsedAt: null })
    created.push({ id, userId: user, key, prefix })
  }
  if (stored.length > 0) await context.storage.addApplicationKeys(stored)
  return { created, issues }
}

/** Deletes keys by id, for good. */
export async function deleteApplicationKeys(
  context: Context,
  tenant: string,
  request: unknown,
): Promise<DeleteApplicationKeysResponse> {
  const ids = [...new Set(parse(applicationKeyIds, request, 'application key ids').map((id) => id.toLowerCase()))]
  const removed = new Set(await context.storage.removeApplicationKeys(tenant, ids))
  const message = 'There is no application key with this id.'
  return {
    deleted: ids.filter((id) => removed.has(id)).map((id) => ({ id })),
    issues: ids.filter((id) => !removed.has(id)).map((id) => ({ id, severity: 'error', message })),
  }
}
