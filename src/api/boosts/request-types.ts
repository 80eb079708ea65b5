/** An attribute of users, by its id or key, and the value it must have. */
export interface BoostAttribute {
  readonly attributeId: string
  readonly attributeValue: string
}

export interface BoostRequest {
  /** Of whom it is alone; without one it is of all users. */
  readonly userId?: string | null
  /** 1 to 255 characters. */
  readonly name: string
  /** `YYYY-MM-DD`, local dates of each user, both included. Without an end it never ends. */
  readonly start: string
  readonly end?: string | null
  /** Above 0 and below 100, and not 1. */
  readonly multiplier: number
  /** Default `down`. */
  readonly rounding?: 'down' | 'up' | 'nearest'
  /** What the user's attributes must be; not of a boost of one user. */
  readonly userAttributes?: readonly BoostAttribute[] | null
}

/** What is left out stays. */
export interface BoostUpdate extends Partial<Omit<BoostRequest, 'userId'>> {
  readonly id: string
}

export interface BoostsListRequest {
  /** 1 to 100; default 10. */
  readonly limit?: number
  /** How many to pass over; default 0. */
  readonly skip?: number
}
