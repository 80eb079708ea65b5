import { type DefinedGame, defineGame } from 'laurels'

type Metric = 'words' | 'minutes' | 'calls' | 'mistakes' | 'quiz' | 'modes' | 'flashcards'
type Badge =
  | 'listener'
  | 'invited'
  | 'speaker'
  | 'talks'
  | 'pioneer'
  | 'night-owl'
  | 'polyglot'
  | 'busy-week'
  | 'all-rounder'
  | 'third-year'
type Tier = 'linguist.bronze' | 'linguist.silver' | 'linguist.gold' | 'regular.bronze' | 'regular.silver'
type Board = 'week' | 'xp' | 'listeners' | 'quickest'

export type LanguageGame = DefinedGame<
  Metric,
  Badge | Tier,
  'xp' | 'energy' | 'memory' | 'coins' | 'gems' | 'tickets',
  Board,
  'mode',
  'plan',
  'invited' | 'pioneer',
  'listening' | 'talking' | 'studying',
  boolean,
  string,
  'freeze' | 'mug' | 'poster'
>

/** A language course that schools buy for their pupils. It uses every option of a game. */
export const game: LanguageGame = defineGame({
  // Each school is a tenant.
  multiTenant: true,
  weekStartsOn: 'sunday',
  experiment: { controlRatio: 0.1 },
  preferences: { leaderboards: 'anonymous' },
  eventAttributes: ['mode'],
  userAttributes: ['plan'],

  metrics: {
    // A thousand words a day are implausible: further events wait until a teacher approves them.
    words: { name: 'Words learned', limits: [{ value: 1_000, per: { days: 1 }, then: 'hold' }] },
    minutes: { name: 'Minutes listened' },
    calls: { name: 'Conversations' },
    mistakes: { name: 'Mistakes' },
    quiz: { name: 'Fastest quiz', aggregation: 'min', unit: 's' },
    modes: { name: 'Ways to practise', aggregation: 'distinct', of: 'mode' },
    flashcards: { name: 'Flashcards', status: 'archived' },
  },

  achievements: {
    linguist: {
      name: 'Linguist',
      description: 'Words learned',
      badgeUrl: '/badges/linguist.png',
      trigger: 'metric',
      metric: 'words',
      tiers: {
        bronze: { value: 100 },
        silver: { name: 'Well-read', description: 'More words', badgeUrl: '/badges/well-read.png', value: 150 },
        gold: { value: 5_000 },
      },
    },
    regular: {
      name: 'Regular',
      trigger: 'streak',
      tiers: { bronze: { length: 3 }, silver: { length: 30 } },
    },
    // Completed again after every half hour of practice.
    listener: {
      name: 'Half an hour',
      trigger: 'metric',
      metric: 'minutes',
      value: 30,
      repeat: true,
      announce: [0.5, 0.9],
    },
    invited: { name: 'Invited a friend', trigger: 'api', repeat: { max: 10 } },
    speaker: {
      name: 'Speaker',
      trigger: 'metric',
      metric: 'calls',
      value: 10,
      eventAttributes: { mode: 'spoken' },
      userAttributes: { plan: 'pro' },
      // A pupil must prove it again each year.
      validFor: { days: 365 },
    },
    talks: { name: 'Two weeks of talk', trigger: 'streak', streak: 'talking', length: 2 },
    pioneer: { name: 'Pioneer', trigger: 'api', status: 'locked', until: '2026-12-31' },
    'night-owl': {
      name: 'Night owl',
      description: 'Ten minutes in the middle of the night',
      trigger: 'metric',
      metric: 'minutes',
      value: 10,
      eventAttributes: { mode: 'night' },
      secret: { name: 'Something at night' },
    },
    polyglot: {
      name: 'Polyglot',
      trigger: 'achievement',
      achievements: ['linguist.silver', 'night-owl'],
      secret: true,
    },
    'busy-week': { name: 'Busy week', trigger: 'metric', metric: 'minutes', value: 120, within: { days: 7 } },
    // Any three of these. A streak that is lost later still counts.
    'all-rounder': {
      name: 'All-rounder',
      trigger: 'criteria',
      atLeast: 3,
      of: [
        { metric: 'words', value: 500, within: { days: 7 }, eventAttributes: { mode: 'spoken' } },
        { events: 'calls', count: 20 },
        { streak: 'streak', length: 14 },
        { streak: 'listening', length: 7 },
        { level: 'xp.speaker' },
        { points: 'memory', total: 1_000 },
        { achievement: 'night-owl' },
        { membership: { days: 365 } },
        { membership: { months: 18 } },
        { membership: { years: 2, since: 'signUp' } },
      ],
    },
    // From the date on which the pupil joined the school, which is older than this game for some.
    'third-year': { name: 'Three years', trigger: 'anniversary', years: 3 },
  },

  points: {
    xp: {
      name: 'XP',
      description: 'What learning is worth',
      badgeUrl: '/badges/xp.png',
      maxPoints: 100_000,
      cap: { points: 200, per: 'week' },
      triggers: [
        { type: 'user_creation', points: 50, exempt: true },
        {
          type: 'metric',
          metric: 'words',
          threshold: 10,
          points: 10,
          cap: { points: 50, per: 'day' },
          key: 'words',
          created: '2026-01-01T00:00:00Z',
          updated: '2026-02-01T00:00:00Z',
        },
        {
          type: 'metric',
          metric: 'calls',
          threshold: 1,
          points: 20,
          eventAttributes: { mode: 'spoken' },
          cooldown: { minutes: 60 },
        },
        { type: 'achievement', achievement: 'linguist.bronze', points: 100, exempt: true },
        { type: 'achievement', achievement: 'listener', points: 25 },
        { type: 'streak', length: 3, points: 30 },
        { type: 'streak', streak: 'listening', length: 3, points: 15, userAttributes: { plan: 'pro' } },
        { type: 'metric', metric: 'minutes', threshold: 60, points: 5, status: 'inactive' },
      ],
      levels: {
        beginner: { name: 'Beginner', points: 0 },
        speaker: { name: 'Speaker', description: 'Gets by', badgeUrl: '/badges/speaker.png', points: 300 },
      },
      boosts: {
        'double-weekend': { name: 'Double weekend', start: '2026-03-14', end: '2026-03-15', multiplier: 2 },
        pros: { name: 'Pro', start: '2026-01-01', multiplier: 1.25, rounding: 'up', userAttributes: { plan: 'pro' } },
      },
    },
    energy: {
      name: 'Energy',
      maxPoints: 5,
      triggers: [
        { type: 'user_creation', points: 5 },
        // A mistake costs one. A pupil who has none left cannot continue …
        { type: 'metric', metric: 'mistakes', threshold: 1, points: -1, blockIfOutOfPoints: true },
        // … until one has come back.
        { type: 'time', every: { hours: 4 }, points: 1 },
      ],
    },
    memory: {
      name: 'Words remembered',
      triggers: [
        { type: 'metric', metric: 'words', threshold: 1, points: 1 },
        { type: 'time', every: { days: 1 }, points: -5 },
      ],
      levels: { rich: { name: 'Rich in words', points: 10 } },
    },
    // Coins buy things, and are gone at the end of the month a year after they were earned.
    coins: {
      name: 'Coins',
      spendable: true,
      expires: { after: { months: 12 }, warn: { days: 7 } },
      pending: { days: 14 },
      refundGrace: { days: 60 },
    },
    gems: { name: 'Gems', spendable: true, expires: { after: { years: 2 }, roundTo: 'year' } },
    tickets: { name: 'Tickets', spendable: true, expires: { after: { days: 30 }, roundTo: 'day' } },
  },

  streak: {
    frequency: 'daily',
    // There are no lessons on Thursdays.
    on: ['mon', 'tue', 'wed', 'fri', 'sat', 'sun'],
    evaluationMode: 'OR',
    metrics: { words: { threshold: 10 }, calls: {} },
    customization: true,
    freezes: { initial: 2, max: 3, autoEarn: { interval: 7, amount: 1 } },
    // An hour late is still useful; later is not.
    reminders: [{ key: 'evening', before: { hours: 4 }, staleAfter: { hours: 1 } }],
  },
  streaks: {
    listening: {
      frequency: 'daily',
      on: ['mon', 'tue', 'wed', 'fri', 'sat', 'sun'],
      metrics: { minutes: { threshold: 10 } },
      freezes: 'shared',
    },
    // Any three days of a week.
    studying: { frequency: 'weekly', days: 3, metrics: { words: { threshold: 5 } } },
    talking: {
      frequency: 'weekly',
      evaluationMode: 'AND',
      metrics: { calls: {}, words: { threshold: 20 } },
      freezes: { initial: 1, max: 1, autoEarn: { interval: 28, amount: 1 } },
      reminders: [{ key: 'weekend', before: { hours: 48 }, staleAfter: { hours: 12 } }],
    },
  },

  leaderboards: {
    week: {
      name: 'This week',
      description: 'Words learned by day, by those on the same plan',
      rankBy: 'metric',
      metric: 'words',
      start: '2026-01-04',
      end: '2026-12-27',
      startTime: '06:00',
      endTime: '22:00',
      run: { unit: 'day', interval: 7 },
      breakdown: ['plan'],
      maxParticipants: 50,
    },
    xp: {
      name: 'All XP',
      rankBy: 'points',
      system: 'xp',
      start: '2026-01-01',
      private: true,
      consent: true,
      smallestGroup: 5,
    },
    listeners: {
      name: 'Listeners',
      rankBy: 'streak',
      streak: 'listening',
      start: '2026-01-01',
      maxParticipants: 100,
    },
    quickest: {
      name: 'Quickest',
      rankBy: 'metric',
      metric: 'quiz',
      start: '2026-01-01',
      order: 'lowest',
      ties: 'shared',
    },
  },

  // Pupils buy these with coins.
  rewards: {
    freeze: {
      name: 'A day off',
      cost: { coins: 50 },
      gives: {
        freezes: 1,
        achievement: 'invited',
        boost: { system: 'xp', name: 'Well rested', multiplier: 1.5, rounding: 'nearest', days: 2 },
      },
    },
    mug: { name: 'Mug', description: 'With the logo of the school', cost: { coins: 500 }, stock: 100, perUser: 1 },
    poster: { name: 'Poster', cost: { gems: 20 }, status: 'inactive' },
  },

  challenges: {
    // Two quests a day; a pupil may exchange one of them.
    daily: {
      name: 'Daily quests',
      description: 'New ones every day',
      badgeUrl: '/badges/quests.png',
      every: 'day',
      start: '2026-01-01',
      end: '2026-12-31',
      pick: 2,
      same: 'everyone',
      rerolls: 1,
      announce: [0.5],
      ending: { before: { hours: 3 } },
      pool: {
        words: {
          name: 'Ten words',
          description: 'Learn ten words',
          badgeUrl: '/badges/words.png',
          of: [{ metric: 'words', value: 10 }],
          reward: { points: { xp: 10 } },
        },
        call: {
          name: 'Talk',
          of: [
            { events: 'calls', count: 1, eventAttributes: { mode: 'spoken' } },
            { metric: 'minutes', value: 5, within: { days: 1 }, eventAttributes: { mode: 'spoken' } },
          ],
          atLeast: 1,
          reward: { freezes: 1 },
        },
        both: {
          name: 'First words, then a call',
          inOrder: true,
          of: [
            { metric: 'words', value: 5 },
            { events: 'calls', count: 1, within: { days: 1 } },
          ],
          reward: {
            achievement: 'invited',
            boost: { system: 'xp', name: 'Well done', multiplier: 1.5, rounding: 'up', days: 1 },
          },
        },
        regular: {
          name: 'Regular',
          of: [
            { streak: 'streak', length: 3 },
            { level: 'memory.rich' },
            { points: 'memory', total: 5 },
            { achievement: 'listener' },
            { membership: { days: 7, since: 'signUp' } },
          ],
        },
        member: { name: 'Member', atLeast: 1, of: [{ membership: { months: 1 } }, { membership: { years: 1 } }] },
      },
    },
    // A pupil who is new finds the way, one step after the other.
    tour: {
      name: 'Find your way',
      inOrder: true,
      of: [
        { events: 'words', count: 1 },
        { events: 'minutes', count: 1 },
        { metric: 'calls', value: 1 },
      ],
      reward: { freezes: 1 },
    },
    month: { name: 'Words of the month', every: 'month', of: [{ metric: 'words', value: 150 }] },
    sprint: {
      name: 'Sprint',
      enrol: 'manual',
      within: { days: 7 },
      claim: { within: { days: 2 } },
      atLeast: 1,
      inOrder: true,
      of: [
        { metric: 'words', value: 100, within: { days: 3 }, eventAttributes: { mode: 'spoken' } },
        { events: 'calls', count: 5, within: { days: 3 }, eventAttributes: { mode: 'spoken' } },
        { streak: 'studying', length: 1 },
        { level: 'xp.speaker' },
        { points: 'memory', total: 50 },
        { achievement: 'listener' },
        { membership: { days: 7, since: 'signUp' } },
        { membership: { months: 1 } },
        { membership: { years: 1 } },
      ],
      reward: {
        points: { energy: 1 },
        achievement: 'invited',
        freezes: 1,
        boost: { system: 'xp', name: 'Sprinter', multiplier: 2, rounding: 'down', days: 2 },
      },
    },
  },

  // Messages for the school's mail program, which sends the mails.
  emails: { recap: 'weekly', reactivation: [3, 7, 30], achievements: true, staleAfter: { hours: 3 } },

  // The app may send only this. Everything else comes from the backend.
  clients: {
    events: { words: { min: 1, max: 100 }, minutes: { max: 60, attributes: ['mode'] } },
    achievements: ['invited'],
    challenges: ['daily'],
    redeem: ['freeze'],
    attributes: ['plan'],
    profile: ['name', 'tz'],
  },
})
