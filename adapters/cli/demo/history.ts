import type { DefinedGame } from '../../../src/game/define-game.ts'
import type { ImportItem } from '../../../src/requests/types/metric-event.ts'
import { makePeople, type Person } from './people.ts'
import { findValues, type MetricScale, scaleMetrics, type Values } from './scale.ts'

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

/** What has happened by now. Somebody who comes later today only came yesterday instead, so that nobody is missing. */
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
