// The small game of tests about challenges.

export const PAGES_AND_XP = { metrics: { pages: { name: 'Pages' } }, points: { xp: { name: 'XP' } } } as const

/** Daily quests of 20 pages, for 10 XP. */
export const DAILY = {
  name: 'Daily',
  every: 'day',
  of: [{ metric: 'pages', value: 20 }],
  reward: { points: { xp: 10 } },
} as const

/** A sprint of a week that users join, for 50 XP to be claimed. */
export const SPRINT = {
  name: 'Sprint',
  of: [{ metric: 'pages', value: 100 }],
  enrol: 'manual',
  within: { days: 7 },
  claim: { within: { days: 2 } },
  reward: { points: { xp: 50 } },
} as const
