// The data that the elements of the tests show.

import type {
  LeaderboardWithRankings,
  PointsBalance,
  PointsLevel,
  PointsStatement,
  Redemption,
  Reward,
  StreakHistoryItem,
  UserAchievementWithStats,
  UserChallenge,
  UserPoints,
  UserPreferences,
  UserQuest,
  UserStreak,
} from '../../src/index.ts'

const DAY_MS = 86_400_000
/** A Wednesday. */
const TODAY = '2026-03-11'

const dateBefore = (days: number): string => new Date(Date.parse(TODAY) - days * DAY_MS).toISOString().slice(0, 10)

/** By days before today; others are kept. */
type Course = { readonly [daysAgo: number]: 'lost' | 'frozen' | 'paused' | 'open' }

/** A streak of so many days up to today. */
export function streakOf(days: number, course: Course): UserStreak {
  const history: StreakHistoryItem[] = []
  let length = 0
  for (let ago = days - 1; ago >= 0; ago -= 1) {
    const state = course[ago] ?? 'kept'
    if (state === 'kept') length += 1
    if (state === 'lost') length = 0
    const date = dateBefore(ago)
    const used = { usedFreeze: state === 'frozen', usedPause: state === 'paused' }
    history.push({ periodStart: date, periodEnd: date, length, ...used })
  }
  const expires = course[0] === 'open' ? TODAY : '2026-03-12'
  const dates = { started: dateBefore(days - 1), periodStart: TODAY, periodEnd: TODAY, expires }
  const freezes = { freezes: 2, maxFreezes: 3 }
  const rest = { extended: null, rank: null, pauses: [], streakHistory: history }
  return { length, frequency: 'daily', ...dates, ...freezes, ...rest }
}

export const WEEK: UserStreak = streakOf(7, { 5: 'lost', 3: 'frozen', 2: 'paused', 0: 'open' })
export const YEAR: UserStreak = streakOf(365, { 200: 'lost', 90: 'frozen', 50: 'paused', 49: 'paused', 0: 'open' })

export const HTML = "<img src=x onerror=\"document.title='run'\"><script>document.title='run'</script>"
export const LONG = 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft'
const NAMES = ['Ada Lovelace', HTML, LONG, 'مريم الأسطرلابية', '李小龙', 'मनीष', null, 'Zoë 👩‍🚀', 'Ωmega', '']

export const BOARD: LeaderboardWithRankings = {
  ...{ id: 'w', key: 'weekly', name: 'Readers of the week', description: null, status: 'active', rankBy: 'metric' },
  ...{ runUnit: 'day', runInterval: 7, maxParticipants: 100, breakdownAttribute: null, breakdownAttributes: [] },
  ...{ metricName: 'Pages read', metricKey: 'pages', pointsSystemName: null, pointsSystemKey: null },
  ...{ start: '2026-03-09', end: '2026-03-15', startTime: null, endTime: null },
  participants: NAMES.length,
  rankings: NAMES.map((userName, index) => ({
    ...{ userId: `u${index + 1}`, userName, rank: index + 1 },
    value: 12_840.5 - index * 731,
  })),
}

const badge = (key: string, name: string, more: Partial<UserAchievementWithStats> = {}): UserAchievementWithStats => ({
  ...{ id: `id-${key}`, key, trigger: 'api', name, description: null, badgeUrl: null, userAttributes: [] },
  ...{ completions: 12, rarity: 12.34, achievedAt: null, ...more },
})
const EARNED = { achievedAt: '2026-03-01T12:00:00.000Z' }
const PAGES = { trigger: 'metric', metricId: 'pages', metricName: 'Pages read' } as const

export const BADGES: readonly UserAchievementWithStats[] = [
  badge('first', 'First page', { ...EARNED, description: 'Read a page.' }),
  badge('bookworm', 'Bookworm', {
    ...PAGES,
    metricValue: 1_000,
    progress: { current: 640, target: 1_000, ratio: 0.64 },
  }),
  badge('reader.bronze', 'Reader Bronze', { ...PAGES, ...EARNED, metricValue: 100 }),
  badge('reader.silver', 'Reader Silver', {
    ...PAGES,
    metricValue: 2_000,
    progress: { current: 640, target: 2_000, ratio: 0.32 },
  }),
  badge('again', 'A thousand more', { ...EARNED, count: 12 }),
  badge('html', HTML, { ...EARNED, description: HTML, badgeUrl: '/picture.png' }),
  badge('long', LONG, { description: LONG.repeat(9) }),
  badge('arabic', 'قارئ نهم', EARNED),
  { ...badge('secret', '???'), key: 'id-secret' },
]

const level = (name: string, points: number): PointsLevel => ({
  ...{ id: name, key: name, name, points, description: '', badgeUrl: null },
})
export const LEVELS: readonly PointsLevel[] = [level('Visitor', 0), level('Reader', 100), level('Scholar', 1_000)]
export const POINTS: UserPoints = {
  ...{ id: 'xp', key: 'xp', name: 'XP', description: null, badgeUrl: null, maxPoints: null, total: 640, awards: [] },
  level: level('Reader', 100),
}

export const CHOICES: UserPreferences = { notifications: {}, leaderboards: 'anonymous', gamification: 'on' }

