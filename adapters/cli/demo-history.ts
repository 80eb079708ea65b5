import type { ImportItem } from '../../src/api/events/requests.ts'
import type { DefinedGame } from '../../src/game/define-game.ts'

/** Numbers that look like chance and are the same each time: a linear congruential generator over 32 bits. */
interface Random {
  /** From 0 on, below 1. */
  next(): number
  /** A whole number from `least` to `most`. */
  between(least: number, most: number): number
  pick(list: readonly string[]): string
}

function createRandom(seed: number): Random {
  let state = seed >>> 0
  const next = (): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    // The low bits of such a generator repeat soon, so they are mixed with the high ones.
    const mixed = Math.imul(state ^ (state >>> 16), 2_246_822_519) >>> 0
    return ((mixed ^ (mixed >>> 13)) >>> 0) / 4_294_967_296
  }
  return {
    next,
    between: (least, most) => least + Math.floor(next() * (most - least + 1)),
    pick: (list) => list[Math.floor(next() * list.length)] ?? '',
  }
}

interface Person {
  readonly id: string
  readonly name: string
  readonly tz: string
  readonly attributes: Readonly<Record<string, string>>
  /** The first day, counted from the first of all. */
  readonly joins: number
  /** The day from which on the person is not seen any more. */
  readonly leaves: number
  /** The chance that the person comes on a day. */
  readonly zeal: number
  /** Of this person alone, so that one more person changes nothing for the others. */
  readonly random: Random
}

const toWords = (text: string): readonly string[] => text.split(' ')
const FIRST = toWords('Ada Bruno Chidi Dalia Emeka Farah Goran Hana Ines Jonas')
const LAST = toWords('Abe Berg Costa Diaz Evans Faye Gupta Haas Ito Jansen')
const ZONES = toWords(
  'UTC Europe/London Europe/Berlin Africa/Lagos Asia/Kolkata Asia/Tokyo America/New_York America/Sao_Paulo',
)

/** How eager people are, one after the other: a few come every day, most now and then. */
const ZEALS: readonly number[] = [0.97, 0.7, 0.5, 0.3, 0.3, 0.2, 0.15, 0.1, 0.1, 0.05]

function makePeople(count: number, days: number, attributes: ReadonlyMap<string, Values>): readonly Person[] {
  return Array.from({ length: count }, (_, index) => {
    const random = createRandom((index + 1) * 7_919)
    // Half of them were there at the beginning; a fifth of all give up.
    const joins = index % 2 === 0 ? 0 : random.between(0, days - 1)
    return {
      id: `demo-${String(index + 1).padStart(3, '0')}`,
      name: `${random.pick(FIRST)} ${random.pick(LAST)}`,
      tz: random.pick(ZONES),
      attributes: Object.fromEntries([...attributes].map(([name, values]) => [name, random.pick(values)])),
      joins,
      leaves: random.next() < 0.2 ? random.between(joins + 1, days) : days,
      zeal: ZEALS[index % ZEALS.length] ?? 0,
      random,
    }
  })
}

type Rules = DefinedGame['rules']
type Values = readonly string[]

/** How the demo's users use a metric. */
interface MetricScale {
  readonly metric: string
  /** What one event adds, about. */
  readonly size: number
  /** In how many of a user's sessions it happens. */
  readonly share: number
}

/** After so many events of a metric its largest achievement is reached. */
const EVENTS_TO_THE_LAST = 40

/** The metrics that take events, with values by which the game's thresholds are reached by some and not by all. */
function scaleMetrics({ metrics, achievements, points, streak }: Rules): readonly MetricScale[] {
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
function findValues({ achievements, points }: Rules, names: ReadonlySet<string>): ReadonlyMap<string, Values> {
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

export const DEMO_USERS = 500
export const DEMO_DAYS = 90

const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000

export interface DemoItem extends ImportItem {
  readonly occurredAt: Date
}

interface Scene {
  readonly metrics: readonly MetricScale[]
  readonly eventAttributes: ReadonlyMap<string, Values>
  /** The midnight, in UTC, of the first day. */
  readonly start: number
}

export interface HistoryOptions {
  readonly users: number
  /** The midnight, in UTC, at which the last day ends. */
  readonly end: number
  /** What lies after it has not happened yet. */
  readonly now: number
}

/** What the demo's users did on all of the days, the earliest first; the same each time. */
export function makeHistory(
  { rules }: Pick<DefinedGame, 'rules'>,
  { users, end, now }: HistoryOptions,
): readonly DemoItem[] {
  const people = makePeople(users, DEMO_DAYS, findValues(rules, rules.userAttributes))
  const scene: Scene = {
    metrics: scaleMetrics(rules),
    eventAttributes: findValues(rules, rules.eventAttributes),
    start: end - DEMO_DAYS * DAY_MS,
  }
  return people
    .flatMap((person) => upTo(now, actOf(person, scene)))
    .sort((left, right) => left.occurredAt.getTime() - right.occurredAt.getTime())
}

/** The past items. A user whose first items are still to come gets them a day earlier, so that no user is missing. */
function upTo(now: number, items: readonly DemoItem[]): readonly DemoItem[] {
  const past = items.filter(({ occurredAt }) => occurredAt.getTime() <= now)
  if (past.length > 0) return past
  return items.map((item) => ({ ...item, occurredAt: new Date(item.occurredAt.getTime() - DAY_MS) }))
}

function actOf(person: Person, scene: Scene): readonly DemoItem[] {
  const { random, joins, leaves, zeal } = person
  const items: DemoItem[] = []
  for (let day = joins; day < leaves; day += 1) {
    const weekday = new Date(scene.start + day * DAY_MS).getUTCDay()
    const isWeekend = weekday === 0 || weekday === 6
    if (items.length > 0 && random.next() >= (isWeekend ? zeal * 0.85 : zeal)) continue
    items.push(...sessionOf(person, scene, day, items.length))
  }
  return items
}

function sessionOf(person: Person, scene: Scene, day: number, before: number): readonly DemoItem[] {
  const { id, name, tz, attributes, random } = person
  const at = scene.start + day * DAY_MS + random.between(6 * HOUR_MS, 22 * HOUR_MS)
  const metrics = scene.metrics.filter(({ share }) => random.next() < share)
  return metrics.map(({ metric, size }, index) => ({
    metric,
    // Whom the first event makes known.
    user: before + index === 0 ? { id, name, tz, attributes } : { id },
    value: random.between(Math.ceil(size / 2), size * 2),
    attributes: Object.fromEntries([...scene.eventAttributes].map(([key, values]) => [key, random.pick(values)])),
    idempotencyKey: `demo-${day}-${metric}`.replace(/[^!-~]/g, '-'),
    occurredAt: new Date(at + index * 60_000),
  }))
}
