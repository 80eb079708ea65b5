import { toNewAchievements } from '../answers/achievements.ts'
import { toLevel, toPointsChanges } from '../answers/points.ts'
import { toStreak } from '../answers/streaks.ts'
import { toInstantText, toUser } from '../answers/users.ts'
import { GamificationError } from '../errors.ts'
import { invalidOption } from '../options.ts'
import { underGame } from '../rules/fold.ts'
import { levelFor } from '../rules/points.ts'
import { settled } from '../rules/settle.ts'
import type { UserState } from '../rules/state.ts'
import { type StreakName, streakOf } from '../rules/streak-names.ts'
import { isTurnedOff } from '../rules/visibility.ts'
import type { CommandOutcome } from '../runtime/command.ts'
import type { Logger } from '../runtime/context.ts'
import type { Emitter, EventName, GamificationEvents, Handler } from '../runtime/host-events.ts'
import type { UserKey } from '../storage/rows.ts'
import { hint, quote } from '../suggest.ts'

type Recorded = Extract<CommandOutcome, { readonly type: 'recorded' }>
type Handlers = { readonly [Name in EventName]: Set<Handler<Name>> }

/** The failure of a handler is logged; it disturbs neither the caller nor the other handlers. */
export function createEmitter(logger: Logger): Emitter {
  const handlers: Handlers = {
    'user.created': new Set(),
    'achievement.completed': new Set(),
    'points.changed': new Set(),
    'points.level_changed': new Set(),
    'streak.started': new Set(),
    'streak.extended': new Set(),
    'streak.lost': new Set(),
  }
  const all = Object.values(handlers)
  const running = new Set<Promise<void>>()

  return {
    on: (name, handler) => {
      if (typeof name !== 'string') throw invalidOption('event', 'the name of one', name)
      if (!Object.hasOwn(handlers, name)) {
        const help = hint(name, Object.keys(handlers), 'listen to another')
        throw new GamificationError('invalid_request', `There is no event ${quote(name)}${help}`)
      }
      if (typeof handler !== 'function') throw invalidOption('handler', 'a function', handler)
      const set: Set<typeof handler> = handlers[name]
      set.add(handler)
      return () => void set.delete(handler)
    },
    hasHandlers: () => all.some(({ size }) => size > 0),
    emit: (name, event) => {
      const set: Set<Handler<typeof name>> = handlers[name]
      const run = async (handler: Handler<typeof name>): Promise<void> => handler(event)
      const fail = (err: unknown): void => logger.error({ event: name, err }, `A handler of ${name} failed.`)
      for (const handler of [...set]) {
        const ended: Promise<void> = run(handler)
          .catch(fail)
          .finally(() => running.delete(ended))
        running.add(ended)
      }
    },
    drained: async (mostMs) => {
      const over = Promise.withResolvers<'over'>()
      const timer = setTimeout(over.resolve, mostMs, 'over')
      let ended: unknown = null
      while (running.size > 0 && ended !== 'over') ended = await Promise.race([Promise.all(running), over.promise])
      clearTimeout(timer)
      return running.size
    },
  }
}

/** Calls the host's handlers with the changes of a call, once it is committed. */
export function notifyHandlers(emitter: Emitter, key: UserKey, outcome: Recorded): void {
  if (!emitter.hasHandlers() || outcome.before === outcome.after || isTurnedOff(outcome.after)) return
  const { game, before, after, at } = outcome
  const tenant = key.tenant === '' ? {} : { tenant: key.tenant }
  const occurrence = { ...tenant, user: toUser(game, key, after), timestamp: toInstantText(at) }

  if (before === null) emitter.emit('user.created', occurrence)
  for (const achievement of toNewAchievements(game, before, after, outcome.completions)) {
    emitter.emit('achievement.completed', { ...occurrence, achievement })
  }
  notifyPoints(emitter, occurrence, outcome)
  notifyStreak(emitter, occurrence, outcome, null)
  for (const name of game.streaks.keys()) notifyStreak(emitter, occurrence, outcome, name)
}

type OccurrenceOf = GamificationEvents['user.created']

function notifyPoints(emitter: Emitter, occurrence: OccurrenceOf, outcome: Recorded): void {
  const { game, games } = outcome
  const changes = toPointsChanges(games, game, outcome)
  for (const points of Object.values(changes)) {
    if (points.added === 0 && points.awards.length === 0) continue
    emitter.emit('points.changed', { ...occurrence, points })
    if (points.level === undefined) continue
    const system = game.points.get(points.key)
    const previous = system === undefined ? null : levelFor(system, points.total - points.added)
    const previousLevel = previous === null ? null : toLevel(previous)
    emitter.emit('points.level_changed', { ...occurrence, points, previousLevel, newLevel: points.level })
  }
}

function notifyStreak(
  emitter: Emitter,
  occurrence: OccurrenceOf,
  { game, games, before, after, at }: Recorded,
  key: StreakName,
): void {
  // With a silent entry not even time passes. The next entry reports the effects of time.
  if (before !== null && streakOf(before, key) === streakOf(after, key)) return
  const stored = lengthOf(before, key)
  const known = before === null ? null : underGame(games, before, after.epoch, at).state
  const previous = known === null ? 0 : lengthOf(settled(game, known, at), key)
  const length = lengthOf(after, key)
  const named = key == null ? occurrence : { ...occurrence, streakKey: key }
  if (stored > 0 && previous === 0) emitter.emit('streak.lost', { ...named, length: stored })
  if (length <= previous) return
  const streak = toStreak(game, after, at, key)
  emitter.emit(previous === 0 ? 'streak.started' : 'streak.extended', { ...named, streak })
}

function lengthOf(state: UserState | null, key: StreakName): number {
  return state === null ? 0 : streakOf(state, key).length
}