const quest = (key: string, name: string, more: Partial<UserQuest> = {}): UserQuest => ({
  ...{ key, name, description: null, badgeUrl: null, reward: {}, completedAt: null, claimed: false, claimUntil: null },
  ...more,
})
const progressOf = (current: number, target: number): NonNullable<UserQuest['progress']> => {
  const ratio = current / target
  return { current: 0, target: 1, ratio, criteria: [{ current, target, ratio, satisfied: false }] }
}
const xp = (points: number): UserQuest['reward'] => ({ points: [{ system: 'xp', name: 'XP', points }] })
const DONE = { completedAt: '2026-03-11T08:00:00.000Z' }
const challenge = (key: string, name: string, more: Partial<UserChallenge>): UserChallenge => ({
  ...{
    id: key,
    key,
    name,
    description: null,
    badgeUrl: null,
    every: null,
    window: { start: TODAY, end: TODAY },
    endsAt: null,
  },
  ...{ enrolledAt: null, completedAt: null, canEnrol: false, rerollsLeft: 0, replaceable: [], quests: [], waiting: [] },
  ...more,
})
const STEP = { current: 1, target: 1, ratio: 1, satisfied: true }
const OPEN_STEP = { current: 0, target: 1, ratio: 0, satisfied: false }

export const CHALLENGES: readonly UserChallenge[] = [
  challenge('daily', 'Daily quests', {
    ...{
      every: 'day',
      description: 'New ones every day.',
      endsAt: '2026-03-12T00:00:00.000Z',
      rerollsLeft: 1,
      replaceable: ['two'],
    },
    quests: [
      quest('p20', 'Read 20 pages', { ...DONE, claimed: true, reward: xp(10) }),
      quest('p50', 'Read 50 pages', { progress: progressOf(32, 50), reward: { ...xp(30), freezes: 1 } }),
      quest('two', 'Two sessions', { progress: progressOf(0, 2), reward: xp(15) }),
    ],
    waiting: [
      {
        ...quest('early', 'Read before breakfast', { ...DONE, claimUntil: '2026-03-12', reward: xp(20) }),
        window: { start: '2026-03-10', end: '2026-03-10' },
      },
    ],
  }),
  challenge('march', 'March marathon', {
    ...{ description: 'Five hundred pages in March.', endsAt: '2026-04-01T00:00:00.000Z' },
    quests: [
      quest('', 'March marathon', { progress: progressOf(320, 500), reward: xp(1_000), badgeUrl: '/picture.png' }),
    ],
  }),
  challenge('tour', 'Find your way', {
    quests: [
      quest('', 'Find your way', {
        progress: { current: 1, target: 3, ratio: 0.3333, criteria: [STEP, OPEN_STEP, OPEN_STEP] },
        reward: {
          achievement: 'guide',
          achievementName: 'Guide',
          boost: { system: 'xp', name: 'Well done', multiplier: 1.5, days: 2 },
        },
      }),
    ],
  }),
  challenge('sprint', 'Bring three friends', {
    window: null,
    canEnrol: true,
    description: 'You have a week from the day on which you join.',
  }),
  challenge('streets', 'Ten streets', {
    enrolledAt: '2026-03-10T08:00:00.000Z',
    completedAt: '2026-03-11T08:00:00.000Z',
    endsAt: '2026-03-17T00:00:00.000Z',
    quests: [quest('', 'Ten streets', { ...DONE, claimUntil: '2026-03-13', reward: xp(200) })],
  }),
  challenge('names', HTML, { quests: [quest('html', HTML, { description: LONG, progress: progressOf(1, 3) })] }),
  challenge('past', 'Over', { window: null }),
]

export const WALLET: PointsBalance = {
  ...{ system: 'coins', name: 'Coins', total: 2_400, balance: 1_240, pending: 200, held: 50, spent: 800, expired: 110 },
  lots: [
    { amount: 300, expires: '2026-04-01' },
    { amount: 940, expires: null },
  ],
  pendingLots: [{ amount: 200, available: '2026-03-20', expires: null }],
  holds: [{ id: 'hold', amount: 50, expiresAt: '2026-03-12T12:00:00.000Z', reference: null }],
  nextExpiry: { amount: 300, date: '2026-04-01' },
}

const movement = (
  kind: PointsStatement['movements'][number]['kind'],
  amount: number,
  more: Partial<PointsStatement['movements'][number]> = {},
): PointsStatement['movements'][number] => ({
  ...{
    kind,
    amount,
    points: Math.abs(amount) || 200,
    balance: 1_240,
    date: '2026-03-11T09:00:00.000Z',
    entryId: null,
    lots: [],
  },
  ...more,
})
export const STATEMENT: PointsStatement = {
  system: 'coins',
  movements: [
    movement('earned', 0),
    movement('spent', -500, { reference: 'Order 1044' }),
    movement('refunded', 120, { reference: LONG }),
    movement('held', -50),
    movement('expired', -110),
    movement('adjusted', 1_000),
  ],
  next: 'more',
}

const reward = (key: string, name: string, amount: number, more: Partial<Reward> = {}): Reward => ({
  ...{ id: key, key, name, description: null, system: 'coins', systemName: 'Coins', amount, stock: null, left: null },
  ...{ perUser: null, status: 'active', gives: {}, ...more },
})
export const REWARDS: readonly Reward[] = [
  reward('freeze', 'A freeze', 50, { description: 'Saves your streak on a day off.', gives: { freezes: 1 } }),
  reward('mug', 'A mug', 500, { description: 'With your name.', stock: 100, left: 12 }),
  reward('book', 'A signed book', 2_000, { stock: 10, left: 3 }),
  reward('shirt', 'A shirt', 900, { stock: 20, left: 0 }),
  reward('title', HTML, 100, { perUser: 1 }),
  reward('old', 'No longer', 1, { status: 'inactive' }),
]
export const REDEMPTIONS: readonly Redemption[] = [
  {
    ...{ id: 'r1', userId: '18', reward: 'title', status: 'open', redeemedAt: '2026-03-10T09:00:00.000Z' },
    ...{ system: 'coins', amount: 100, settledAt: null },
  },
]
