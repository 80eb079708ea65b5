import type { DefinedGame } from '../../../src/game/define-game.ts'
import { createGamification, type ImportReport, type Storage } from '../../../src/index.ts'
import type { Screen } from '../screen.ts'
import { ofTenant } from '../tenant.ts'
import { plural } from '../text.ts'
import type { DemoItem } from './history.ts'

export interface DemoRun {
  readonly game: DefinedGame
  readonly storage: Storage
  readonly tenant: string | null
  readonly items: readonly DemoItem[]
  /** The moment at which all of it is recorded. */
  readonly now: number
  readonly signal: AbortSignal
}

/** Makes the tables, puts the game in force where it is new, and imports the items. */
export async function runDemo(run: DemoRun, screen: Screen): Promise<ImportReport> {
  const { game, storage, tenant, items, now, signal } = run
  const gamification = createGamification({
    game,
    storage,
    clock: () => new Date(now),
    logger: { warn: (_, message) => screen.line(`Warning: ${message}`), error: (_, message) => screen.line(message) },
  })
  let taken = 0

  function* untilInterrupted(): Generator<DemoItem> {
    for (const item of items) {
      if (signal.aborted) return
      taken += 1
      const counts = (): readonly string[] => [plural(taken, 'event')]
      screen.show({ done: taken, counts, fraction: taken / items.length })
      yield item
    }
  }

  await gamification.migrate()
  return ofTenant(gamification, tenant).import(untilInterrupted())
}
