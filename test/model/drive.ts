import type { DefinedGame } from '../../src/game/define-game.ts'
import {
  createGamification,
  defineGame,
  type GameDefinition,
  GamificationError,
  type GamificationMessage,
} from '../../src/index.ts'
import { loadUser } from '../../src/sql/read-user.ts'
import type { Storage, StoredUser } from '../../src/storage/storage.ts'
import { type Fold, readFold } from '../support/fold.ts'
import { addDays } from './dates.ts'
import { listen } from './drive-messages.ts'
import type { GivenBoosts, MoreOfAchievement, MoreOfAnswer, MoreOfPoints } from './drive-operations.ts'
import { boostNames, completionName, operate, operated } from './drive-operations.ts'
import type { FullGame } from './full-game.ts'
import type {
  Call,
  Capped,
  Day,
  Known,
  OperationCall,
  Outcome,
  Patch,
  Place,
  Snapshot,
  StreakWithFreezes,
  Suspension,
} from './types.ts'

// Speaks to the engine in the words of the model.

const STATUSES: { readonly [code: string]: 400 | 403 | 404 | 422 } = {
  invalid_idempotency_key: 400,
  streak_customization_disabled: 403,
  unknown_user: 404,
  unknown_achievement: 404,
  unknown_points_system: 404,
  unknown_event: 404,
}

type Engine = ReturnType<typeof createGamification<DefinedGame>>
type Answered = Extract<Outcome, { ok: true }>

export interface Driven {
  game: DefinedGame
  engine: Engine
  definition: FullGame
  readonly host: Host
  readonly clock: { now: number }
  readonly boosts: GivenBoosts
  /** The messages that a subscription from the beginning receives, in a game with emails. */
  readonly received: GamificationMessage[]
}

const BOARD = { name: 'Reads', rankBy: 'metric', metric: 'reads', start: '2000-01-01', maxParticipants: null } as const
const STREAKS = { rankBy: 'streak', start: '2000-01-01', maxParticipants: 1_000 } as const

/** The boards that a driven game has: one of its metric, and one of each streak. */
function boardsOf({ streak, streaks = {} }: FullGame): { [key: string]: object } {
  const named = Object.keys(streaks).map((key) => [`of-${key}`, { ...STREAKS, name: key, streak: key }])
  const own = streak === undefined ? {} : { 'of-streak': { ...STREAKS, name: 'Streaks' } }
  return { board: BOARD, ...own, ...Object.fromEntries(named) }
}

/** Opens engines on one storage and clock. */
export interface Host {
  open(definition: GameDefinition): Promise<Engine>
  /** The stored user, with the awards. */
  user(id: string): Promise<StoredUser>
  fold(): Promise<Fold>
}

function hostOn(storage: Storage, clock: { readonly now: number }): Host {
  return {
    open: async (definition) => {
      const engine = createGamification({ game: defineGame(definition), storage, clock: () => new Date(clock.now) })
      await engine.migrate()
      return engine
    },
    user: (user) => loadUser(storage, { tenant: '', user }, { awards: {} }),
    fold: () => readFold(storage),
  }
}

/** The text may hold more than the types of a definition know. */
const toDefinition = (definition: FullGame): GameDefinition =>
  JSON.parse(JSON.stringify({ ...definition, leaderboards: boardsOf(definition) }))

export const toGame = (definition: FullGame): DefinedGame => defineGame(toDefinition(definition))

/** An engine of the game on a storage, whose tables it makes. */
export function openDriven(definition: FullGame, storage: Storage): Promise<Driven> {
  const clock = { now: 0 }
  return driveOn(hostOn(storage, clock), clock, definition)
}

export async function driveOn(host: Host, clock: { now: number }, definition: FullGame): Promise<Driven> {
  const game = toGame(definition)
  const engine = await host.open(toDefinition(definition))
  const driven: Driven = { game, engine, definition, host, clock, boosts: new Map(), received: [] }
  if (definition.emails !== undefined) await listen(driven, driven.received, 'now')
  return driven
}

