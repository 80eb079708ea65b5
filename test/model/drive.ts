import type { DefinedGame } from '../../src/game/define-game.ts'
import { type createGamification, GamificationError } from '../../src/index.ts'
import type { Storage } from '../../src/storage.ts'
import type { Call, Known, Outcome, Patch, Snapshot, Suspension } from './types.ts'

// Speaks to the engine in the words of the model.

const STATUSES: { readonly [code: string]: 400 | 403 | 404 | 422 } = {
  invalid_idempotency_key: 400,
  streak_customization_disabled: 403,
  unknown_user: 404,
  unknown_achievement: 404,
  unknown_event: 404,
}

type Engine = ReturnType<typeof createGamification<DefinedGame>>
type Answered = Extract<Outcome, { ok: true }>

export interface Driven {
  readonly game: DefinedGame
  readonly engine: Engine
  readonly storage: Storage
}

/** What the engine answers to a call; `late` is not for the engine to say. */
export async function drive(driven: Driven, call: Call): Promise<Outcome> {
  try {
    return await ask(driven, call)
  } catch (error) {
    if (!(error instanceof GamificationError) || error.code === 'internal') throw error
    return { ok: false, status: STATUSES[error.code] ?? 422 }
  }
}

async function ask({ engine, game }: Driven, call: Call): Promise<Answered> {
  const done = { ok: true, replayed: false, late: false } as const
  switch (call.call) {
    case 'event': {
      const { id, profile, metric, value, attributes, occurredAt, idempotencyKey } = call
      const answer = await engine.metrics.event(metric, {
        user: { id, ...profile },
        value,
        ...(attributes === undefined ? {} : { attributes }),
        ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
        ...(occurredAt === undefined ? {} : { occurredAt: new Date(occurredAt) }),
      })
      if (answer.idempotentReplayed === true) return { ...done, replayed: true }
      const { frequency: _, ...streak } = answer.currentStreak
      const achievements = answer.achievements.map(({ key }) => key).sort()
      const held = answer.held === undefined ? {} : { held: answer.held }
      return { ...done, ...held, total: answer.total, achievements, points: toPoints(game, answer.points), streak }
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
      const before = await completed(engine, call.id)
      const answer = await engine.achievements.complete(call.achievement, { user: { id: call.id, ...call.profile } })
      const after = await completed(engine, call.id)
      const achievements = after.filter((key) => !before.includes(key)).sort()
      return { ...done, achievements, points: toPoints(game, answer.points) }
    }
    case 'identify':
      await engine.users.identify(call.id, call.profile)
      return done
    case 'update':
      await engine.users.update(call.id, call.profile)
      return done
    case 'preferences': {
      const { notifications, streak } = call
      await engine.users.updatePreferences(call.id, {
        ...(notifications === undefined ? {} : { notifications }),
        ...(streak === undefined ? {} : { streak }),
      })
      return done
    }
  }
}

async function completed(engine: Engine, id: string): Promise<string[]> {
  try {
    return (await engine.users.achievements(id)).map(({ key }) => key)
  } catch {
    return []
  }
}

function toPoints(
  game: DefinedGame,
  points: Awaited<ReturnType<Engine['metrics']['event']>>['points'],
): NonNullable<Answered['points']> {
  const entries = Object.entries(points).map(([key, change]) => {
    const awards = change.awards.map(({ trigger, awarded, total }) => ({
      trigger: indexOf(game, key, trigger.id),
      awarded,
      total,
    }))
    const level = change.level === undefined ? {} : { level: change.level?.key ?? null }
    return [key, { total: change.total, added: change.added, awards, ...level }]
  })
  return Object.fromEntries(entries)
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

/** Everything the engine says about a user, by its public face; the marks from the storage. */
export async function look({ engine, game, storage }: Driven, id: string): Promise<Snapshot | null> {
  if ((await storage.readUser({ tenant: '', user: id })).state === null) return null
  const user = await engine.users.get(id)
  const view = await storage.readUser({ tenant: '', user: user.id }, { awards: {} })
  const { state } = view
  if (state === null) return null
  // What else it says is compared with test/model/walk.
  const { length, started, periodStart, periodEnd, expires } = await engine.users.streak(id)
  const streak = { length, started, periodStart, periodEnd, expires }
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
  const points = await Promise.all(
    [...game.rules.points.keys()].map(async (key) => {
      const { total, level } = await engine.users.points(id, key)
      const awards = view.awards.filter(({ system }) => system === key).reverse()
      const given = awards.map((award) => ({
        trigger: indexOf(game, key, award.trigger),
        awarded: award.awarded,
        total: award.total,
        date: award.at,
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
    points: Object.fromEntries(points),
    streak,
    preferences: {
      notifications: preferences.notifications as Snapshot['preferences']['notifications'],
      streak: (preferences.streak as Snapshot['preferences']['streak'] | undefined) ?? null,
    },
  }
}
