import type { DefinedGame } from '../../../src/game/define-game.ts'

type Rules = DefinedGame['rules']
export type Values = readonly [string, ...string[]]

/** How the demo's users use a metric. */
export interface MetricScale {
  readonly metric: string
  /** What one event adds, about. */
  readonly size: number
  /** In how many of a user's sessions it happens. */
  readonly share: number
}

/** After so many events of a metric its largest achievement is reached. */
const EVENTS_TO_THE_LAST = 40

/** The metrics that take events, with values by which the game's thresholds are reached by some and not by all. */
export function scaleMetrics({ metrics, achievements, points, streak }: Rules): readonly MetricScale[] {
  const active = [...metrics.values()].filter(({ status }) => status === 'active')
  return active.map(({ key: metric }, index) => {
    const triggers = [...points.values()].flatMap((system) =>
      system.triggers.flatMap((trigger) => (trigger.type === 'metric' && trigger.metric === metric ? [trigger] : [])),
    )
    const last = Math.max(
      0,
      ...[...achievements.values()].map((each) =>
        each.trigger === 'metric' && each.metric === metric ? each.value : 0,
      ),
    )
    const first = streak?.metrics.get(metric) ?? 0
    const step = Math.max(0, ...triggers.map(({ threshold }) => threshold)) / 4
    const size = Math.max(1, Math.round(Math.max(first, last / EVENTS_TO_THE_LAST, step)))
    // What only costs points is done seldom.
    const isCost = triggers.length > 0 && triggers.every((trigger) => trigger.points < 0)
    return { metric, size, share: isCost ? 0.1 : index === 0 || streak?.metrics.has(metric) ? 1 : 0.4 }
  })
}

const OTHERS: Values = ['blue', 'green', 'red']

/** For each attribute the values that filters of the game ask for and one they do not, or some where no filter asks. */
export function findValues({ achievements, points }: Rules, names: ReadonlySet<string>): ReadonlyMap<string, Values> {
  const rules = [...achievements.values(), ...[...points.values()].flatMap(({ triggers }) => triggers)]
  const filters = rules.flatMap((rule) => [
    ...rule.userAttributes,
    ...('eventAttributes' in rule ? rule.eventAttributes : []),
  ])
  return new Map(
    [...names].map((name) => {
      const asked = new Set(filters.flatMap(([attribute, value]) => (attribute === name ? [value] : [])))
      return [name, asked.size === 0 ? OTHERS : ['other', ...asked]] as const
    }),
  )
}
