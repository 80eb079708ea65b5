import type { ImportItem } from '../../src/api/events/requests.ts'
import { type DefinedGame, defineGame } from '../../src/game/define-game.ts'
import { createGamification, type Gamification, type Storage } from '../../src/index.ts'
import { loadUserKeys } from '../../src/sql/user-lists.ts'
import { type Answer, type CliCommand, type CommandCall, defineCommand } from './command.ts'
import { type ChosenDatabase, checkTenant, loadGame, ofTenant, readNewestGame } from './database.ts'
import { dateOption, flagOption, GAME_FILES, JSON_RESULT, NEW_DATABASE, textOption, whole } from './options.ts'
import { EXIT, type ExitCode, plural, type Screen, toScreenLogger, toText, wrongCall } from './terminal.ts'

const START = '2024-01-01'
const WEEK = { unit: 'day', interval: 7 } as const
const OF_LESSONS = { trigger: 'metric', metric: 'lessons' } as const

/** It uses every kind of rule. */
export function demoGame(multiTenant: boolean): DefinedGame {
  return defineGame({
    multiTenant,
    metrics: { lessons: { name: 'Lessons finished' }, minutes: { name: 'Minutes practised' } },
    userAttributes: ['plan'],
    eventAttributes: ['source'],
    achievements: {
      'first-lesson': { name: 'First lesson', ...OF_LESSONS, value: 1 },
      'fifty-lessons': { name: 'Fifty lessons', ...OF_LESSONS, value: 50 },
      'on-the-road': { name: 'On the road', ...OF_LESSONS, value: 10, eventAttributes: { source: 'mobile' } },
      'week-in-a-row': { name: 'A week in a row', trigger: 'streak', length: 7 },
      'month-in-a-row': { name: 'A month in a row', trigger: 'streak', length: 30 },
      'all-rounder': { name: 'All-rounder', trigger: 'achievement', achievements: ['fifty-lessons', 'week-in-a-row'] },
    },
    points: {
      xp: {
        name: 'XP',
        triggers: [
          { type: 'user_creation', points: 20 },
          { type: 'metric', metric: 'lessons', threshold: 1, points: 10 },
          { type: 'metric', metric: 'minutes', threshold: 60, points: 15 },
          { type: 'streak', length: 7, points: 50 },
        ],
        levels: {
          bronze: { name: 'Bronze', points: 0 },
          silver: { name: 'Silver', points: 300 },
          gold: { name: 'Gold', points: 1_000 },
        },
      },
    },
    streak: {
      frequency: 'daily',
      metrics: { lessons: {} },
      freezes: { initial: 1, max: 2, autoEarn: { interval: 7, amount: 1 } },
    },
    challenges: {
      daily: {
        name: 'Daily quests',
        every: 'day',
        pick: 2,
        rerolls: 1,
        pool: {
          lesson: { name: 'Two lessons', of: [{ metric: 'lessons', value: 2 }], reward: { points: { xp: 5 } } },
          practice: { name: 'An hour', of: [{ metric: 'minutes', value: 60 }], reward: { points: { xp: 10 } } },
          both: {
            name: 'A lesson and 20 minutes',
            of: [
              { metric: 'lessons', value: 1 },
              { metric: 'minutes', value: 20 },
            ],
            reward: { points: { xp: 5 } },
          },
        },
      },
      month: {
        name: 'Lessons of the month',
        every: 'month',
        of: [{ metric: 'lessons', value: 20 }],
        claim: { within: { days: 7 } },
        reward: { points: { xp: 50 }, freezes: 1 },
      },
    },
    leaderboards: {
      weekly: { name: 'This week', rankBy: 'metric', metric: 'lessons', start: START, run: WEEK },
      'all-time': { name: 'All time', rankBy: 'points', system: 'xp', start: START },
    },
  })
}

const MOST_USERS = 5_000
const DAY_MS = 86_400_000
const DEMO_USERS = 500
const DEMO_DAYS = 90

const OPTIONS = {
  ...NEW_DATABASE,
  game: textOption(
    '<file>',
    `the game: ${GAME_FILES}. It is put in force. Default: the game in the database, or a small example game`,
  ),
  tenant: textOption('<id>', 'the tenant, which must have no users yet'),
  until: dateOption('the last day, such as 2026-03-31 (default: today, in UTC, up to now)', '2026-03-31'),
  users: whole('<count>', `how many users, from 1 to ${MOST_USERS} (default: ${DEMO_USERS})`, DEMO_USERS, [
    1,
    MOST_USERS,
  ]),
  add: flagOption('add to the users that are there already'),
  json: JSON_RESULT,
}

type DemoCall = CommandCall<typeof OPTIONS>

export const demo: CliCommand = defineCommand({
  name: 'demo',
  summary: 'fill an empty database with example users',
  about: `Fills an empty database with ${DEMO_DAYS} days of ${DEMO_USERS} users, so that there is something to look at. The same end date gives the same users and events each time.`,
  options: OPTIONS,
  exits: { 1: 'the game refused some events', 130: 'interrupted' },
  run: async (call) => {
    const { values, environment, screen } = call
    const now = environment.now()
    const database = call.database()
    const end = readEnd(values.until, now)
    // Data that a power cut loses can be made again.
    const storage = database.open({ synchronous: 'NORMAL' })
    try {
      const game = await prepareDemo(call, database, storage)
      const until = Math.min(end - 1, now)
      const items = makeHistory(game, { users: values.users, end, now: until })
      const clock = (): Date => new Date(until)
      const gamification = createGamification({ game, storage, clock, logger: toScreenLogger(screen) })
      await gamification.migrate()
      return await importDemo(call, gamification, items, database)
    } finally {
      screen.clear()
      await storage.close()
    }
  },
})

