import type { GameSentences } from '../../../../../src/engine/answers/wire/games.ts'
import type { StoredAchievement, StoredDefinition, StoredLeaderboard } from '../../../../../src/game/stored.ts'
import { formatNumber, plural } from '../format.ts'
import type { GameNode } from './game-node.ts'

/** The game's own streak goes by this key. */
export const MAIN_STREAK = 'streak'

const alone = { page: null, within: null, from: [] } as const

/** What rules look at beside metrics: only what the game uses. */
export function sourceNodes({ achievements, points }: StoredDefinition): readonly GameNode[] {
  const triggers = Object.values(points).flatMap((system) => system.triggers)
  const sources = [
    ['api', 'Completed via API', Object.values(achievements).some(({ trigger }) => trigger === 'api')],
    ['user_creation', 'A new user', triggers.some(({ type }) => type === 'user_creation')],
    ['time', 'Time', triggers.some(({ type }) => type === 'time')],
  ] as const
  return sources
    .filter(([, , isUsed]) => isUsed)
    .map(([key, name]) => ({ ...alone, id: `source:${key}`, kind: 'source', name, note: '', sentence: '' }))
}

export function metricNodes({ metrics }: StoredDefinition): readonly GameNode[] {
  return Object.entries(metrics).map(([key, { name, status, limits = [] }]) => ({
    ...alone,
    id: `metric:${key}`,
    kind: 'metric',
    name,
    note: status === 'active' ? '' : status,
    sentence: limits
      .map(({ value, per, then }) => {
        const deed = then === 'hold' ? 'held back' : 'refused'
        return `What exceeds ${formatNumber(value)} in ${plural(per.days, 'day')} is ${deed}.`
      })
      .join(' '),
  }))
}

export function streakNodes({ streak, streaks = {} }: StoredDefinition, sentences: GameSentences): readonly GameNode[] {
  const all = [...(streak === undefined ? [] : [[MAIN_STREAK, streak] as const]), ...Object.entries(streaks)]
  return all.map(([key, { frequency, metrics }]) => ({
    ...alone,
    id: `streak:${key}`,
    kind: 'streak',
    name: key === MAIN_STREAK ? 'Streak' : key,
    note: frequency,
    sentence: sentences.streaks[key] ?? '',
    from: Object.keys(metrics).map((metric) => `metric:${metric}`),
  }))
}

export function achievementNodes({ achievements }: StoredDefinition, sentences: GameSentences): readonly GameNode[] {
  return Object.entries(achievements).map(([key, achievement]) => ({
    id: `achievement:${key}`,
    kind: 'achievement',
    name: achievement.name,
    note: noteOf(achievement),
    sentence: sentences.achievements[key] ?? '',
    page: ['achievements', key],
    within: null,
    from: causesOf(achievement),
  }))
}

function noteOf(achievement: StoredAchievement): string {
  if (achievement.status !== 'active') return achievement.status
  switch (achievement.trigger) {
    case 'metric':
      return formatNumber(achievement.value)
    case 'streak':
      return plural(achievement.length, 'period')
    case 'achievement':
      return `all ${achievement.achievements.length}`
    case 'api':
      return ''
    default:
      return achievement satisfies never
  }
}

function causesOf(achievement: StoredAchievement): readonly string[] {
  switch (achievement.trigger) {
    case 'metric':
      return [`metric:${achievement.metric}`]
    case 'streak':
      return [`streak:${achievement.streak ?? MAIN_STREAK}`]
    case 'achievement':
      return achievement.achievements.map((key) => `achievement:${key}`)
    case 'api':
      return ['source:api']
    default:
      return achievement satisfies never
  }
}

export function leaderboardNodes({ leaderboards }: StoredDefinition, sentences: GameSentences): readonly GameNode[] {
  return Object.entries(leaderboards).map(([key, leaderboard]) => ({
    id: `leaderboard:${key}`,
    kind: 'leaderboard',
    name: leaderboard.name,
    note: leaderboard.rankBy === 'streak' || leaderboard.run === undefined ? '' : runOf(leaderboard.run),
    sentence: sentences.leaderboards[key] ?? '',
    page: ['leaderboards', key],
    within: null,
    from: [rankedBy(leaderboard)],
  }))
}

function runOf({ unit, interval }: { readonly unit: string; readonly interval: number }): string {
  return interval === 1 ? `every ${unit}` : `every ${interval} ${unit}s`
}

function rankedBy(leaderboard: StoredLeaderboard): string {
  switch (leaderboard.rankBy) {
    case 'metric':
      return `metric:${leaderboard.metric}`
    case 'points':
      return `points:${leaderboard.system}`
    case 'streak':
      return `streak:${leaderboard.streak ?? MAIN_STREAK}`
    default:
      return leaderboard satisfies never
  }
}
