import { type CallGate, createCallGate } from '../sql/call-gate.ts'
import type { Sessions } from './session.ts'

/** A gate that lets calls in once the host's database has started. */
export interface Entrance extends CallGate {
  /**
   * The given deadline of a call, later by the time that the call waited for the database to start. A call that was let
   * in asks for it before anything else.
   */
  until(deadline: number): number
}

export function createEntrance({ ready }: Sessions): Entrance {
  const gate = createCallGate()
  if (ready === undefined) return { ...gate, until: (deadline) => deadline }
  /** How many milliseconds the call that was let in last has waited for the database to start. */
  let waited = 0
  /**
   * The wait of each call that came before the database had started, by the call's deadline: such a call may ask more
   * than once.
   */
  const spared = new Map<number, number>()
  let isReady = false
  return {
    ...gate,
    enter: (call) =>
      gate.enter(async () => {
        const arrival = performance.now()
        const isEarly = !isReady
        await ready()
        isReady = true
        waited = isEarly ? performance.now() - arrival : 0
        return call()
      }),
    until: (deadline) => {
      if (waited > 0) spared.set(deadline, waited)
      return deadline + (spared.get(deadline) ?? 0)
    },
  }
}
