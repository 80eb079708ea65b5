import type { DefinedGame } from '../../../src/game/define-game.ts'
import type { Storage } from '../../../src/index.ts'
import { loadGame } from '../game-file.ts'
import { readNewestGame } from '../stored-game.ts'
import { checkTenant } from '../tenant.ts'
import { plural, wrongCall } from '../text.ts'
import { demoGame } from './game.ts'
import type { DemoSettings } from './settings.ts'

/** The game of the demo. Throws `invalid_request` where there are users whom the demo's would mix with. */
export async function prepareDemo(settings: DemoSettings, storage: Storage): Promise<DefinedGame> {
  const { database, game: file, tenant, add } = settings
  const { name, pending, contents } = await database.inspect()
  const hasGame = (contents?.games.length ?? 0) > 0
  const game =
    file !== null
      ? await loadGame(file)
      : hasGame && contents !== null
        ? readNewestGame(database, { name, contents }).game
        : demoGame(tenant !== null)
  checkTenant(game, tenant)
  const users = contents?.users ?? 0
  if (add || users === 0) return game
  if (tenant === null) {
    throw wrongCall(
      `${name} has ${plural(users, 'user')}: give an empty database, or --add to put the demo's beside them`,
    )
  }
  // Tables that are to be migrated first cannot be asked; whoever uses them knows what is in them.
  if (pending.length > 0) {
    throw wrongCall(`${name} has ${plural(users, 'user')} in older tables: run laurels migrate first, or give --add`)
  }
  const [first] = await storage.listUsers({ after: { tenant, user: '' }, limit: 1 })
  if (first?.tenant === tenant) {
    throw wrongCall(`the tenant ${tenant} has users: give another, or --add to put the demo's beside them`)
  }
  return game
}
