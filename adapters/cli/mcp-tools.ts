import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import type { ToolAnnotations } from '@modelcontextprotocol/sdk/types.js'
import { z } from 'zod'
import type { DefinedGame } from '../../src/game/define-game.ts'
import type { GamificationApi } from '../../src/index.ts'
import { defineFrom, loadGame, type Opened } from './database.ts'
import { newestLoss } from './explain.ts'
import { toAdvice, toResult, withoutContacts } from './mcp-answers.ts'
import { defined } from './terminal.ts'

export interface Toolbox {
  readonly opened: Opened
  readonly tenant: string
  readonly game: string | null
  readonly isWriter: boolean
  /** The actor for the log. */
  readonly by: string
  /** If true, answers contain the emails and device tokens of users. */
  readonly showsContacts: boolean
}

const user = z.string().describe('the id of the user')
const achievement = z.string().describe('the key of the achievement, as game has it')
const system = z.string().describe('the key of the points system, as game has it')
const limit = z.int().min(1).max(100).default(20).describe('how many, 1 to 100')
const reason = z.string().describe('why; the log keeps it')
const date = z.iso.date('must be a date as 2026-03-02').describe('a local date, as 2026-03-02')
const streak = z.string().optional().describe("the key of one of the game's streaks; absent: its streak")
const from = z.int().min(0).default(0).describe('to read on in an answer that was cut: the number that it named')

/** Adds the tools. An answer is JSON; a refusal is its message, with `isError`. */
export function addTools(server: McpServer, toolbox: Toolbox): void {
  const add = readerOf(server)
  for (const addAll of [addLooks, addExplanations, addReplays]) addAll(add, toolbox)
  if (!toolbox.isWriter) return
  for (const addAll of [addStreakWrites, addSupportWrites]) addAll(writerOf(server), toolbox)
}

type Run<Shape extends z.ZodRawShape> = (
  input: z.output<z.ZodObject<Shape, z.core.$strict>>,
  signal: AbortSignal,
) => Promise<unknown>

type AddReader = <Shape extends z.ZodRawShape>(
  name: string,
  title: string,
  description: string,
  shape: Shape,
  run: Run<Shape>,
) => void

/** Hints for a client before it calls. A tool that takes something away is destructive. */
type Effect = Required<Pick<ToolAnnotations, 'destructiveHint' | 'idempotentHint'>>

type AddWriter = <Shape extends z.ZodRawShape>(
  name: string,
  title: string,
  description: string,
  effect: Effect,
  shape: Shape,
  run: Run<Shape>,
) => void

function readerOf(server: McpServer): AddReader {
  const annotations = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false }
  return (name, title, description, shape, run) => {
    const schema = z.strictObject(shape)
    const inputSchema: z.ZodObject = z.strictObject({ ...shape, from })
    server.registerTool(name, { title, description, inputSchema, annotations }, async (input, { signal }) => {
      const { from: start, ...rest } = input
      const answer = await run(schema.parse(rest), signal).catch(rethrowAdvice)
      return toResult(answer, from.parse(start))
    })
  }
}

function writerOf(server: McpServer): AddWriter {
  return (name, title, description, effect, shape, run) => {
    const schema = z.strictObject(shape)
    const inputSchema: z.ZodObject = schema
    const annotations = { readOnlyHint: false, ...effect, openWorldHint: false }
    server.registerTool(name, { title, description, inputSchema, annotations }, async (input, { signal }) =>
      toResult(await run(schema.parse(input), signal).catch(rethrowAdvice)),
    )
  }
}

function rethrowAdvice(error: unknown): never {
  throw toAdvice(error)
}

function addLooks(add: AddReader, { opened: { api, gamification }, showsContacts }: Toolbox): void {
  const shown = <Profile extends object>(profile: Profile) => (showsContacts ? profile : withoutContacts(profile))
  add('game', 'Game', 'The game in force: its definition, and each rule as a sentence.', {}, () =>
    gamification.games.current(),
  )
  add(
    'find_users',
    'Find users',
    'A page of users, in order of id. The next page comes after the last id.',
    {
      search: z.string().optional().describe('part of an id or a name'),
      after: z.string().optional().describe('`after` of the answer before, for the next page'),
      limit,
    },
    async (request) => {
      const page = await api.users.list(defined(request))
      return { ...page, users: page.users.map(shown) }
    },
  )
  add(
    'user_progress',
    "A user's progress",
    'All of one user: profile, totals, achievements, points, streaks and places.',
    { user },
    async ({ user }) => {
      // Another process can have put a newer game in force.
      const { definition } = await gamification.games.current()
      const progress = await readProgress(api, defineFrom('the game in force', definition), user)
      return { ...progress, profile: shown(progress.profile) }
    },
  )
  add(
    'user_log',
    "A user's log",
    'The log of a user, the newest entry first: events with their ids, completions, voids, pauses.',
    { user, limit, before: z.string().optional().describe('`before` of the answer before, for older entries') },
    async ({ user, ...page }) => {
      const { entries, ...rest } = await api.users.events(user, defined(page))
      return {
        entries: entries.map((entry) => (entry.profile == null ? entry : { ...entry, profile: shown(entry.profile) })),
        ...rest,
      }
    },
  )
}

