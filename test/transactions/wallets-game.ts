import type { GameDefinition } from '../../src/index.ts'

/** One coin for each euro. */
export const WALLET_GAME = {
  metrics: { euros: { name: 'Euros' } },
  points: {
    coins: {
      name: 'Coins',
      spendable: true,
      expires: { after: { months: 12 } },
      triggers: [{ type: 'metric', metric: 'euros', threshold: 1, points: 1 }],
    },
  },
} as const satisfies GameDefinition
