// The features of random games and histories that not every game has.

export const ALL_FEATURES = [
  'freezes', // of the game's streak
  'boosts', // planned, and given in operation
  'caps', // and cooldowns
  'time', // triggers that pay by time
  'tiers',
  'repeats',
  'streaks', // beside `streak`
  'deploys', // another game in the middle of a history
  'messages', // emails, and a subscription from the beginning
  'imports', // several events at once, most of them late
] as const

export type Feature = (typeof ALL_FEATURES)[number]

/** The abilities of the engine. */
const IN_THE_ENGINE: readonly Feature[] = ALL_FEATURES

export const FEATURES: readonly Feature[] =
  process.env.FEATURES === undefined
    ? IN_THE_ENGINE
    : ALL_FEATURES.filter((feature) => process.env.FEATURES?.split(',').includes(feature))
