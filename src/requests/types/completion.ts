import type { UserUpsert } from './user.ts'

export interface CompletionRequest<UserAttribute extends string = string> {
  /** The user who completed it; created or updated in the same transaction. */
  readonly user: UserUpsert<UserAttribute>
}
