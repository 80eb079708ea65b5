import { type CallGate, createCallGate } from '../sql/call-gate.ts'
import type { Sessions } from './session.ts'

/** A gate that lets calls in once the host's database has started. */
export interface Entrance extends CallGate {
  /** A deadline, later by the time that the database needs from now on to start. */
  until(deadline: number): () => number
}

export function createEntrance({ ready }: Sessions): Entrance {
  const gate = createCallGate()
  if (ready === undefined) return { ...gate, until: (deadline) => () => deadline }
  let readyAt: number | null = null
  return {
    ...gate,
    enter: (call) =>
      gate.enter(async () => {
        await ready()
        readyAt ??= performance.now()
        return call()
      }),
    until: (deadline) => {
      const from = performance.now()
      return () => deadline + Math.max(0, (readyAt ?? from) - from)
    },
  }
}
