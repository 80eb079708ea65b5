/** A user who has been deleted. */
export interface DeletedUser {
  readonly id: string
  /** Under which id what was done stays; null: nothing stays. */
  readonly anonymousId: string | null
}
