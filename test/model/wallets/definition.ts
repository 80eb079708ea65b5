// A game of a history as the engine takes it.

import type { GameDefinition } from '../../../src/index.ts'
import type { Game } from './types.ts'

export function definitionOf({ systems }: Game): GameDefinition {
  const points = Object.entries(systems).map(([key, { each, time, price, ...system }]) => [
    key,
    {
      name: key,
      ...system,
      triggers: [
        { type: 'metric', key: 'pages', metric: 'pages', threshold: 1, points: each },
        ...(time === undefined ? [] : [{ type: 'time', key: 'time', ...time }]),
      ],
    },
  ])
  const { spendable = false, price } = systems.coins ?? {}
  const mug = { name: 'Mug', cost: { coins: price ?? 1 } }
  return {
    metrics: { pages: { name: 'Pages' } },
    points: Object.fromEntries(points),
    ...(spendable ? { rewards: { mug } } : {}),
  }
}
