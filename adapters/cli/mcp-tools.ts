import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { z } from 'zod'
import { userArg } from '../../src/api/operation.ts'
import type { DefinedGame } from '../../src/game/define-game.ts'
import type { GamificationApi } from '../../src/index.ts'
import { defineFrom, loadGame } from './database.ts'
import { newestLoss } from './explain.ts'
import { operationTools } from './mcp-operations.ts'
import { type AgentTool, addTool, callsBy, defineTool, type Toolbox } from './mcp-tool.ts'
import { defined } from './terminal.ts'

const userId = userArg.schema.describe(userArg.label)
const date = z.iso.date('must be a date as 2026-03-02')
const streak = z.string().optional().describe("the key of one of the game's streaks; absent: its streak")

/** Adds the tools that follow from operations, and the tools here: they make several calls, or a call on a list for one user. */
export function addTools(server: McpServer, toolbox: Toolbox): void {
  const tools = [looks, replays, streakWrites, eventWrites, operationTools].flatMap((toolsOf) => toolsOf(toolbox))
  for (const tool of tools) if (toolbox.isWriter || tool.effect === null) addTool(server, toolbox, tool)
}

function looks({ opened: { api, gamification } }: Toolbox): readonly AgentTool[] {
  return [
    defineTool({
      name: 'game',
      description: 'The game in force: its definition, and each rule as a sentence.',
      effect: null,
      input: {},
      run: () => gamification.games.current(),
    }),
    defineTool({
      name: 'user_progress',
      description: 'All of one user: profile, totals, achievements, points, streaks, challenges and places.',
      effect: null,
      input: { userId },
      run: async ({ userId }) => {
        // Another process can have put a newer game in force.
        const { definition } = await gamification.games.current()
        return readProgress(api, defineFrom('the game in force', definition), userId)
      },
    }),
    defineTool({
      name: 'explain_lost_streak',
      description: 'Explains the newest loss of a streak, or else its current period.',
      effect: null,
      input: { userId, streak },
      run: async ({ userId, streak }) => {
        const on = await newestLoss(api, userId, streak)
        return api.explain(userId, { streak: on, ...defined({ key: streak }) })
      },
    }),
  ]
}

async function readProgress(api: GamificationApi<DefinedGame>, { rules }: DefinedGame, user: string) {
  const named = async <T>(keys: Iterable<string>, read: (key: string) => Promise<T>) =>
    Object.fromEntries(await Promise.all([...keys].map(async (key) => [key, await read(key)] as const)))
  const [profile, metrics, achievements, streak, streaks, points, challenges, leaderboards] = await Promise.all([
    api.users.get(user),
    api.users.allMetrics(user),
    api.users.achievements(user, { includeIncomplete: true }),
    rules.streak === null ? null : api.users.streak(user),
    named(rules.streaks.keys(), (key) => api.users.streak(user, { streak: key })),
    named(rules.points.keys(), (key) => api.users.points(user, key, { awards: 0 })),
    api.users.challenges(user),
    named(rules.leaderboards.keys(), (key) => api.users.leaderboard(user, key, { numEvents: 0 })),
  ])
  const totals = Object.fromEntries(metrics.map(({ key, current }) => [key, current]))
  return { profile, totals, achievements, streak, streaks, points, challenges, leaderboards }
}

const MOST_ROWS = 20

function replays({ opened: { gamification }, tenant, game }: Toolbox): readonly AgentTool[] {
  // The replays are of all tenants. Their counts may be seen, and no user of another tenant.
  const own = <Row extends { readonly tenant?: unknown }>(rows: readonly Row[]): readonly Row[] =>
    rows.filter((row) => row.tenant === tenant).slice(0, MOST_ROWS)
  const described = z.record(z.string(), z.unknown()).describe('the other game: as game answers it, changed')
  const share = z.number().gt(0).max(1).default(1).describe('the part of the users, above 0 and at most 1')
  return [
    defineTool({
      name: 'what_if',
      description: `Who would gain and lose if another game had always been there${game === null ? '' : `: ${game}`}.`,
      effect: null,
      input: { definition: game === null ? described : described.optional(), sample: share },
      run: async ({ definition, sample }, signal) => {
        const next = definition === undefined ? await loadGame(game ?? '') : defineFrom('definition', definition)
        const { largest, damaged, ...report } = await gamification.whatIf(next, { sample, signal })
        return { ...report, largest: own(largest), damaged: own(damaged) }
      },
    }),
    defineTool({
      name: 'verify',
      description: 'Replays the logs of some random users, and compares what is stored for them.',
      effect: null,
      input: { sample: z.int().min(1).max(10_000).default(100).describe('how many users, 1 to 10,000') },
      run: async ({ sample }, signal) => {
        const { drift, damaged, ...report } = await gamification.verify({ sample, signal })
        return {
          ...report,
          differences: drift.length,
          drift: own(drift.map((row) => ({ tenant: row.key.tenant_id, ...row }))),
          damaged: own(damaged),
        }
      },
    }),
  ]
}

function eventWrites(toolbox: Toolbox): readonly AgentTool[] {
  return [
    defineTool({
      name: 'void_event',
      description: 'Undoes an event and everything that followed from it. It stays in the log.',
      effect: { destructiveHint: true, idempotentHint: true },
      input: {
        event: z.string().describe('the id of the event'),
        reason: z.string().optional().describe('why; the log keeps it'),
        revoke: z.boolean().default(false).describe('take back achievements that the user would not have without it'),
        dryRun: z.boolean().default(false).describe('answer what would change, and write nothing'),
      },
      run: ({ event, dryRun, ...request }) => callsBy(toolbox).events.void(event, defined(request), { dryRun }),
    }),
  ]
}

/** The calls take lists. A tool is for one user, so that an agent cannot change a hundred at once. */
function streakWrites(toolbox: Toolbox): readonly AgentTool[] {
  const streaks = () => callsBy(toolbox).admin.streaks
  return [
    defineTool({
      name: 'pause_streak',
      description: 'Pauses all streaks of a user over local dates, both included, from today on.',
      effect: { destructiveHint: false, idempotentHint: false },
      input: {
        userId,
        start: date.describe('the first local date, as 2026-03-02; not before today'),
        end: date.describe('the last local date, as 2026-03-09'),
      },
      run: (pause) => streaks().pauses.create({ pauses: [pause] }),
    }),
    defineTool({
      name: 'restore_streak',
      description: 'Gives a user back the streak that was lost last.',
      effect: { destructiveHint: false, idempotentHint: true },
      input: { userId, streak },
      run: ({ userId, streak }) => streaks().restore({ users: [{ id: userId }], ...defined({ streak }) }),
    }),
    defineTool({
      name: 'grant_freezes',
      description: 'Gives a user freezes, which keep a streak over a missed period.',
      effect: { destructiveHint: false, idempotentHint: false },
      input: { userId, count: z.int().min(1).max(10).default(1).describe('how many, 1 to 10'), streak },
      run: ({ userId, count, streak }) => {
        const freezes = Array.from({ length: count }, () => ({ userId }))
        return streaks().freezes.create({ freezes, ...defined({ streak }) })
      },
    }),
  ]
}
