import type { LogEntry } from './users.ts'

/** One line of an export: `laurels` says what it is. */
export type ExportLine = ExportHeader | ExportedGame | ExportedUser | ExportedEntry | ExportEnd

/** Some lines of a user's export; `laurels` says what each of them is. */
export interface ExportPage {
  readonly lines: readonly ExportLine[]
  /** To be sent as `after` for the next page; null: this is the last. */
  readonly after: string | null
}

/** The first line of an export of any number of users. */
export interface ExportHeader {
  readonly laurels: 'export'
  readonly version: 1
  /** Whose users they are; null: those of all tenants. */
  readonly tenant: string | null
}

/** A game that entries were decided under, as it was stored. */
export interface ExportedGame {
  readonly laurels: 'game'
  readonly epoch: number
  readonly policy: 'forward' | 'grant' | 'recompute'
  readonly fingerprint: string
  readonly createdAt: string
  readonly definition: unknown
}

/** Before the entries of a user; the first line of an export of one. */
export interface ExportedUser {
  readonly laurels: 'user'
  readonly version: 1
  /** The empty text in a game without tenants. */
  readonly tenant: string
  readonly id: string
  /** How many entries follow. */
  readonly entries: number
}

/** In the order of the log. */
export interface ExportedEntry {
  readonly laurels: 'entry'
  readonly entry: LogEntry
}

/** After a user's entries, or at the end of all. */
export type ExportEnd =
  | {
      readonly laurels: 'end'
      readonly of: 'user'
      readonly id: string
      /** How many entries there were. */
      readonly entries: number
      /**
       * false: the log changed while it was read, as when the user is deleted; the lines of this user are to be passed
       * over.
       */
      readonly complete: boolean
    }
  | { readonly laurels: 'end'; readonly of: 'export'; readonly users: number }
