import { type DefinedGame, defineGame } from 'laurels'

/** A game for the customers of a shop: spending earns points, and vouchers cost points. */
export const game: DefinedGame<'spent' | 'vouchers', 'first-order' | 'regular', 'stars'> = defineGame({
  metrics: { spent: { name: 'Money spent' }, vouchers: { name: 'Vouchers redeemed' } },
  achievements: {
    'first-order': { name: 'First order', trigger: 'metric', metric: 'spent', value: 1 },
    regular: { name: 'Regular', trigger: 'metric', metric: 'spent', value: 500 },
  },
  points: {
    stars: {
      name: 'Stars',
      triggers: [
        { type: 'metric', metric: 'spent', threshold: 10, points: 1 },
        // Refuses the event if the customer does not have enough.
        { type: 'metric', metric: 'vouchers', threshold: 1, points: -5, blockIfOutOfPoints: true },
      ],
      levels: {
        guest: { name: 'Guest', points: 0 },
        friend: { name: 'Friend of the house', points: 20 },
      },
    },
  },
})
