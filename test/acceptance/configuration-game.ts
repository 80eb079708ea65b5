import type { GameDefinition } from '../../src/index.ts'

// A game, and what the admin API answers of it on 2026-03-10, written by hand; the ids were made by Python's `uuid.uuid5`.

export const configurationGame: GameDefinition = {
  metrics: { words: { name: 'Words written' }, old: { name: 'Old', status: 'archived' }, pages: { name: 'Pages' } },
  userAttributes: ['plan', 'source'],
  eventAttributes: ['source'],
  achievements: { tour: { name: 'Tour', trigger: 'api' } },
  points: {
    xp: {
      name: 'XP',
      description: 'For writing.',
      badgeUrl: 'https://example.com/xp.png',
      maxPoints: 1_000,
      triggers: [
        {
          type: 'metric',
          metric: 'words',
          threshold: 0.5,
          points: 10,
          eventAttributes: { source: 'web' },
          userAttributes: { plan: 'pro' },
        },
        { type: 'metric', metric: 'pages', threshold: 2, points: -5, blockIfOutOfPoints: true },
        { type: 'achievement', achievement: 'tour', points: 500, status: 'inactive' },
        { type: 'streak', length: 7, points: 50 },
        { type: 'user_creation', points: 1 },
      ],
      levels: {
        silver: { name: 'Silver', description: 'Not bad.', badgeUrl: 'https://example.com/silver.png', points: 500 },
        bronze: { name: 'Bronze', points: 0 },
      },
    },
    coins: { name: 'Coins', triggers: [] },
  },
  streak: { frequency: 'daily', metrics: { words: {} } },
  leaderboards: {
    top: {
      name: 'Top',
      description: 'Of the month.',
      rankBy: 'metric',
      metric: 'words',
      start: '2026-01-01',
      end: '2026-12-31',
      startTime: '09:00',
      endTime: '17:30',
      run: { unit: 'month', interval: 2 },
      breakdown: ['plan', 'source'],
      maxParticipants: null,
    },
    rich: { name: 'Rich', rankBy: 'points', system: 'xp', start: '2027-01-01', private: true },
    past: { name: 'Past', rankBy: 'streak', start: '2025-01-01', end: '2025-12-31', maxParticipants: 5 },
  },
}

const PLAN = 'c7767d58-ba1f-5e17-a34a-129c5be05d03'
const USER_SOURCE = 'e55f979b-f4bb-5760-b796-cdd81115e545'
const EVENT_SOURCE = '7e7dd388-96e4-5cdc-9d63-1ad2ef4f0b05'

export const METRICS = [
  { id: '854a969b-1b55-5e17-9870-f8a5b53ab3e2', name: 'Words written', key: 'words', unitType: 'number', units: '' },
  { id: 'a214cd60-c17c-5af2-9ffe-f99d40767182', name: 'Pages', key: 'pages', unitType: 'number', units: '' },
] as const

export const LEVELS = [
  {
    id: '98b21341-858b-5654-88a8-3cbf1577c845',
    name: 'Bronze',
    key: 'bronze',
    points: 0,
    description: '',
    badge: null,
  },
  {
    id: '449a9dce-b8a8-5890-a428-e0da1f2e878a',
    name: 'Silver',
    key: 'silver',
    points: 500,
    description: 'Not bad.',
    badge: { url: 'https://example.com/silver.png' },
  },
] as const

export const TRIGGERS = [
  {
    id: '0fa39b1c-ade3-55cb-a3b8-d2a400ae4569',
    type: 'metric',
    points: 10,
    status: 'active',
    userAttributes: [{ attributeId: PLAN, attributeValue: 'pro' }],
    metricId: METRICS[0].id,
    metricThreshold: 0.5,
    eventAttributes: [{ attributeId: EVENT_SOURCE, attributeValue: 'web' }],
    blockIfOutOfPoints: false,
  },
  {
    id: '8ee04d7e-c39b-5f3e-83ee-deb15f832ab7',
    type: 'metric',
    points: -5,
    status: 'active',
    userAttributes: [],
    metricId: METRICS[1].id,
    metricThreshold: 2,
    eventAttributes: [],
    blockIfOutOfPoints: true,
  },
  {
    id: '63049d5b-548e-5c18-baf7-3f4466831a84',
    type: 'achievement',
    points: 500,
    status: 'inactive',
    userAttributes: [],
    achievementId: '42a138cf-dc2b-5f34-8ee2-fce3311a2b72',
    blockIfOutOfPoints: false,
  },
  {
    id: '9f8e59d5-39c9-5bd7-8ad9-a501f9340afc',
    type: 'streak',
    points: 50,
    status: 'active',
    userAttributes: [],
    streakLength: 7,
    blockIfOutOfPoints: false,
  },
  {
    id: '4c4eb467-dac0-5930-84da-96b04e4bfa9f',
    type: 'user_creation',
    points: 1,
    status: 'active',
    userAttributes: [],
    blockIfOutOfPoints: false,
  },
] as const

export const SYSTEM = {
  id: '441255f3-d3ba-59d9-a80b-62602ccf1a28',
  name: 'XP',
  key: 'xp',
  description: 'For writing.',
  status: 'active',
  badge: { url: 'https://example.com/xp.png' },
  maxPoints: 1_000,
  levels: LEVELS,
  boosts: [],
  triggers: TRIGGERS,
} as const

export const ATTRIBUTES = [
  { id: PLAN, name: 'plan', key: 'plan', type: 'user' },
  { id: USER_SOURCE, name: 'source', key: 'source', type: 'user' },
  { id: EVENT_SOURCE, name: 'source', key: 'source', type: 'event' },
] as const

export const LEADERBOARDS = [
  {
    id: '8e4303bf-5131-5ac5-b7fd-403e768e94a4',
    name: 'Top',
    key: 'top',
    description: 'Of the month.',
    status: 'active',
    rankBy: 'metric',
    metricId: METRICS[0].id,
    maxParticipants: 2_147_483_647,
    start: '2026-01-01',
    end: '2026-12-31',
    startTime: '09:00',
    endTime: '17:30',
    breakdownAttributes: [PLAN, USER_SOURCE],
    runUnit: 'month',
    runInterval: 2,
  },
  {
    id: '5b8c7314-57f1-5641-945a-27c4e7af17be',
    name: 'Rich',
    key: 'rich',
    status: 'scheduled',
    rankBy: 'points',
    pointsSystemId: SYSTEM.id,
    maxParticipants: 1_000,
    start: '2027-01-01',
    breakdownAttributes: [],
  },
  {
    id: '7817a304-8325-5584-9c21-4d6f8470af83',
    name: 'Past',
    key: 'past',
    status: 'finished',
    rankBy: 'streak',
    maxParticipants: 5,
    start: '2025-01-01',
    end: '2025-12-31',
    breakdownAttributes: [],
  },
] as const