/** Another process, with another game, takes the place of the one before. */
async function deploy(driven: Driven, definition: FullGame): Promise<void> {
  driven.definition = definition
  driven.game = toGame(definition)
  driven.engine = await driven.host.open(toDefinition(definition))
  // Else the game would come into force with the next call.
  await driven.engine.games.current()
  if (definition.emails !== undefined) await listen(driven, driven.received, 'now')
}

/** The engine's answer to a call; the engine never answers `late`. */
export async function drive(driven: Driven, call: Call | OperationCall): Promise<Outcome> {
  try {
    return await ask(driven, call)
  } catch (error) {
    if (!(error instanceof GamificationError) || error.code === 'internal') throw error
    return { ok: false, status: STATUSES[error.code] ?? 422 }
  }
}

async function ask(driven: Driven, call: Call | OperationCall): Promise<Outcome> {
  const { engine, game } = driven
  const done = { ok: true, replayed: false, late: false } as const
  switch (call.call) {
    case 'event': {
      const { id, profile, metric, value, attributes, occurredAt, idempotencyKey } = call
      const answer: Awaited<ReturnType<Engine['metrics']['event']>> & MoreOfAnswer = await engine.metrics.event(
        metric,
        {
          user: { id, ...profile },
          value,
          ...(attributes === undefined ? {} : { attributes }),
          ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
          ...(occurredAt === undefined ? {} : { occurredAt: new Date(occurredAt) }),
        },
      )
      if (answer.idempotentReplayed === true) return { ...done, replayed: true }
      const { frequency: _, ...streak } = answer.currentStreak
      const achievements = answer.achievements.map(completionName).sort()
      const held = answer.held === undefined ? {} : { held: answer.held }
      const points = toPoints(game, answer.points)
      return {
        ...done,
        ...held,
        total: answer.total,
        achievements,
        points,
        streak: toDates(streak),
        ...toStreaks(answer),
      }
    }
    case 'approve':
    case 'void': {
      const { id: user, metric, idempotencyKey } = call
      const subject = { user, metric, idempotencyKey }
      if (call.call === 'void') return { ...done, replayed: (await engine.events.void(subject)).alreadyVoided }
      return { ...done, replayed: (await engine.events.approve(subject)).alreadyApproved }
    }
    case 'suspend':
    case 'restore': {
      const { id } = call
      const reason = call.call === 'suspend' && call.reason !== undefined ? { reason: call.reason } : {}
      const answer = call.call === 'suspend' ? engine.users.suspend(id, reason) : engine.users.restore(id)
      return { ...done, suspended: toSuspension((await answer).suspended) }
    }
    case 'merge':
      return { ...done, merged: { ...(await engine.users.merge({ from: call.id, into: call.into })) } }
    case 'complete': {
      const { id, achievement, profile, idempotencyKey } = call
      const before = await completed(engine, id)
      const user = { id, ...profile }
      const answer =
        idempotencyKey === undefined
          ? await engine.achievements.complete(achievement, { user })
          : await operated(engine).achievements.complete(achievement, { user, idempotencyKey })
      const after = await completed(engine, id)
      const achievements = after.filter((name) => !before.includes(name)).sort()
      return { ...done, achievements, points: toPoints(game, answer.points) }
    }
    case 'import': {
      const items = call.events.map(({ id, profile, metric, value, occurredAt, idempotencyKey }) => ({
        metric,
        user: { id, ...profile },
        value,
        ...(occurredAt === undefined ? {} : { occurredAt: new Date(occurredAt) }),
        ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
      }))
      const { recorded, replayed, refused, held = 0 } = await engine.import(items)
      return { ...done, imported: { recorded, replayed, refused, held } }
    }
    case 'deploy':
      await deploy(driven, call.definition)
      return done
    case 'giveBoost':
    case 'changeBoost':
    case 'deleteBoost':
      return (await operate(engine, driven.boosts, call)) ? done : { ok: false, status: 422 }
    case 'identify':
    case 'update': {
      const { users } = callerOf(engine, call)
      await (call.call === 'identify' ? users.identify : users.update)(call.id, call.profile)
      return done
    }
    case 'preferences': {
      const { notifications, streak } = call
      await callerOf(engine, call).users.updatePreferences(call.id, {
        ...(notifications === undefined ? {} : { notifications }),
        ...(streak === undefined ? {} : { streak }),
      })
      return done
    }
  }
}

