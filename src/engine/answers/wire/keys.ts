import type { Count, InstantText, Uuid } from './formats.ts'
/** An admin key without its secret. */
export interface AdminKey {
  readonly id: Uuid
  /**
   * The first 8 characters of the full key.
   *
   * @minLength 8
   * @maxLength 8
   */
  readonly prefix: string
  readonly status: 'active' | 'revoked'
  readonly created: InstantText
  /** To the minute; null: never. */
  readonly lastUsed: InstantText | null
}

/** An admin key just made or rotated: the one answer with the full key. */
export interface CreatedAdminKey extends AdminKey {
  /** `{prefix}.{body}`: keep it, it is never shown again. */
  readonly key: string
}

/** An application key as it is handed out, this once. */
export interface CreatedApplicationKey {
  /** For deletion. */
  readonly id: Uuid
  /** The user the key is for. */
  readonly userId: string
  /** `{prefix}.{body}`: keep it, it is never shown again. */
  readonly key: string
  /** The part of the key that is safe to log. */
  readonly prefix: string
}

/** An application key without its secret. */
export interface ApplicationKey {
  readonly id: Uuid
  /** What stands before the dot of the full key: the part that is safe to log. */
  readonly prefix: string
  /** The user the key is for. */
  readonly userId: string
  /**
   * What it is for; null: all that the game lets clients do. Empty: what was stored cannot be read, and it opens
   * nothing.
   */
  readonly can: readonly string[] | null
  readonly createdAt: InstantText
  /** From then on the key opens nothing; null: never. */
  readonly expiresAt: InstantText | null
}

/** Why one item of a request made no key. */
export interface ApplicationKeyIssue {
  /** Index in the request, from 0. */
  readonly index: Count
  readonly userId?: string
  readonly severity: 'error' | 'warning'
  readonly message: string
}

/** The application keys that were made. */
export interface CreateApplicationKeysResponse {
  readonly created: readonly CreatedApplicationKey[]
  readonly issues: readonly ApplicationKeyIssue[]
}

/** Why one key was not deleted. */
export interface DeletedKeyIssue {
  readonly id: Uuid
  readonly severity: 'error' | 'warning'
  readonly message: string
}

/** The application keys that were deleted. */
export interface DeleteApplicationKeysResponse {
  readonly deleted: readonly { readonly id: Uuid }[]
  readonly issues: readonly DeletedKeyIssue[]
}

/** Whom a key stands for. */
export type KeyHolder =
  | { readonly kind: 'admin'; readonly keyId: string }
  | {
      readonly kind: 'application'
      readonly keyId: string
      readonly tenant: string
      readonly userId: string
      /** What it is for. Absent: all that the game lets clients do. */
      readonly can?: readonly string[]
    }
