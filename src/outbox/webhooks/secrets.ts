import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import type { SealedSecret, StoredWebhook } from './stored-webhook.ts'

/** Keeps secrets so that the database alone tells none of them. */
export interface SecretBox {
  /** `owner` is whose secret it is: sealed for one it opens for no other. */
  seal(secret: string, owner: string): string
  /** null: it was sealed with another key, for another owner, or was changed. */
  open(sealed: string, owner: string): string | null
}

const CIPHER = 'aes-256-gcm'
const VERSION = 'a1'
const IV_BYTES = 12
const TAG_BYTES = 16

/** The host's key, of 32 characters or more. AES-256-GCM. */
export function createSecretBox(secretKey: string): SecretBox {
  const key = Buffer.from(hkdfSync('sha256', secretKey, '', 'laurels webhook secrets', 32))
  return {
    seal: (secret, owner) => {
      const iv = randomBytes(IV_BYTES)
      const cipher = createCipheriv(CIPHER, key, iv, { authTagLength: TAG_BYTES }).setAAD(Buffer.from(owner))
      const text = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()])
      return `${VERSION}.${Buffer.concat([iv, cipher.getAuthTag(), text]).toString('base64')}`
    },
    open: (sealed, owner) => {
      if (!sealed.startsWith(`${VERSION}.`)) return null
      const bytes = Buffer.from(sealed.slice(VERSION.length + 1), 'base64')
      if (bytes.length < IV_BYTES + TAG_BYTES) return null
      try {
        const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, IV_BYTES), { authTagLength: TAG_BYTES })
          .setAAD(Buffer.from(owner))
          .setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES))
        return Buffer.concat([decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES)), decipher.final()]).toString('utf8')
      } catch {
        return null
      }
    },
  }
}

/** The newest one, and those before it that still sign. */
const MOST_SECRETS = 3

/**
 * What signs now, the newest first; null: the newest cannot be opened with the host's key. An older one that cannot was
 * sealed before the host had another key, and signs no more.
 */
export function openSecrets(
  { id, secrets }: StoredWebhook,
  secretBox: SecretBox,
  now: number,
): readonly string[] | null {
  const [newest = null, ...older] = secrets
    .filter(({ until }) => until === null || until > now)
    .map(({ sealed }) => secretBox.open(sealed, id))
  return newest === null ? null : [newest, ...older.filter((secret) => secret !== null)]
}

/** With a new secret before those that there are, the newest of which signs until then; the others as they were to. */
export function rotated(
  secrets: readonly SealedSecret[],
  sealed: string,
  { now, until }: { readonly now: number; readonly until: number },
): readonly SealedSecret[] {
  const old = secrets
    .map((secret) => ({ sealed: secret.sealed, until: secret.until ?? until }))
    .filter((secret) => secret.until > now)
  return [{ sealed, until: null }, ...old].slice(0, MOST_SECRETS)
}