function callerOf(engine: Engine, { own }: { own?: true }): Pick<Engine, 'users'> {
  return own === true ? engine.forRequest(performance.now(), { isClient: true }) : engine
}

/** Every completion by its name, those before the newest of one that repeats too. */
async function completed(engine: Engine, id: string): Promise<string[]> {
  const all = await achieved(engine, id)
  return all.flatMap(({ key, count }) => {
    if (count === undefined) return [key]
    return Array.from({ length: count }, (_, index) => completionName({ key, count: index + 1 }))
  })
}

async function achieved(engine: Engine, id: string): Promise<readonly ({ key: string } & MoreOfAchievement)[]> {
  try {
    return await engine.users.achievements(id)
  } catch {
    return []
  }
}

type PointsAnswer = Awaited<ReturnType<Engine['metrics']['event']>>['points']

function toPoints(game: DefinedGame, points: PointsAnswer): NonNullable<Answered['points']> {
  const entries = Object.entries(points).map(([key, change]: [string, PointsAnswer[string] & MoreOfPoints]) => {
    const awards = change.awards.map(({ trigger, awarded, total, ...rest }) => ({
      trigger: indexOf(game, key, trigger.id),
      awarded,
      total,
      ...boostNames(rest),
    }))
    const level = change.level === undefined ? {} : { level: change.level?.key ?? null }
    return [key, { total: change.total, added: change.added, awards, ...level, ...toCapped(game, key, change) }]
  })
  return Object.fromEntries(entries)
}

function toCapped(game: DefinedGame, key: string, { capped }: MoreOfPoints): { capped?: Capped[] } {
  if (capped === undefined) return {}
  const all = capped.map(({ triggerId, due, awarded, resetsAt }) => ({
    trigger: indexOf(game, key, triggerId),
    due,
    awarded,
    resetsAt: resetsAt === null ? null : Date.parse(resetsAt),
  }))
  return { capped: all }
}

function toDates({ length, started, periodStart, periodEnd, expires, extended }: Extended): Extended {
  return { length, started, periodStart, periodEnd, expires, extended }
}

type Extended = NonNullable<Answered['streak']>

function toStreaks({ streaks }: MoreOfAnswer): { streaks?: { [key: string]: Extended } } {
  if (streaks === undefined) return {}
  return { streaks: Object.fromEntries(Object.entries(streaks).map(([key, streak]) => [key, toDates(streak)])) }
}

function indexOf(game: DefinedGame, system: string, id: string): number {
  return game.rules.points.get(system)?.triggers.findIndex((trigger) => trigger.id === id) ?? -1
}

function toSuspension(suspended: { readonly since: string; readonly reason: string | null } | null): Suspension | null {
  return suspended === null ? null : { since: Date.parse(suspended.since), reason: suspended.reason }
}

/** Everybody, other names too. */
export async function everybody({ engine }: Driven): Promise<Known[]> {
  const { users } = await engine.users.list()
  return users.map(({ id, suspended, mergedInto }) => ({ id, suspended: toSuspension(suspended), mergedInto }))
}

/**
 * The activity of all users, by date; only dates with activity. `from` and `to` are the model's first and last date.
 */
export async function daysOf({ engine }: Driven, from: string, to: string): Promise<Day[]> {
  const found: Day[] = []
  let end: string | null = to
  while (end !== null && end >= from) {
    const start = addDays(end, -91)
    const { days, before } = await engine.activity.days({ from: start < from ? from : start, to: end })
    found.unshift(...days.map(({ points, ...day }) => ({ ...day, points: withoutZeros(points) })).reverse())
    // An answer takes only so long, and says where the next begins.
    end = before ?? addDays(start, -1)
  }
  return found.filter(({ date: _, points, ...counts }) => {
    return Object.keys(points).length > 0 || Object.values(counts).some((count) => count > 0)
  })
}

