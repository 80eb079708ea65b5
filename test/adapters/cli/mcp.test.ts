import { writeFileSync } from 'node:fs'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js'
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { afterEach, describe, expect, test } from 'vitest'
import { toResult } from '../../../adapters/cli/mcp-answers.ts'
import type { Toolbox } from '../../../adapters/cli/mcp-tool.ts'
import { addTools } from '../../../adapters/cli/mcp-tools.ts'
import { memory } from '../../../adapters/memory/index.ts'
import { sqlite } from '../../../adapters/sqlite/index.ts'
import { type AuditReport, createGamification, type DefinedGame, defineGame } from '../../../src/index.ts'
import { createTestClock } from '../../../src/testing/index.ts'
import { laurels, useFiles } from '../../support/cli.ts'

const file = useFiles()

const DEFINITION = {
  metrics: { words: { name: 'Words written' } },
  achievements: { novelist: { name: 'Novelist', trigger: 'metric', metric: 'words', value: 1_000 } },
  points: { xp: { name: 'XP', triggers: [{ type: 'metric', metric: 'words', threshold: 100, points: 10 }] } },
  streak: { frequency: 'daily', metrics: { words: { threshold: 100 } }, freezes: { initial: 0, max: 2 } },
  challenges: { march: { name: 'March', start: '2026-03-01', of: [{ metric: 'words', value: 1_000 }] } },
  leaderboards: { all: { name: 'All time', rankBy: 'metric', metric: 'words', start: '2026-01-01' } },
} as const

const doubled = (points: number) => ({
  ...DEFINITION,
  points: { xp: { name: 'XP', triggers: [{ ...DEFINITION.points.xp.triggers[0], points }] } },
})

const ending: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const end of ending.splice(0)) await end()
})

const WRONG = { table: 'totals', key: { tenant_id: 'acme' }, stored: null, expected: { value: 1 } }

/** Two wrong rows, of two tenants. */
const AUDIT: AuditReport = {
  users: 2,
  entries: 9,
  drift: [WRONG, { ...WRONG, key: { tenant_id: 'other' } }],
  damaged: [{ tenant: 'other', user: '18', message: 'The row with seq 3 cannot be read.' }],
}

/** An agent's side of the tools, over a user with 90 words too few on the third day. */
async function connect({
  isWriter = false,
  tenant = '',
  game = null,
  by = 'mcp:ann',
  showsContacts = false,
}: Partial<Omit<Toolbox, 'opened'>> = {}) {
  const clock = createTestClock('2026-03-10T12:00:00Z')
  const defined: DefinedGame = defineGame(DEFINITION)
  const storage = memory()
  const gamification = createGamification({ game: defined, storage, clock: clock.now })
  const eventIds: string[] = []
  for (const value of [250, 300, 10]) {
    const { eventId } = await gamification.metrics.event('words', { user: { id: '18', tz: 'Europe/London' }, value })
    eventIds.push(eventId)
    clock.advance({ days: 1 })
  }
  const server = new McpServer({ name: 'laurels', version: '0.1.0' })
  const verified = tenant === '' ? gamification : { ...gamification, verify: async () => AUDIT }
  const inForce = { game: defined, given: defined, epoch: 1, users: 1 }
  const opened = { ...inForce, gamification: verified, api: gamification, storage }
  addTools(server, { opened, tenant, game, isWriter, by, showsContacts })
  const client = new Client({ name: 'agent', version: '1.0.0' })
  const [ours, theirs] = InMemoryTransport.createLinkedPair()
  await Promise.all([server.connect(ours), client.connect(theirs)])
  ending.push(async () => {
    await client.close()
    await gamification.close()
  })

  async function call(name: string, input: object = {}): Promise<unknown> {
    const { content, isError } = await client.callTool({ name, arguments: { ...input } })
    const [{ text }] = content as [{ text: string }]
    return isError === true ? { refused: text } : JSON.parse(text)
  }
  /** The texts of an answer, as they came. */
  async function texts(name: string, input: object = {}): Promise<readonly string[]> {
    const { content } = await client.callTool({ name, arguments: { ...input } })
    return (content as readonly { text: string }[]).map(({ text }) => text)
  }
  const names = async () => (await client.listTools()).tools.map((tool) => tool.name).sort()
  return { call, texts, names, client, eventIds, storage, gamification }
}

const LOOKS = [
  'explain',
  'explain_lost_streak',
  'find_users',
  'game',
  'leaderboard',
  'points_balance',
  'points_statement',
  'redemptions',
  'rewards',
  'user_log',
  'user_points',
  'user_progress',
  'verify',
  'what_if',
]

