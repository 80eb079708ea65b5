/** What became of a question. `superseded`: somebody asked again meanwhile, or does not want to know any more. */
export type Loaded<Answer> =
  | { readonly type: 'loaded'; readonly answer: Answer }
  | { readonly type: 'failed'; readonly error: unknown }
  | { readonly type: 'superseded' }

export interface Loader {
  readonly isLoading: boolean
  /** Ends the question under way, and asks. Never rejects. */
  ask<Answer>(question: (signal: AbortSignal) => Promise<Answer>): Promise<Loaded<Answer>>
  stop(): void
}

/** Only the newest request counts, in whatever order the answers arrive. */
export function createLoader(): Loader {
  let current: AbortController | null = null
  const stop = (): void => {
    current?.abort()
    current = null
  }
  return {
    get isLoading() {
      return current !== null
    },
    stop,
    ask: async (question) => {
      stop()
      const own = new AbortController()
      current = own
      try {
        const answer = await question(own.signal)
        if (current !== own) return { type: 'superseded' }
        current = null
        return { type: 'loaded', answer }
      } catch (error) {
        if (current !== own) return { type: 'superseded' }
        current = null
        return { type: 'failed', error }
      }
    },
  }
}
