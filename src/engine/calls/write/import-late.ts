import type { Outcome, Recorder, TimedCommand } from '../../types.ts'

/** Late items of an import, kept until many of them can share the fold of their user's log. */
export interface LateItems {
  /** Records at once what is not late; keeps the rest until `flush`. */
  record(command: TimedCommand): Promise<Outcome>
  collected(): number
  onCollected(listener: () => void): void
  /** Records what was kept; the promises of `record` end with it. */
  flush(): Promise<void>
}

interface Kept {
  readonly command: TimedCommand
  readonly resolve: (outcome: Promise<Outcome>) => void
}

export function collectLate(recorder: Recorder): LateItems {
  let kept: Kept[] = []
  let listener: () => void = () => undefined

  const keep = (command: TimedCommand): Promise<Outcome> =>
    new Promise((resolve) => {
      kept.push({ command, resolve })
      listener()
    })

  return {
    record: async (command) => (await recorder.recordUnlessLate(command)) ?? keep(command),
    collected: () => kept.length,
    onCollected: (next) => {
      listener = next
    },
    flush: async () => {
      const items = kept
      kept = []
      const outcomes = items.map(({ command }) => recorder.recordLate(command))
      for (const [index, { resolve }] of items.entries()) {
        const outcome = outcomes[index]
        if (outcome !== undefined) resolve(outcome)
      }
      await Promise.allSettled(outcomes)
    },
  }
}
