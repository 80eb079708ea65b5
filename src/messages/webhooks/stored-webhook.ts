import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import { z } from 'zod'
import { GamificationError } from '../../errors.ts'
import type { StoredDocument } from '../../sql/outbox.ts'

export const WEBHOOK = 'webhook'

export interface SealedSecret {
  readonly sealed: string
  /** The instant until which it signs beside the newest secret. `null` if it is the newest. */
  readonly until: number | null
}

export interface StoredWebhook {
  readonly id: string
  readonly version: number
  readonly url: string
  readonly name: string | null
  readonly types: readonly string[]
  readonly order: 'user' | 'none'
  readonly serviceSignature: boolean
  readonly allowInternal: boolean
  readonly disabled: { readonly at: number; readonly because: 'update' | 'gone' } | null
  readonly createdAt: number
  /** Messages up to and including this position are not sent to it. */
  readonly from: number
  readonly secrets: readonly SealedSecret[]
}

const schema = z.strictObject({
  url: z.string(),
  name: z.string().nullable(),
  types: z.array(z.string()),
  order: z.enum(['user', 'none']),
  serviceSignature: z.boolean(),
  allowInternal: z.boolean(),
  disabled: z.strictObject({ at: z.number(), because: z.enum(['update', 'gone']) }).nullable(),
  createdAt: z.number(),
  from: z.number(),
  secrets: z.array(z.strictObject({ sealed: z.string(), until: z.number().nullable() })),
})

export function readWebhook({ name: id, version, text }: StoredDocument): StoredWebhook {
  const parsed = schema.safeParse(JSON.parse(text))
  if (parsed.success) return { id, version, ...parsed.data }
  const message = `The stored webhook ${id} is damaged, or a newer version of laurels wrote it.`
  throw new GamificationError('internal', message, { cause: parsed.error })
}

export function toWebhookDocument({ id, version, ...webhook }: StoredWebhook): StoredDocument {
  return { kind: WEBHOOK, name: id, text: JSON.stringify(webhook), version }
}

export function webhookReceiver(id: string): string {
  return `webhook:${id}`
}

/** Encrypts secrets, so that the database alone reveals none. */
export interface SecretBox {
  /** A secret that is sealed for one owner cannot be opened for another. */
  seal(secret: string, owner: string): string
  /** Returns `null` if another key or another owner sealed it, or if the text was changed. */
  open(sealed: string, owner: string): string | null
}

const CIPHER = 'aes-256-gcm'
const VERSION = 'a1'
const IV_BYTES = 12
const TAG_BYTES = 16

/** AES-256-GCM. The host's key has at least 32 characters. */
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

/** The newest secret and the older ones that still sign. */
const MOST_SECRETS = 3

/** The newest first. Returns `null` if the host's key cannot open it. Older ones that it cannot open sign no more. */
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

/** Puts a new secret first. The newest one so far signs until `until`; older ones keep their end. */
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