export function withoutZeros(numbers: { readonly [key: string]: number }): { [key: string]: number } {
  return Object.fromEntries(Object.entries(numbers).filter(([, number]) => number !== 0))
}

/** Everything the engine says about a user, by its public face; the marks from the storage. */
export async function look({ engine, game, host, definition }: Driven, id: string): Promise<Snapshot | null> {
  if ((await host.user(id)).state === null) return null
  const user = await engine.users.get(id)
  const view = await host.user(user.id)
  const { state } = view
  if (state === null) return null
  // The rest of the answer is compared with test/model/walk.
  const streak = toRead(await engine.users.streak(id))
  const named = Object.keys(definition.streaks ?? {}).map(async (key) => {
    return [key, toRead(await operated(engine).users.streak(id, { streak: key }))] as const
  })
  const preferences = await engine.users.getPreferences(id)
  const profile: Snapshot['profile'] & Patch = {
    email: user.email,
    name: user.name,
    tz: user.tz,
    subscribedToEmails: user.subscribedToEmails,
    deviceTokens: user.deviceTokens === null ? null : [...user.deviceTokens],
    attributes: user.attributes,
    created: Date.parse(user.created),
    updated: Date.parse(user.updated),
  }
  const achievements = [...state.completions].map(([key, { at }]) => [key, at])
  const repeats = Object.values(definition.achievements ?? {}).some((each) => 'repeat' in each)
  const counted = (await achieved(engine, id)).flatMap(({ key, count }) => (count === undefined ? [] : [[key, count]]))
  const boosts = [...game.rules.points.keys()].map(async (key) => {
    return [key, (await engine.users.pointsBoosts(id, key)).map(({ name }) => name).sort()]
  })
  const points = await Promise.all(
    [...game.rules.points.keys()].map(async (key) => {
      const { total, level, awards: newest } = await engine.users.points(id, key, { awards: 100 })
      const names = new Map(newest.map((award) => [award.id, award]))
      const awards = view.awards.filter(({ system }) => system === key).reverse()
      const given = awards.map((award) => ({
        trigger: indexOf(game, key, award.trigger),
        awarded: award.awarded,
        total: award.total,
        date: award.at,
        ...boostNames(names.get(award.id) ?? {}),
      }))
      return [key, { total, level: level?.key ?? null, awards: given }]
    }),
  )
  return {
    profile,
    totals: Object.fromEntries([...game.rules.metrics.keys()].map((key) => [key, state.totals.get(key)?.total ?? 0])),
    marks: Object.fromEntries(
      [...game.rules.points].map(([key, system]) => [
        key,
        system.triggers.map((trigger) => {
          if (trigger.type !== 'metric') return null
          const isFiltered = trigger.eventAttributes.length + trigger.userAttributes.length > 0
          return (isFiltered ? state.tallies.get(trigger.id) : state.totals.get(trigger.metric))?.highest ?? 0
        }),
      ]),
    ),
    achievements: Object.fromEntries(achievements),
    ...(repeats ? { counts: Object.fromEntries(counted) } : {}),
    boosts: Object.fromEntries(await Promise.all(boosts)),
    points: Object.fromEntries(points),
    streak,
    ...(definition.streaks === undefined ? {} : { streaks: Object.fromEntries(await Promise.all(named)) }),
    preferences: {
      notifications: preferences.notifications as Snapshot['preferences']['notifications'],
      streak: (preferences.streak as Snapshot['preferences']['streak'] | undefined) ?? null,
    },
  }
}

function toRead({ length, started, periodStart, periodEnd, expires, freezes }: StreakWithFreezes): StreakWithFreezes {
  return { length, started, periodStart, periodEnd, expires, ...(freezes === undefined ? {} : { freezes }) }
}

/** Everybody on a board, in order; of a streak, null being the game's `streak`. */
export async function rankings({ engine }: Driven, board: 'board' | { streak: string | null }): Promise<Place[]> {
  const key = board === 'board' ? board : `of-${board.streak ?? 'streak'}`
  const { rankings } = await engine.leaderboards.get(key)
  return rankings.map(({ userId: user, value, rank }) => ({ user, value, rank }))
}
