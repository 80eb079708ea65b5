import type { DamagedUser } from '../drift.tsx'

interface Change {
  readonly gains: number
  readonly minted: number
  readonly loses: number
  readonly gone: number
}

/** What would change for one user. */
export interface WhatIfUser {
  readonly tenant: string
  readonly user: string
  readonly gained: readonly string[]
  readonly lost: readonly string[]
  /** By points system: how much more or less. */
  readonly points: { readonly [system: string]: number }
}

/** What the stream of `admin/v1/what-if` ends with. */
export interface WhatIfReport {
  readonly users: number
  readonly changed: number
  readonly achievements: readonly { readonly key: string; readonly gained: number; readonly lost: number }[]
  readonly points: readonly (Change & { readonly system: string })[]
  readonly triggers: readonly (Change & { readonly system: string; readonly trigger: string })[]
  readonly levels: readonly { readonly system: string; readonly up: number; readonly down: number }[]
  readonly leaderboards: readonly {
    readonly key: string
    readonly entered: number
    readonly left: number
    readonly up: number
    readonly down: number
  }[]
  readonly largest: readonly WhatIfUser[]
  readonly damaged: readonly DamagedUser[]
}
