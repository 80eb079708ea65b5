import type { UserUpsert } from '../users/user-request-types.ts'

export interface CompletionRequest<UserAttribute extends string = string> {
  /** The user who completed it; created or updated in the same transaction. */
  readonly user: UserUpsert<UserAttribute>
  /**
   * Of an achievement that repeats: each key completes it once more, however often it is sent. Without a key it is completed
   * if the user does not have it. Of 1 to 255 visible ASCII characters.
   */
  readonly idempotencyKey?: string
}
