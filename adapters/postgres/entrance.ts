import { type CallGate, createCallGate } from '../sql/call-gate.ts'
import type { Sessions } from './session.ts'

/** A gate behind which the host's database is there. */
export interface Entrance extends CallGate {
  /**
   * The deadline of a call that was let in, which asks for it before anything else: the time in which the database started
   * does not count.
   */
  until(deadline: number): number
}

export function createEntrance({ ready }: Sessions): Entrance {
  const gate = createCallGate()
  if (ready === undefined) return { ...gate, until: (deadline) => deadline }
  /** How long whoever was let in last has waited. */
  let waited = 0
  /** By deadline, what the calls have waited that came before the database was there: they may come again. */
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
