import { type DefinedGame, defineGame } from '../../src/game/define-game.ts'
import { createGamification, type Gamification, type ImportReport, type Storage } from '../../src/index.ts'
import { type Answer, type CliCommand, type CommandCall, defineCommand } from './command.ts'
import { type ChosenDatabase, EXIT, type ExitCode } from './database.ts'
import { DEMO_DAYS, DEMO_USERS, type DemoItem, makeHistory } from './demo-history.ts'
import { checkTenant, loadGame, ofTenant, readNewestGame } from './game.ts'
import { dateOption, flagOption, GAME_FILES, NEW_DATABASE, textOption, whole } from './options.ts'
import { type Screen, toScreenLogger } from './progress.ts'
import { plural, toText, wrongCall } from './text.ts'

const START = '2024-01-01'
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
    leaderboards: {
      weekly: {
        name: 'This week',
        rankBy: 'metric',
        metric: 'lessons',
        start: START,
        run: { unit: 'day', interval: 7 },
      },
      'all-time': { name: 'All time', rankBy: 'points', system: 'xp', start: START },
    },
  })
}

const MOST_USERS = 5_000
const DAY_MS = 86_400_000

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
  json: flagOption('print what was recorded as JSON'),
}

type DemoCall = CommandCall<typeof OPTIONS>

export const demo: CliCommand = defineCommand({
  name: 'demo',
  summary: 'fill an empty database with example users',
  usage: ['[--db <file|url>] [--game <file>] [options]'],
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
  const { recorded, replayed, refused } = report
  const users = new Set(items.map(({ user }) => user.id)).size
  const seconds = ((environment.elapsed() - start) / 1_000).toFixed(1)
  return {
    value: { users, days: DEMO_DAYS, recorded, replayed, refused },
    text: toText([
      `recorded ${plural(recorded, 'event')} of ${plural(users, 'user')} in ${DEMO_DAYS} days, in ${seconds} s`,
      ...(replayed > 0 ? [`there already: ${plural(replayed, 'event')}`] : []),
      ...(refused > 0 ? [toRefused(report)] : []),
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
  const { name, pending, contents } = await database.inspect()
  const hasGame = (contents?.games.length ?? 0) > 0
  const game =
    file !== undefined
      ? await loadGame(file)
      : hasGame && contents !== null
        ? readNewestGame(database, { name, contents }).game
        : demoGame(tenant !== null)
  checkTenant(game, tenant)
  const users = contents?.users ?? 0
  if (add || users === 0) return game
  if (tenant === null) {
    throw wrongCall(
      `${name} has ${plural(users, 'user')}: give an empty database, or --add to put the demo's beside them`,
    )
  }
  // Older tables cannot be read.
  if (pending.length > 0) {
    throw wrongCall(`${name} has ${plural(users, 'user')} in older tables: run laurels migrate first, or give --add`)
  }
  const [first] = await storage.listUsers({ after: { tenant, user: '' }, limit: 1 })
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

function toRefused({ refused, refusals: [first] }: ImportReport): string {
  return `refused by the game: ${plural(refused, 'event')}, such as: ${first?.message ?? ''}`
}
