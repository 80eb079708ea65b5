// The engine, asked the same as the model.

import {
  createGamification,
  type DefinedGame,
  defineGame,
  isGamificationError,
  type Storage,
} from '../../../src/index.ts'
import { AMONG, type boardsOf } from './boards.ts'
import { streaksOf } from './fold.ts'
import type { Answer, Boards, Call, Game, Look } from './types.ts'

type Engine = ReturnType<typeof createGamification<DefinedGame>>

export interface Driven {
  engine: Engine
  game: Game
  readonly storage: Storage
  readonly clock: { now: number }
}

const toGame = (game: Game): DefinedGame => defineGame(JSON.parse(JSON.stringify(game)))

function engineOf(game: Game, { storage, clock }: Pick<Driven, 'storage' | 'clock'>): Engine {
  return createGamification<DefinedGame>({ game: toGame(game), storage, clock: () => new Date(clock.now) })
}

export async function openDriven(game: Game, storage: Storage): Promise<Driven> {
  const shared = { storage, clock: { now: 0 } }
  const engine = engineOf(game, shared)
  await engine.migrate()
  return { engine, game, ...shared }
}

export async function drive(driven: Driven, call: Call): Promise<Answer> {
  try {
    return await ask(driven, call)
  } catch (error) {
    if (!isGamificationError(error) || error.code === 'internal') throw error
    return { isRefused: true }
  }
}

async function ask(driven: Driven, call: Call): Promise<Answer> {
  const { engine } = driven
  switch (call.call) {
    case 'event': {
      const { id, metric, value, attributes, occurredAt, idempotencyKey } = call
      const answer = await engine.metrics.event(metric, {
        user: { id },
        value,
        idempotencyKey,
        progress: 'all',
        ...(attributes === undefined ? {} : { attributes }),
        ...(occurredAt === undefined ? {} : { occurredAt: new Date(occurredAt) }),
      })
      if (answer.idempotentReplayed === true) return { isReplayed: true }
      const { progressed = [] } = answer
      return {
        total: answer.total,
        achievements: answer.achievements.map(nameOf).sort(),
        points: Object.fromEntries(Object.entries(answer.points).map(([key, { total }]) => [key, total])),
        streak: answer.currentStreak.length,
        progressed: Object.fromEntries(progressed.map(({ key, progress }) => [key, progress])),
      }
    }
    case 'void': {
      const { id: user, metric, idempotencyKey } = call
      const { alreadyVoided } = await engine.events.void({ user, metric, idempotencyKey })
      return alreadyVoided ? { isReplayed: true } : {}
    }
    case 'complete': {
      const before = await completed(engine, call.id)
      const { points } = await engine.achievements.complete(call.achievement, { user: { id: call.id } })
      const after = await completed(engine, call.id)
      return {
        achievements: after.filter((key) => !before.includes(key)).sort(),
        points: Object.fromEntries(Object.entries(points).map(([key, { total }]) => [key, total])),
      }
    }
    case 'profile': {
      const { tz, attributes, signUpDate } = call
      await engine.users.identify(call.id, {
        ...(tz === undefined ? {} : { tz }),
        ...(attributes === undefined ? {} : { attributes }),
        ...(signUpDate === undefined ? {} : { signUpDate }),
      })
      return {}
    }
    case 'reset': {
      const { id, streak } = call
      const request = { users: [{ id }], ...(streak === undefined ? {} : { streak }) }
      const { resetUsers } = await engine.admin.streaks.reset(request)
      return resetUsers.length === 0 ? { isRefused: true } : {}
    }
    case 'choose':
      await engine.users.updatePreferences(call.id, { streak: { on: call.on } })
      return {}
    case 'adjust': {
      const { id: userId, system, points: added, idempotencyKey: key } = call
      const request = { userId, points: added, reason: 'Ticket', ...(key === undefined ? {} : { idempotencyKey: key }) }
      const { points, idempotentReplayed } = await engine.admin.points.adjust(system, request)
      if (idempotentReplayed === true) return { isReplayed: true }
      return { points: points.added === 0 ? {} : { [system]: points.total } }
    }
    case 'grant':
    case 'revoke':
      await engine.admin.achievements[call.call](call.achievement, { userId: call.id, reason: 'Ticket' })
      return {}
    case 'merge':
      await engine.users.merge({ from: call.id, into: call.into })
      return {}
    case 'apply':
      await engine.apply(toGame(call.game), { policy: call.policy })
      driven.game = call.game
      driven.engine = engineOf(call.game, driven)
      return {}
  }
}

const nameOf = ({ key, count }: { key: string; count?: number }): string =>
  count === undefined ? key : `${key} ${count}`

async function completed(engine: Engine, id: string): Promise<string[]> {
  try {
    return (await engine.users.achievements(id)).map(({ key }) => key)
  } catch {
    return []
  }
}

export async function look({ engine, game }: Driven, id: string): Promise<Look> {
  const metrics = await engine.users.allMetrics(id)
  const achievements = await engine.users.achievements(id, { includeIncomplete: true })
  const points = Object.keys(game.points).map(async (key) => {
    const { total, level } = await engine.users.points(id, key)
    return [key, { total, level: level?.key ?? null }] as const
  })
  const streaks = [...streaksOf(game)].map(async ([key, { freezes: has }]) => {
    const which = key === '' ? {} : { streak: key }
    const { length, expires, freezes } = await engine.users.streak(id, { historyPeriods: 0, ...which })
    return [key, { length, expires, ...(has === undefined ? {} : { freezes }) }] as const
  })
  return {
    totals: Object.fromEntries(metrics.map(({ key, current }) => [key, current])),
    achievements: Object.fromEntries(
      achievements.map(({ key, achievedAt, expiredAt, count, progress }) => {
        const at = achievedAt === null ? null : Date.parse(achievedAt)
        const expired = expiredAt == null ? {} : { expiredAt: Date.parse(expiredAt) }
        return [
          key,
          {
            at,
            ...expired,
            ...(count === undefined ? {} : { count }),
            ...(progress === undefined ? {} : { progress }),
          },
        ]
      }),
    ),
    points: Object.fromEntries(await Promise.all(points)),
    streaks: Object.fromEntries(await Promise.all(streaks)),
  }
}

/** The groups that the model knows. */
export async function boards({ engine, game }: Driven, expected: ReturnType<typeof boardsOf>): Promise<Boards> {
  const found: Boards = {}
  for (const [key, groups] of Object.entries(expected)) {
    const entries = Object.keys(groups).map(async (name) => {
      const [run = '', team = ''] = name.split(' ')
      const hasGroups = game.leaderboards[key]?.breakdown !== undefined
      const who = team === 'among' ? { among: AMONG } : hasGroups ? { userAttributes: { team } } : {}
      const { rankings, participants } = await engine.leaderboards.get(key, { run, limit: 100, ...who })
      return [name, { participants, places: rankings.map(({ userId: user, value, rank }) => ({ user, value, rank })) }]
    })
    found[key] = Object.fromEntries(await Promise.all(entries))
  }
  return found
}
