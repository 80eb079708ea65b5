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
  /** What is answered to a question; null: whoever was asked has gone. */
  readonly ask: (question: string) => Promise<string | null>
  /** The version of Node, as `24.21.0`. */
  readonly node: string
  /** Whether this Node runs TypeScript by itself. */
  readonly runsTypeScript: boolean
  /** Aborts when the user interrupts. From the first call on an interruption no longer ends the process by itself. */
  readonly interruption: () => AbortSignal
  /** The instant, in milliseconds since 1970. */
  readonly now: () => number
  /** Milliseconds from any moment on, for durations. */
  readonly elapsed: () => number
}
