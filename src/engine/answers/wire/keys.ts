/** An admin key without its secret. */
export interface AdminKey {
  readonly id: string
  /** The first 8 characters of the full key. */
  readonly prefix: string
  readonly status: 'active' | 'revoked'
  readonly created: string
  /** To the minute; null: never. */
  readonly lastUsed: string | null
}

/** An admin key just made or rotated: the one answer with the full key. */
export interface CreatedAdminKey extends AdminKey {
  /** `{prefix}.{body}`: keep it, it is never shown again. */
  readonly key: string
}

/** An application key as it is handed out, this once. */
export interface CreatedApplicationKey {
  /** For deletion. */
  readonly id: string
  readonly userId: string
  /** `{prefix}.{body}`: keep it, it is never shown again. */
  readonly key: string
  readonly prefix: string
}

/** An application key without its secret. */
export interface ApplicationKey {
  readonly id: string
  /** What stands before the dot of the full key. */
  readonly prefix: string
  readonly userId: string
  /**
   * What it is for; null: all that the game lets clients do. Empty: what was stored cannot be read, and it opens
   * nothing.
   */
  readonly can: readonly string[] | null
  readonly createdAt: string
  /** From then on the key opens nothing; null: never. */
  readonly expiresAt: string | null
}

export interface ApplicationKeyIssue {
  /** Index in the request, from 0. */
  readonly index: number
  readonly userId?: string
  readonly severity: 'error' | 'warning'
  readonly message: string
}

export interface CreateApplicationKeysResponse {
  readonly created: readonly CreatedApplicationKey[]
  readonly issues: readonly ApplicationKeyIssue[]
}

export interface DeletedKeyIssue {
  readonly id: string
  readonly severity: 'error' | 'warning'
  readonly message: string
}

export interface DeleteApplicationKeysResponse {
  readonly deleted: readonly { readonly id: string }[]
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