async function importDemo(
  { environment, screen, tenant }: DemoCall,
  gamification: Gamification<DefinedGame>,
  items: readonly DemoItem[],
  database: ChosenDatabase,
): Promise<Answer | ExitCode> {
  const start = environment.elapsed()
  const signal = environment.interruption()
  const report = await ofTenant(gamification, tenant).import(showing(items, screen, signal))
  screen.clear()
  if (signal.aborted) {
    screen.line('Interrupted. Run the same command again with --add: what is there is not recorded twice.')
    return EXIT.interrupted
  }
  const { recorded, replayed, refused, refusals } = report
  const users = new Set(items.map(({ user }) => user.id)).size
  const seconds = ((environment.elapsed() - start) / 1_000).toFixed(1)
  return {
    value: { users, days: DEMO_DAYS, recorded, replayed, refused },
    text: toText([
      `recorded ${plural(recorded, 'event')} of ${plural(users, 'user')} in ${DEMO_DAYS} days, in ${seconds} s`,
      ...(replayed > 0 ? [`there already: ${plural(replayed, 'event')}`] : []),
      ...(refused > 0 ? [`refused by the game: ${plural(refused, 'event')}, such as: ${refusals[0]?.message}`] : []),
      'Look at it:',
      ...toCalls(gamification.game, database, items[0]?.user.id, tenant).map((step) => `  npx ${step}`),
    ]),
    code: refused === 0 ? EXIT.ok : EXIT.found,
  }
}

function readEnd(until: string | undefined, now: number): number {
  const today = new Date(now).toISOString().slice(0, 10)
  const text = until ?? today
  if (text > today) throw wrongCall(`--until ${text} has not come yet: today is ${today}, in UTC`)
  if (text < '2000-01-01') throw wrongCall(`--until ${text} is too early: give a date from 2000-01-01 on`)
  return Date.parse(text) + DAY_MS
}

/** Selects the game. Throws `invalid_request` if there are users already, unless `--add` is given. */
async function prepareDemo(
  { values: { game: file, add }, tenant }: DemoCall,
  database: ChosenDatabase,
  storage: Storage,
): Promise<DefinedGame> {
  const given = file === undefined ? null : await loadGame(file)
  const { name, contents } = await database.inspect()
  const stored = () =>
    contents?.games.length ? readNewestGame(database, { name, contents }).game : demoGame(tenant !== null)
  const game = given ?? stored()
  checkTenant(game, tenant)
  const users = contents?.users ?? 0
  if (add || users === 0) return game
  if (tenant === null) {
    throw wrongCall(
      `${name} has ${plural(users, 'user')}: give an empty database, or --add to put the demo's beside them`,
    )
  }
  const [first] = await loadUserKeys(storage, { after: { tenant, user: '' }, limit: 1 })
  if (first?.tenant === tenant) {
    throw wrongCall(`the tenant ${tenant} has users: give another, or --add to put the demo's beside them`)
  }
  return game
}

function* showing(items: readonly DemoItem[], screen: Screen, signal: AbortSignal): Generator<DemoItem> {
  for (const [index, item] of items.entries()) {
    if (signal.aborted) return
    const done = index + 1
    screen.show({ done, counts: () => [plural(done, 'event')], fraction: done / items.length })
    yield item
  }
}

function toCalls(
  { rules }: DefinedGame,
  { option }: ChosenDatabase,
  user: string | undefined,
  tenant: string | null,
): readonly string[] {
  const [achievement] = rules.achievements.keys()
  const of = `${option}${tenant === null ? '' : ` --tenant ${tenant}`}`
  const isExplained = achievement !== undefined && user !== undefined
  return [
    `laurels console${option}`,
    `laurels info${option}`,
    ...(isExplained ? [`laurels explain ${user} --achievement ${achievement}${of}`] : []),
    `laurels verify${option}`,
  ]
}

const HOUR_MS = 3_600_000

export interface DemoItem extends ImportItem {
  readonly occurredAt: Date
}

/** The events of the demo's users, the earliest first. The same options give the same events. */
export function makeHistory(
  { rules }: Pick<DefinedGame, 'rules'>,
  { users, end, now }: { readonly users: number; readonly end: number; readonly now: number },
): readonly DemoItem[] {
  const scene: Scene = {
    metrics: scaleMetrics(rules),
    userAttributes: findValues(rules, rules.userAttributes),
    eventAttributes: findValues(rules, rules.eventAttributes),
    start: end - DEMO_DAYS * DAY_MS,
  }
  return Array.from({ length: users }, (_, index) => makeUser(index, scene))
    .flat()
    .filter(({ occurredAt }) => occurredAt.getTime() <= now)
    .sort((left, right) => left.occurredAt.getTime() - right.occurredAt.getTime())
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
  // Half of the users join later, but not today: their first event could be in the future.
  const joins = index % 2 === 0 ? 0 : between(0, DEMO_DAYS - 2)
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
