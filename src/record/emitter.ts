import { GamificationError } from '../errors.ts'
import { hint, quote } from '../game/suggest.ts'
import { invalidOption } from '../options.ts'
import type { Emitter, EventName, Handler, Logger } from '../runtime/context.ts'

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
    hasHandlers: () => Object.values(handlers).some(({ size }) => size > 0),
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