const WRITES = [
  'adjust_points',
  'grant_achievement',
  'grant_freezes',
  'pause_streak',
  'restore_streak',
  'revoke_achievement',
  'void_event',
]

describe('The tools of laurels mcp', () => {
  test('only read, unless they may write', async () => {
    const reader = await connect()
    expect(await reader.names()).toEqual(LOOKS)
    expect((await reader.client.listTools()).tools.filter(({ annotations }) => !annotations?.readOnlyHint)).toEqual([])
    const writer = await connect({ isWriter: true })
    expect(await writer.names()).toEqual([...LOOKS, ...WRITES].sort())
  })

  test('say which of them take something away, and which do the same when they are called again', async () => {
    const { client } = await connect({ isWriter: true })
    const { tools } = await client.listTools()
    const writers = tools.filter(({ annotations }) => annotations?.readOnlyHint === false)
    const hints = writers.map(({ name, annotations }) => [
      name,
      [annotations?.destructiveHint, annotations?.idempotentHint],
    ])
    expect(Object.fromEntries(hints)).toEqual({
      adjust_points: [true, false],
      grant_achievement: [false, false],
      grant_freezes: [false, false],
      pause_streak: [false, false],
      restore_streak: [false, true],
      revoke_achievement: [true, true],
      void_event: [true, true],
    })
    const others = tools.filter((tool) => !writers.includes(tool))
    expect(others.filter(({ annotations }) => annotations?.destructiveHint !== false)).toEqual([])
    expect(tools.filter(({ title }) => title === undefined)).toEqual([])
  })

  test('have a description for each argument', async () => {
    const { client } = await connect({ isWriter: true, game: 'game.ts' })
    const { tools } = await client.listTools()
    const bare = tools.flatMap(({ name, inputSchema: { properties = {} } }) =>
      Object.entries(properties)
        .filter(([, described]) => !('description' in described))
        .map(([argument]) => `${name}.${argument}`),
    )
    expect(bare).toEqual([])
  })

  test('leave out emails and device tokens, unless these are asked for', async () => {
    const about = ['find_users', 'user_progress', 'user_log'] as const
    const textOf = async (showsContacts: boolean): Promise<readonly string[]> => {
      const { texts, gamification } = await connect({ showsContacts })
      await gamification.users.identify('18', { email: 'ada@example.com', deviceTokens: ['token-1'], name: 'Ada' })
      return Promise.all(
        about.map(async (name) => (await texts(name, name === 'find_users' ? {} : { userId: '18' })).join()),
      )
    }
    for (const text of await textOf(false)) {
      expect([text.includes('Ada'), text.includes('ada@example.com'), text.includes('token-1')]).toEqual([
        true,
        false,
        false,
      ])
    }
    for (const text of await textOf(true)) {
      expect([text.includes('ada@example.com'), text.includes('token-1')]).toEqual([true, true])
    }
  })

  test('leave in a part of the game that is called email', () => {
    const answer = { totals: { email: 3 }, users: [{ id: '18', email: 'ada@example.com', deviceTokens: ['token-1'] }] }
    const { content } = toResult(answer, { showsContacts: false, from: 0 })
    expect(content).toEqual([{ type: 'text', text: '{"totals":{"email":3},"users":[{"id":"18"}]}' }])
  })

  test('take the names of the arguments of the call, then the members of its request', async () => {
    const { client } = await connect({ isWriter: true })
    const { tools } = await client.listTools()
    const inputs = tools.map(({ name, inputSchema: { properties = {}, required } }) => [
      name,
      { takes: Object.keys(properties), needs: required ?? [] },
    ])
    expect(Object.fromEntries(inputs)).toMatchObject({
      user_points: { takes: ['userId', 'system', 'awards', 'fromByte'], needs: ['userId', 'system'] },
      leaderboard: {
        takes: ['leaderboard', 'offset', 'limit', 'run', 'userId', 'userAttributes', 'fromByte'],
        needs: ['leaderboard'],
      },
      explain: {
        takes: [
          'userId',
          'achievement',
          'event',
          'date',
          'streak',
          'leaderboard',
          'challenge',
          'balance',
          'run',
          'fromByte',
        ],
        needs: ['userId'],
      },
      adjust_points: {
        takes: ['system', 'userId', 'points', 'reason', 'from', 'idempotencyKey'],
        needs: ['system', 'userId', 'points', 'reason'],
      },
    })
  })

  test('cut a long answer to 40,000 bytes, and say how to read on', async () => {
    const { texts, gamification } = await connect()
    for (let index = 0; index < 40; index += 1) {
      await gamification.users.identify('18', { name: `${index} ${'ä'.repeat(900)}` })
    }
    const ask = { userId: '18', limit: 100 }
    const parts: string[] = []
    let fromByte = 0
    for (;;) {
      const [text = '', rest] = await texts('user_log', { ...ask, fromByte })
      expect(Buffer.byteLength(text)).toBeLessThanOrEqual(40_000)
      parts.push(text)
      if (rest === undefined) break
      expect(rest).toMatch(
        /^This answer was cut: it has \d+ bytes, and these are \d+ to \d+\. Call the tool again with /,
      )
      fromByte = Number(/with fromByte: (\d+)/.exec(rest)?.[1])
    }
    expect(parts.length).toBe(3)
    expect(JSON.parse(parts.join('')).entries.length).toBe(43)
  })

  test('find a user, and say what the user has', async () => {
    const { call } = await connect()
    expect(await call('game')).toMatchObject({
      epoch: 1,
      sentences: { achievements: { novelist: expect.stringContaining('1000') } },
    })
    expect(await call('find_users', { search: '1' })).toMatchObject({ users: [{ id: '18', tz: 'Europe/London' }] })
    expect(await call('user_progress', { userId: '18' })).toMatchObject({
      profile: { id: '18' },
      totals: { words: 560 },
      achievements: [{ key: 'novelist', progress: { current: 560, target: 1_000 } }],
      streak: { length: 0 },
      points: { xp: { total: 50 } },
      challenges: [{ key: 'march', window: { start: '2026-03-01', end: null } }],
      leaderboards: { all: { rank: 1, value: 560 } },
    })
    expect(await call('user_log', { userId: '18', limit: 1 })).toMatchObject({
      entries: [{ metric: 'words', value: 10 }],
    })
    expect(await call('leaderboard', { leaderboard: 'all' })).toMatchObject({ rankings: [{ userId: '18', rank: 1 }] })
  })

  test('show hidden users nowhere, and anonymous ones only with personal data, if asked', async () => {
    const masked = { userId: expect.stringMatching(/^[\w-]{22}$/), userName: null, anonymous: true }
    for (const showsContacts of [false, true]) {
      const { call, gamification } = await connect({ showsContacts })
      await gamification.users.identify('18', { name: 'Ada', email: 'ada@example.com' })
      await gamification.users.updatePreferences('18', { leaderboards: 'anonymous' })
      expect(await call('leaderboard', { leaderboard: 'all' })).toMatchObject({ rankings: [masked] })
      const revealed = await call('leaderboard', { leaderboard: 'all', reveal: true })
      if (showsContacts) expect(revealed).toMatchObject({ rankings: [{ userId: '18', userName: 'Ada', rank: 1 }] })
      else expect(revealed).toEqual({ refused: expect.stringContaining('reveal') })
      await gamification.users.updatePreferences('18', { leaderboards: 'hidden' })
      expect(await call('leaderboard', { leaderboard: 'all', userId: '18' })).toMatchObject({ rankings: [] })
      expect(await call('explain', { userId: '18', leaderboard: 'all' })).toMatchObject({
        holds: false,
        reasons: [{ type: 'leaderboard_hidden', by: 'choice' }],
      })
    }
  })

  test('say what the user has in a game that another process has put in force since', async () => {
    const { call, storage } = await connect()
    const metrics = { ...DEFINITION.metrics, pages: { name: 'Pages read' } }
    const gems = { name: 'Gems', triggers: [{ type: 'metric', metric: 'words', threshold: 100, points: 1 }] } as const
    const newer = createGamification({ game: defineGame({ metrics, points: { gems } }), storage })
    await newer.migrate()
    expect(await call('user_progress', { userId: '18' })).toMatchObject({
      totals: { words: 560, pages: 0 },
      streak: null,
      points: { gems: { total: 0 } },
      leaderboards: {},
    })
  })

  test('explain a lost streak, an event, an achievement and points', async () => {
    const { call, eventIds } = await connect()
    expect(await call('explain', { userId: '18', date: '2026-03-12' })).toMatchObject({
      holds: false,
      reasons: [
        {
          sentence:
            'The streak of 2 was lost on 2026-03-13: 2026-03-12 had 10 of 100 of "words", and it took 90 more of "words".',
        },
      ],
    })
    expect(await call('explain', { userId: '18', event: eventIds[2] })).toMatchObject({ holds: true })
    expect(await call('explain', { userId: '18', achievement: 'novelist' })).toMatchObject({ holds: false })
    expect(await call('user_points', { userId: '18', system: 'xp', awards: 1 })).toMatchObject({
      total: 50,
      awards: [{ awarded: 30 }],
    })
  })

  test('explain the newest loss of a streak without a date, or else the current period', async () => {
    const { call } = await connect()
    expect(await call('explain_lost_streak', { userId: '18' })).toMatchObject({
      reasons: [{ sentence: expect.stringContaining('The streak of 2 was lost on 2026-03-13') }],
    })
    const { call: again, gamification } = await connect()
    await gamification.metrics.event('words', { user: { id: '19', tz: 'Europe/London' }, value: 250 })
    expect(await again('explain_lost_streak', { userId: '19' })).toMatchObject({
      holds: true,
      reasons: [{ type: 'streak_counted', periodStart: '2026-03-13' }],
    })
  })

  test.each([
    ['game.ts', (text: string) => `export default ${text}`],
    ['game.mjs', (text: string) => `export const game = ${text}`],
    ['game.cjs', (text: string) => `module.exports = ${text}`],
    ['game.json', (text: string) => text],
  ])('compare with another game, from a definition or from %s as it is at the call', async (name, toText) => {
    const path = file(name, toText(JSON.stringify(doubled(20))))
    const { call } = await connect({ game: path })
    expect(await call('what_if', { definition: doubled(30) })).toMatchObject({
      points: [{ system: 'xp', minted: 100 }],
    })
    expect(await call('what_if')).toMatchObject({ points: [{ system: 'xp', minted: 50 }] })
    writeFileSync(path, toText(JSON.stringify(doubled(11))))
    expect(await call('what_if')).toMatchObject({ points: [{ system: 'xp', minted: 5 }] })
    expect(await call('verify')).toMatchObject({ users: 1, differences: 0, drift: [] })
  })

  test('name no user of another tenant', async () => {
    const { call } = await connect({ tenant: 'acme' })
    const report = await call('what_if', { definition: doubled(30) })
    expect(report).toMatchObject({ points: [{ system: 'xp', minted: 100 }], largest: [] })
    expect(await call('verify')).toMatchObject({ differences: 2, drift: [WRONG], damaged: [] })
  })

  test('pass on refusals', async () => {
    const { call } = await connect()
    expect(await call('user_progress', { userId: 'nobody' })).toEqual({
      refused: 'Unknown user "nobody": find_users has the ids.',
    })
    expect(await call('explain', { userId: '18', date: '2026-02-30' })).toMatchObject({
      refused: expect.stringContaining('date: must be a date, YYYY-MM-DD'),
    })
    expect(await call('find_users', { page: 2 })).toMatchObject({ refused: expect.stringContaining('"page"') })
    expect(await call('what_if', { definition: {} })).toMatchObject({ refused: expect.stringContaining('metrics') })
    expect(await call('what_if')).toMatchObject({ refused: expect.stringContaining('definition') })
    expect(await call('void_event', { event: 'e' })).toMatchObject({ refused: expect.stringContaining('void_event') })
  })

  test('void an event, and give back a streak', async () => {
    const { call, eventIds } = await connect({ isWriter: true })
    const event = { event: eventIds[0], reason: 'test data' }
    expect(await call('void_event', { ...event, dryRun: true })).toMatchObject({ total: 310 })
    expect(await call('user_progress', { userId: '18' })).toMatchObject({ totals: { words: 560 } })
    expect(await call('restore_streak', { userId: '18' })).toMatchObject({ restoredUsers: ['18'] })
    expect(await call('grant_freezes', { userId: '18', count: 2 })).toMatchObject({ issues: [] })
    expect(await call('pause_streak', { userId: '18', start: '2026-03-14', end: '2026-03-15' })).toMatchObject({
      issues: [],
    })
    expect(await call('user_progress', { userId: '18' })).toMatchObject({ streak: { length: 2, freezes: 2 } })
    expect(await call('void_event', event)).toMatchObject({ total: 310, alreadyVoided: false })
  })

  test('pass on as an error what was wrong with the one user', async () => {
    const { call, client } = await connect({ isWriter: true })
    for (const [name, input] of [
      ['pause_streak', { userId: '18', start: '2026-01-01', end: '2026-01-02' }],
      ['grant_freezes', { userId: 'nobody' }],
      ['restore_streak', { userId: 'nobody' }],
    ] as const) {
      const { isError } = await client.callTool({ name, arguments: input })
      expect([name, isError]).toEqual([name, true])
    }
    expect(await call('pause_streak', { userId: '18', start: '2026-01-01', end: '2026-01-02' })).toMatchObject({
      refused: expect.stringContaining('"issues"'),
    })
  })

  test('name in the log who acts', async () => {
    const { call, eventIds, gamification } = await connect({ isWriter: true, by: 'mcp:eve' })
    await call('adjust_points', { userId: '18', system: 'xp', points: 5, reason: 'lost' })
    await call('grant_freezes', { userId: '18' })
    await call('pause_streak', { userId: '18', start: '2026-03-14', end: '2026-03-15' })
    await call('grant_achievement', { userId: '18', achievement: 'novelist', reason: 'lost' })
    await call('void_event', { event: eventIds[0] })
    const { entries } = await gamification.users.events('18')
    expect(entries.slice(0, 5).map(({ by }) => by)).toEqual(Array.from({ length: 5 }, () => 'mcp:eve'))
    expect(entries[5]?.by).toBeUndefined()
  })

  test('correct points once for each key, and achievements', async () => {
    const { call } = await connect({ isWriter: true })
    const points = { userId: '18', system: 'xp', points: -30, reason: 'paid twice', idempotencyKey: 'ticket-7' }
    expect(await call('adjust_points', points)).toMatchObject({ points: { added: -30, total: 20 } })
    expect(await call('adjust_points', points)).toMatchObject({ idempotentReplayed: true })
    expect(await call('user_points', { userId: '18', system: 'xp' })).toMatchObject({ total: 20 })
    const achievement = { userId: '18', achievement: 'novelist', reason: 'a lost draft' }
    expect(await call('grant_achievement', achievement)).toMatchObject({ achievement: { key: 'novelist' } })
    expect(await call('explain', achievement)).toMatchObject({ refused: expect.stringContaining('reason') })
    expect(await call('revoke_achievement', achievement)).toMatchObject({ achievement: { key: 'novelist' } })
  })
})