function addExplanations(add: AddReader, { opened: { api } }: Toolbox): void {
  add(
    'explain_achievement',
    'Explain an achievement',
    'Why a user has an achievement, or what is missing.',
    { user, achievement },
    ({ user, achievement }) => api.explain(user, { achievement }),
  )
  add(
    'explain_event',
    'Explain an event',
    'Explains what an event changed, and which rules ignored it.',
    { user, event: z.string().describe('the id of the event') },
    ({ user, event }) => api.explain(user, { event }),
  )
  add(
    'explain_streak',
    'Explain a streak',
    'Explains what happened to the streak on a date: extended, frozen, paused or lost, and why.',
    { user, date: date.optional().describe('a local date, as 2026-03-02; absent: that of the newest loss'), streak },
    async ({ user, date, streak }) => {
      const on = date ?? (await newestLoss(api, user, streak))
      return api.explain(user, { streak: on, ...defined({ key: streak }) })
    },
  )
  add(
    'explain_points',
    'Explain points',
    'The total of a user in a points system, with the newest awards and their triggers.',
    { user, system, awards: limit },
    ({ user, system, awards }) => api.users.points(user, system, { awards }),
  )
  add(
    'leaderboard',
    'Leaderboard',
    'Ranks of a leaderboard: the first ones, or those around a user.',
    {
      leaderboard: z.string().describe('the key of the leaderboard, as game has it'),
      limit,
      user: z.string().optional().describe('the id of a user, for the ranks around; absent: the first ones'),
      run: date.optional().describe('a date in the run, as 2026-03-02; absent: the run of today'),
    },
    ({ leaderboard, user: userId, ...request }) => api.leaderboards.get(leaderboard, defined({ ...request, userId })),
  )
}

async function readProgress(api: GamificationApi<DefinedGame>, { rules }: DefinedGame, user: string) {
  const named = async <T>(keys: Iterable<string>, read: (key: string) => Promise<T>) =>
    Object.fromEntries(await Promise.all([...keys].map(async (key) => [key, await read(key)] as const)))
  const [profile, metrics, achievements, streak, streaks, points, leaderboards] = await Promise.all([
    api.users.get(user),
    api.users.allMetrics(user),
    api.users.achievements(user, { includeIncomplete: true }),
    rules.streak === null ? null : api.users.streak(user),
    named(rules.streaks.keys(), (key) => api.users.streak(user, { streak: key })),
    named(rules.points.keys(), (key) => api.users.points(user, key, { awards: 0 })),
    named(rules.leaderboards.keys(), (key) => api.users.leaderboard(user, key, { numEvents: 0 })),
  ])
  const totals = Object.fromEntries(metrics.map(({ key, current }) => [key, current]))
  return { profile, totals, achievements, streak, streaks, points, leaderboards }
}

const MOST_ROWS = 20

