import type { z } from 'zod'
import type { RewardRule } from '../rules/game.ts'
import { quote } from '../suggest.ts'
import { compileReward, giftsPart } from './challenges.ts'
import { rewardId } from './ids.ts'
import { entriesOf, type Json, type Mistakes, partsAt, propertyOf } from './json.ts'
import { description, integer, name, object, oneOf, record } from './schema-parts.ts'
import type { StoredCatalogueReward } from './stored-definition.ts'

const whole = (least: number): z.ZodNumber => integer(`a whole number from ${least}`, least)

const readReward = object({
  name,
  description,
  cost: record(whole(1)),
  stock: whole(0).exactOptional(),
  perUser: whole(1).exactOptional(),
  status: oneOf('active', 'inactive').default('active'),
  gives: giftsPart.exactOptional(),
})

export const catalogueReward: z.ZodType<StoredCatalogueReward> = readReward.transform(
  (read) => read as object as StoredCatalogueReward,
)

/** Checks prices. Like `checkReferences`, it skips parts with the wrong shape. */
export function checkCatalogue(game: Json, mistakes: Mistakes): void {
  for (const { value: reward, path } of partsAt(game, 'rewards.*')) {
    const cost = propertyOf(reward, 'cost')
    if (typeof cost !== 'object' || cost === null) continue
    const systems = entriesOf(cost)
    if (systems.length !== 1) {
      const names = systems.length === 0 ? 'names no points system' : `names ${systems.length} points systems`
      mistakes.add([...path, 'cost'], `${names}; give one, as { coins: 50 }`)
      continue
    }
    for (const [system] of systems) {
      const points = propertyOf(propertyOf(game, 'points'), system)
      if (points === undefined || propertyOf(points, 'spendable') === true) continue
      const why = `${quote(system)} cannot be spent; add \`spendable: true\` to points.${system}, or name another system`
      mistakes.add([...path, 'cost', system], why)
    }
  }
}

export function compileCatalogueReward(key: string, stored: StoredCatalogueReward): RewardRule {
  const { name, description = null, stock = null, perUser = null, status, gives } = stored
  const [[system, amount] = ['', 0]] = Object.entries(stored.cost)
  const isActive = status === 'active'
  return {
    key,
    id: rewardId(key),
    name,
    description,
    system,
    amount,
    stock,
    perUser,
    isActive,
    gives: compileReward(gives),
  }
}
