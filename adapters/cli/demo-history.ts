import type { ImportItem } from '../../src/api/events/requests.ts'
import type { DefinedGame } from '../../src/game/define-game.ts'

export const DEMO_USERS = 500
export const DEMO_DAYS = 90

const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000

export interface DemoItem extends ImportItem {
  readonly occurredAt: Date
}

export interface HistoryOptions {
  readonly users: number
  readonly end: number
  readonly now: number
}

/** The events of the demo's users, the earliest first. The same options give the same events. */
export function makeHistory(
  { rules }: Pick<DefinedGame, 'rules'>,
  { users, end, now }: HistoryOptions,
): readonly DemoItem[] {
  const scene: Scene = {
    metrics: scaleMetrics(rules),
    userAttributes: findValues(rules, rules.userAttributes),
    eventAttributes: findValues(rules, rules.eventAttributes),
    start: end - DEMO_DAYS * DAY_MS,
  }
  return Array.from({ length: users }, (_, index) => upTo(now, makeUser(index, scene)))
    .flat()
    .sort((left, right) => left.occurredAt.getTime() - right.occurredAt.getTime())
}

/** The past items. A user whose first items are in the future gets them a day earlier, so that no user is missing. */
function upTo(now: number, items: readonly DemoItem[]): readonly DemoItem[] {
  const past = items.filter(({ occurredAt }) => occurredAt.getTime() <= now)
  if (past.length > 0) return past
  return items.map((item) => ({ ...item, occurredAt: new Date(item.occurredAt.getTime() - DAY_MS) }))
}

interface Scene {
  readonly metrics: readonly MetricScale[]
  readonly userAttributes: Values
  readonly eventAttributes: Values
  readonly start: number
}

const FIRST = ['Ada', 'Bruno', 'Chidi', 'Dalia', 'Emeka', 'Farah', 'Goran', 'Hana', 'Ines', 'Jonas']
const LAST = ['Abe', 'Berg', 'Costa', 'Diaz', 'Evans', 'Faye', 'Gupta', 'Haas', 'Ito', 'Jansen']
const ZONES = ['UTC', 'Europe/London', 'Europe/Berlin', 'Africa/Lagos', 'Asia/Kolkata', 'America/New_York']
/** How likely users come on a day: a few come almost daily, most now and then. */
const EAGERNESS = [0.97, 0.7, 0.5, 0.3, 0.3, 0.2, 0.15, 0.1, 0.1, 0.05]

function makeUser(index: number, { metrics, userAttributes, eventAttributes, start }: Scene): readonly DemoItem[] {
  // Each user has its own numbers, so that one more user changes nothing for the others.
  const random = createRandom((index + 1) * 7_919)
  const between = (least: number, most: number): number => least + Math.floor(random() * (most - least + 1))
  const pick = (list: readonly string[]): string => list[between(0, list.length - 1)] ?? ''
  const pickAll = (values: Values) => Object.fromEntries([...values].map(([name, list]) => [name, pick(list)]))
  const id = `demo-${String(index + 1).padStart(3, '0')}`
  const profile = { name: `${pick(FIRST)} ${pick(LAST)}`, tz: pick(ZONES), attributes: pickAll(userAttributes) }
  // Half of the users join later.
  const joins = index % 2 === 0 ? 0 : between(0, DEMO_DAYS - 1)
  const items: DemoItem[] = []
  for (let day = joins; day < DEMO_DAYS; day += 1) {
    if (items.length > 0 && random() >= (EAGERNESS[index % EAGERNESS.length] ?? 0)) continue
    const at = start + day * DAY_MS + between(6 * HOUR_MS, 22 * HOUR_MS)
    for (const { metric, size, share, isDistinct } of metrics) {
      if (random() >= share) continue
      items.push({
        metric,
        user: items.length === 0 ? { id, ...profile } : { id },
        value: isDistinct ? 1 : between(Math.ceil(size / 2), size * 2),
        attributes: pickAll(eventAttributes),
        idempotencyKey: `demo-${day}-${metric}`.replace(/[^!-~]/g, '-'),
        occurredAt: new Date(at + items.length),
      })
    }
  }
  return items
}

function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

type Rules = DefinedGame['rules']
type Values = ReadonlyMap<string, readonly string[]>

interface MetricScale {
  readonly metric: string
  /** The average value of an event. */
  readonly size: number
  /** The share of sessions with such an event. */
  readonly share: number
  /** It counts the values of an attribute, so the value of an event is 1. */
  readonly isDistinct: boolean
}

const EVENTS_TO_THE_LAST = 40

/** The active metrics, with values at which some users reach the game's thresholds and others do not. */
function scaleMetrics({ metrics, achievements, points, streak }: Rules): readonly MetricScale[] {
  const active = [...metrics.values()].filter(({ status }) => status === 'active')
  const triggers = [...points.values()].flatMap((system) => system.triggers)
  return active.map(({ key: metric, aggregation }, index) => {
    const values = [...achievements.values()].map((each) => {
      return each.trigger === 'metric' && each.metric === metric ? each.value / EVENTS_TO_THE_LAST : 0
    })
    const own = triggers.flatMap((each) => (each.type === 'metric' && each.metric === metric ? [each] : []))
    const steps = own.map(({ threshold }) => threshold / 4)
    const size = Math.round(Math.max(1, streak?.metrics.get(metric) ?? 0, ...values, ...steps))
    // Users seldom do something that only costs points.
    const isCost = own.length > 0 && own.every(({ points }) => points < 0)
    const share = isCost ? 0.1 : index === 0 || streak?.metrics.has(metric) ? 1 : 0.4
    return { metric, size, share, isDistinct: aggregation === 'distinct' }
  })
}

/** For each attribute, the values in filters of the game and one other, or three values if no filter has it. */
function findValues({ achievements, points }: Rules, names: ReadonlySet<string>): Values {
  const rules = [...achievements.values(), ...[...points.values()].flatMap(({ triggers }) => triggers)]
  const filters = rules.flatMap((rule) => [
    ...rule.userAttributes,
    ...('eventAttributes' in rule ? rule.eventAttributes : []),
  ])
  const valuesOf = (name: string): readonly string[] => {
    const asked = new Set(filters.flatMap(([attribute, value]) => (attribute === name ? [value] : [])))
    return asked.size === 0 ? ['blue', 'green', 'red'] : ['other', ...asked]
  }
  return new Map([...names].map((name) => [name, valuesOf(name)]))
}