function addReplays(add: AddReader, { opened: { gamification }, tenant, game }: Toolbox): void {
  // The replays are of all tenants. Their counts may be seen, and no user of another tenant.
  const own = <Row extends { readonly tenant?: unknown }>(rows: readonly Row[]): readonly Row[] =>
    rows.filter((row) => row.tenant === tenant).slice(0, MOST_ROWS)
  const described = z.record(z.string(), z.unknown()).describe('the other game: as game answers it, changed')
  const sampled = z.number().gt(0).max(1).default(1).describe('the part of the users, above 0 and at most 1')
  add(
    'what_if',
    'What if',
    `Who would gain and lose if another game had always been there${game === null ? '' : `: ${game}`}.`,
    { definition: game === null ? described : described.optional(), sample: sampled },
    async ({ definition, sample }, signal) => {
      const next = definition === undefined ? await loadGame(game ?? '') : defineFrom('definition', definition)
      const { largest, damaged, ...report } = await gamification.whatIf(next, { sample, signal })
      return { ...report, largest: own(largest), damaged: own(damaged) }
    },
  )
  add(
    'verify',
    'Verify',
    'Replays the logs of some random users, and compares what is stored for them.',
    { sample: z.int().min(1).max(10_000).default(100).describe('how many users, 1 to 10,000') },
    async ({ sample }, signal) => {
      const { drift, damaged, ...report } = await gamification.verify({ sample, signal })
      return {
        ...report,
        differences: drift.length,
        drift: own(drift.map((row) => ({ tenant: row.key.tenant_id, ...row }))),
        damaged: own(damaged),
      }
    },
  )
}

/** The calls of one tool call, which the log names by who acts. */
function callsBy({ opened: { gamification }, tenant, by }: Toolbox): GamificationApi<DefinedGame> {
  const calls = gamification.forRequest(performance.now(), { by })
  return tenant === '' ? calls : calls.tenant(tenant)
}

const ADDS = { destructiveHint: false, idempotentHint: false }
const ADDS_ONCE = { destructiveHint: false, idempotentHint: true }
const TAKES = { destructiveHint: true, idempotentHint: false }
const TAKES_ONCE = { destructiveHint: true, idempotentHint: true }

function addStreakWrites(add: AddWriter, toolbox: Toolbox): void {
  const streaks = () => callsBy(toolbox).admin.streaks
  add(
    'void_event',
    'Void an event',
    'Undoes an event and everything that followed from it. It stays in the log.',
    TAKES_ONCE,
    {
      event: z.string().describe('the id of the event'),
      reason: reason.optional(),
      revoke: z.boolean().default(false).describe('take back achievements that the user would not have without it'),
      dryRun: z.boolean().default(false).describe('answer what would change, and write nothing'),
    },
    ({ event, dryRun, ...request }) => callsBy(toolbox).events.void(event, defined(request), { dryRun }),
  )
  add(
    'pause_streak',
    'Pause the streaks',
    'Pauses all streaks of a user over local dates, both included, from today on.',
    ADDS,
    {
      user,
      start: date.describe('the first local date, as 2026-03-02; not before today'),
      end: date.describe('the last local date, as 2026-03-09'),
    },
    ({ user: userId, start, end }) => streaks().pauses.create({ pauses: [{ userId, start, end }] }),
  )
  add(
    'restore_streak',
    'Restore a streak',
    'Gives a user back the streak that was lost last.',
    ADDS_ONCE,
    { user, streak },
    ({ user: id, streak }) => streaks().restore({ users: [{ id }], ...defined({ streak }) }),
  )
  add(
    'grant_freezes',
    'Grant freezes',
    'Gives a user freezes, which keep a streak over a missed period.',
    ADDS,
    { user, count: z.int().min(1).max(10).default(1).describe('how many, 1 to 10'), streak },
    ({ user: userId, count, streak }) =>
      streaks().freezes.create({ freezes: Array.from({ length: count }, () => ({ userId })), ...defined({ streak }) }),
  )
}

function addSupportWrites(add: AddWriter, toolbox: Toolbox): void {
  const admin = () => callsBy(toolbox).admin
  add(
    'adjust_points',
    'Adjust points',
    'Gives a user points, or takes them if negative. Boosts and caps do not apply.',
    TAKES,
    {
      user,
      system,
      points: z.int().describe('how many; negative: taken'),
      reason,
      idempotencyKey: z.string().optional().describe('after an error, the same key again counts once'),
    },
    ({ user: userId, system, idempotencyKey, ...request }) =>
      admin().points.adjust(system, { userId, ...request, ...defined({ idempotencyKey }) }),
  )
  add(
    'grant_achievement',
    'Grant an achievement',
    'Completes an achievement for a user, with what it pays. One that repeats is completed once more.',
    ADDS,
    { user, achievement, reason },
    ({ user: userId, achievement, reason }) => admin().achievements.grant(achievement, { userId, reason }),
  )
  add(
    'revoke_achievement',
    'Revoke an achievement',
    'Takes an achievement from a user. The points that it paid stay.',
    TAKES_ONCE,
    { user, achievement, reason },
    ({ user: userId, achievement, reason }) => admin().achievements.revoke(achievement, { userId, reason }),
  )
}
