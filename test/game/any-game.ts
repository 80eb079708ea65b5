import type { GameDefinition } from '../../src/game/definition.ts'

/** A definition with any keys: what `game-options.ts` takes the options from. */
export type AnyGame = GameDefinition
