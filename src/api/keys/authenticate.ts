import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Context, KeyUses, Logger } from '../../runtime/context.ts'
import { storageBy } from '../../runtime/deadline.ts'
import type { Storage } from '../../storage/storage.ts'
import { isBodyOf, parseApiKey } from './api-key.ts'
import { parseCapabilities } from './requests.ts'
import type { KeyHolder } from './types.ts'

/**
 * Whom a full key stands for; null when it is missing, malformed, unknown, rotated away, revoked, deleted or expired,
 * or has a capability that is not known. The storage is asked each time, by the deadline, so that a revocation holds
 * for the next call of every process.
 */
export async function authenticate(context: Context, key: unknown, deadline: number): Promise<KeyHolder | null> {
  const parsed = parseApiKey(key)
  if (parsed === null) return null
  const stored = await storageBy(context.storage, deadline).findKey(parsed.prefix)
  if (!isBodyOf(parsed.body, stored?.hash ?? null) || stored?.status !== 'active') return null
  const { id: keyId, owner, can, expiresAt } = stored
  if (expiresAt !== null && expiresAt <= context.now()) return null
  if (can !== null && parseCapabilities(can) === null) return null
  if (owner !== null) {
    const holder = { kind: 'application', keyId, tenant: owner.tenant, userId: owner.user } as const
    return can === null ? holder : { ...holder, can }
  }
  context.keyUses.note(keyId, context.now())
  return { kind: 'admin', keyId }
}

const MINUTE = 60_000

export function createKeyUses(storage: Storage, logger: Logger): KeyUses {
  const minutes = new Map<string, number>()
  const writing = new Set<Promise<void>>()

  async function write(keyId: string, lastUsedAt: number): Promise<void> {
    try {
      // After the call that used the key has gone on.
      await nextTurn()
      await storage.updateAdminKey(keyId, { lastUsedAt })
    } catch (err) {
      logger.warn({ keyId, err }, 'The last use of an admin key could not be recorded.')
    }
  }

  return {
    note: (keyId, now) => {
      const minute = now - (now % MINUTE)
      if ((minutes.get(keyId) ?? Number.NEGATIVE_INFINITY) >= minute) return
      minutes.set(keyId, minute)
      const written = write(keyId, minute).finally(() => writing.delete(written))
      writing.add(written)
    },
    drained: async () => {
      await Promise.all(writing)
    },
  }
}
