/** Which two users are one. */
export interface MergeRequest {
  /** Whose log goes to the other, and whose id is another name for it from then on. */
  readonly from: string
  /** The user that goes on. */
  readonly into: string
}
