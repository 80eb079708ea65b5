/** Where a command writes. Standard error is for people: progress, refusals, mistakes; standard output for results. */
export interface Output {
  out(text: string): void
  err(text: string): void
  /** Whether standard error is a terminal: a line may then be drawn over. */
  readonly isTerminal: boolean
  /** The terminal's width. */
  readonly columns: number
}

/** Everything of the process that a command may use. */
export interface Environment {
  readonly output: Output
  /** The value of a variable of the process's environment. */
  readonly variable: (name: string) => string | undefined
  /** Standard input. */
  readonly input: () => AsyncIterable<Uint8Array>
  /** Whether somebody sits at a terminal who can be asked. */
  readonly canAsk: boolean
  /** The answer to a question. Null if the terminal closed. */
  readonly ask: (question: string) => Promise<string | null>
  /** The version of Node, as `24.21.0`. */
  readonly node: string
  /** Whether this Node runs TypeScript without a flag. */
  readonly runsTypeScript: boolean
  /** Aborts when the user interrupts. After the first call an interruption no longer ends the process. */
  readonly interruption: () => AbortSignal
  /** The instant, in milliseconds since 1970. */
  readonly now: () => number
  /** Milliseconds since an arbitrary start, for durations. */
  readonly elapsed: () => number
}

export const EXIT = {
  ok: 0,
  /** Some lines of an import were refused, rows differ from the logs, or the doctor found a problem. */
  found: 1,
  /** The call is wrong, or the storage failed. */
  failed: 2,
  /** As shells count a process that SIGINT ended. */
  interrupted: 130,
} as const

export type ExitCode = (typeof EXIT)[keyof typeof EXIT]
