import { GamificationError } from '../errors.ts'
import { hint, quote } from '../game/suggest.ts'
import { invalidOption } from '../options.ts'
import type { Emitter, EventName, GamificationEvents, Handler, Logger } from '../runtime/context.ts'

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
  let count = 0

  async function runHandler<Name extends EventName>(
    name: Name,
    handler: Handler<Name>,
    event: GamificationEvents[Name],
  ): Promise<void> {
    try {
      await handler(event)
    } catch (err) {
      logger.error({ event: name, err }, `A handler of ${name} failed.`)
    }
  }

  return {
    on: (name, handler) => {
      if (typeof name !== 'string') throw invalidOption('event', 'the name of one', name)
      if (!Object.hasOwn(handlers, name)) {
        const help = hint(name, Object.keys(handlers), 'listen to another')
        throw new GamificationError('invalid_request', `There is no event ${quote(name)}${help}`)
      }
      if (typeof handler !== 'function') throw invalidOption('handler', 'a function', handler)
      const set: Set<typeof handler> = handlers[name]
      if (!set.has(handler)) count += 1
      set.add(handler)
      return () => {
        if (set.delete(handler)) count -= 1
      }
    },
    hasHandlers: () => count > 0,
    emit: (name, event) => {
      const set: Set<Handler<typeof name>> = handlers[name]
      for (const handler of [...set]) {
        const run = runHandler(name, handler, event).finally(() => running.delete(run))
        running.add(run)
      }
    },
    drained: async (mostMs) => {
      let isOver = false
      let timer: NodeJS.Timeout | undefined
      const over = new Promise<void>((resolve) => {
        timer = setTimeout(() => {
          isOver = true
          resolve()
        }, mostMs)
      })
      while (running.size > 0 && !isOver) await Promise.race([Promise.all(running), over])
      clearTimeout(timer)
      return running.size
    },
  }
}
