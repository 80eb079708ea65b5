/** What a merge did. */
export interface MergeResponse {
  readonly from: string
  /** The user that goes on, by its own id. */
  readonly into: string
  /** false: they were one user already. */
  readonly merged: boolean
  /** How many entries were moved. */
  readonly entries: number
  /** How many events do not count, because their idempotency key was used by the other user too. */
  readonly repeated: number
}
