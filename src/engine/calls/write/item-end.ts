/** What became of an event of several that was accepted; `held`: a limit holds it back. */
export type ItemEnd = 'recorded' | 'held' | 'replayed'
