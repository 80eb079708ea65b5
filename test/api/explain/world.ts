import { afterEach, expect } from 'vitest'
import { memory } from '../../../adapters/memory/index.ts'
import { schemaOf } from '../../../src/api/endpoint.ts'
import type { ExplainRequest, GameDefinition, MetricEventRequest } from '../../../src/index.ts'
import { mistakesOf } from '../../support/answer-schemas.ts'
import { type Engine, NOON, openOn } from '../../support/engine.ts'

/** An engine, and what it explains of Ann. */
export interface Explained {
  readonly engine: Engine
  /** Ann adds to a metric; answers the event's id. */
  add(metric: string, value: number, rest?: Partial<MetricEventRequest>): Promise<string>
  /** True if it holds, with the sentences. */
  tell(subject: ExplainRequest): Promise<readonly (boolean | string)[]>
  at(instant: string): void
}

/** Opens games in memory, with the clock at `NOON`. */
export function useExplained(): (definition: GameDefinition) => Promise<Explained> {
  const opened: Engine[] = []
  afterEach(async () => {
    for (const engine of opened.splice(0)) await engine.close()
  })
  return async (definition) => {
    const engine = await openOn(memory(), { now: NOON }, definition)
    opened.push(engine)
    return {
      engine,
      add: async (metric, value, rest = {}) =>
        (await engine.metrics.event(metric, { user: { id: 'ann' }, value, ...rest })).eventId,
      tell: async (subject) => {
        const answer = await engine.explain('ann', subject)
        expect(mistakesOf(schemaOf('Explanation'), answer)).toEqual([])
        const { holds, reasons } = answer
        return [holds, ...reasons.map(({ sentence }) => sentence)]
      },
      at: engine.at,
    }
  }
}