test('laurels mcp needs a database with a game', async () => {
  expect((await laurels(['mcp', '--db', file('none.db')])).err).toContain('There is no database at ')
})

test('laurels mcp refuses a tenant without users', async () => {
  const db = file('tenants.db')
  const gamification = createGamification({
    game: defineGame({ ...DEFINITION, multiTenant: true }),
    storage: sqlite(db),
  })
  await gamification.migrate()
  await gamification.tenant('acme').users.create({ id: '18' })
  await gamification.close()
  expect(await laurels(['mcp', '--db', db, '--tenant', 'nope'])).toMatchObject({
    code: 2,
    err: expect.stringContaining("there is no tenant 'nope' with users: laurels tenants list has the ids"),
  })
  expect(await laurels(['mcp', '--db', db, '--tenant', 'acme'])).toMatchObject({ code: 0 })
})

describe('laurels mcp that ends', () => {
  const toLine = (message: object): Uint8Array => Buffer.from(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  const clientInfo = { name: 'agent', version: '1.0.0' }
  const START = [
    toLine({ id: 0, method: 'initialize', params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo } }),
    toLine({ method: 'notifications/initialized' }),
  ]
  const CALLS = [1, 2, 3].map((id) =>
    toLine({ id, method: 'tools/call', params: { name: 'user_progress', arguments: { userId: '18' } } }),
  )

  async function openFile(name: string): Promise<string> {
    const db = file(name)
    const gamification = createGamification({ game: defineGame(DEFINITION), storage: sqlite(db) })
    await gamification.migrate()
    await gamification.users.create({ id: '18' })
    await gamification.close()
    return db
  }

  const idsIn = (out: string): readonly number[] =>
    out
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line).id)
      .sort()

  test('answers the calls that it has begun when the input ends', async () => {
    const { code, out } = await laurels(['mcp', '--db', await openFile('left.db')], { input: [...START, ...CALLS] })
    expect([code, idsIn(out)]).toEqual([0, [0, 1, 2, 3]])
  })

  test('answers them when it is interrupted, and begins no other', async () => {
    const interrupted = new AbortController()
    async function* input(): AsyncGenerator<Uint8Array> {
      yield* [...START, ...CALLS]
      interrupted.abort()
      yield toLine({ id: 4, method: 'tools/list' })
      await new Promise(() => undefined)
    }
    const db = await openFile('interrupted.db')
    const { code, out } = await laurels(['mcp', '--db', db], { input: input(), signal: interrupted.signal })
    expect([code, idsIn(out)]).toEqual([0, [0, 1, 2, 3]])
  })
})
