import { describe, expect, test } from 'vitest'
import { describeEntry } from '../../../adapters/console/pages/parts/user/entry-words.ts'
import type { LogEntry } from '../../../src/shapes/users.ts'

const NAMES = {
  metrics: new Map([['words', 'Words written']]),
  achievements: new Map([['novelist', 'Novelist']]),
  challenges: new Map([['daily', 'Daily quests']]),
}

const ENTRY: LogEntry = {
  id: 'a',
  seq: 1,
  kind: 'eventRecorded',
  at: '2026-03-10T09:30:00.000Z',
  recordedAt: '2026-03-10T09:30:00.000Z',
  zone: 'UTC',
  localDate: '2026-03-10',
  localTime: '09:30:00.000',
  epoch: 1,
  profile: null,
}

describe('A line of the log, in words', () => {
  test.each<[Partial<LogEntry>, string]>([
    [{ metric: 'words', value: 1_200 }, '+1,200 Words written'],
    [{ metric: 'gone', value: -2.5 }, '−2.5 gone'],
    [{ kind: 'userUpserted', profile: { name: 'Ada', email: null } }, 'Profile: name is Ada, email cleared'],
    [
      { kind: 'userUpserted', profile: { deviceTokens: ['x', 'y'], attributes: { plan: 'pro' } } },
      'Profile: deviceTokens is 2 items, plan is pro',
    ],
    [{ kind: 'achievementClaimed', achievement: 'novelist' }, 'Novelist was completed by a call'],
    [{ kind: 'freezesGranted', count: 1 }, '1 freeze given'],
    [{ kind: 'freezesGranted', count: 2, streakKey: 'reading' }, '2 freezes of the streak reading given'],
    [
      { kind: 'pauseCreated', start: '2026-03-11', end: '2026-03-14' },
      'The streak is paused from 11 Mar 2026 to 14 Mar 2026',
    ],
    [{ kind: 'eventVoided', reason: 'Pasted' }, 'An event was voided: Pasted'],
    [{ kind: 'eventVoided', reason: null }, 'An event was voided'],
    [
      { kind: 'granted', achievements: ['novelist'], points: [{ system: 'xp', trigger: 't', points: 500 }] },
      'A newer game granted Novelist, 500 xp',
    ],
    [{ kind: 'userSuspended', reason: 'Too fast' }, 'Suspended from leaderboards: Too fast'],
    [{ kind: 'boostGiven', name: 'Double', multiplier: 2 }, 'A boost of ×2 was given: Double'],
    [
      { kind: 'pointsAdjusted', system: 'xp', amount: -50, reason: 'Counted twice' },
      'Support adjusted xp by −50: Counted twice',
    ],
    [{ kind: 'achievementGranted', achievement: 'novelist', reason: 'Lost' }, 'Support granted Novelist: Lost'],
    [{ kind: 'achievementRevoked', achievement: 'novelist', reason: null }, 'Support revoked Novelist'],
    [{ kind: 'challengeEnrolled', challenge: 'daily' }, 'The user enrolled in Daily quests'],
    [{ kind: 'challengeAbandoned', challenge: 'gone' }, 'The user left gone'],
    [{ kind: 'challengeClaimed', challenge: 'daily', quest: '' }, 'The reward of Daily quests was claimed'],
    [{ kind: 'challengeReplaced', challenge: 'daily', quest: 'p20' }, 'A quest was replaced: Daily quests, p20'],
    [
      { kind: 'challengeKept', challenge: 'daily', quest: 'p20' },
      'Daily quests, p20 stays completed, though what led to it has changed since',
    ],
    [{ kind: 'userMerged', into: '19' }, 'Merged into 19'],
    [{ kind: 'ofANewerVersion' }, 'ofANewerVersion'],
  ])('%o', (entry, words) => {
    expect(describeEntry({ ...ENTRY, ...entry }, NAMES)).toBe(words)
  })
})
