import type Database from 'better-sqlite3'
import type { Gamification } from 'laurels'
import { game, type OpenSourceGame } from './game.ts'
import { toTable } from './table.ts'

const DAY = 86_400_000
const TOP = 10

export interface ReportSource {
  readonly gamification: Gamification<OpenSourceGame>
  /** A connection of your own: you may query the library's tables. */
  readonly database: Database.Database
  readonly now: Date
}

/** The whole report as text. */
export async function report(source: ReportSource): Promise<string> {
  const tables = [
    await runningStreaks(source),
    longestStreaks(source),
    levelDistribution(source),
    await achievementRarity(source),
  ]
  return tables.join('\n\n')
}

/**
 * `laurels_users` has each streak as of the user's newest event, so an expired streak still has its length there. The query
 * leaves out old ones by `streak_last_period`: for a daily streak, the last counted date in days since 1970. Whether a streak
 * of yesterday has expired depends on the user's zone, so the library decides that.
 */
async function runningStreaks({ gamification, database, now }: ReportSource): Promise<string> {
  const today = Math.floor(now.getTime() / DAY)
  const candidates = database
    .prepare<[number], { user_id: string }>(
      'select user_id from laurels_users where streak_length > 0 and streak_last_period >= ? order by streak_length desc, user_id',
    )
    .all(today - 2)
  const rows: [string, number, string][] = []
  for (const { user_id } of candidates) {
    const { length, started } = await gamification.users.streak(user_id)
    if (length > 0) rows.push([user_id, length, `since ${started}`])
    if (rows.length === TOP) break
  }
  return toTable(`Longest streaks running at ${now.toISOString()}`, rows, 'none is running')
}

function longestStreaks({ database }: ReportSource): string {
  const rows = database
    .prepare<[number], { user_id: string; longest: number }>(
      'select user_id, streak_longest as longest from laurels_users where streak_longest > 0 order by streak_longest desc, user_id limit ?',
    )
    .all(TOP)
  const lines = rows.map(({ user_id, longest }) => [user_id, longest])
  return toTable('Longest streaks ever', lines, 'no user had one')
}

function levelDistribution({ database }: ReportSource): string {
  const counts = database
    .prepare<[], { level: string; users: number }>(
      `select level, count(*) as users from laurels_points where system = 'xp' and level is not null group by level`,
    )
    .all()
  const users = new Map(counts.map((row) => [row.level, row.users]))
  const levels = Object.entries(game.definition.points.xp?.levels ?? {}).sort(([, a], [, b]) => a.points - b.points)
  const rows = levels.map(([key, { name, points }]) => [name, users.get(key) ?? 0, `from ${points} XP`])
  return toTable('Users on each level', rows, 'there are no levels')
}

async function achievementRarity({ gamification }: ReportSource): Promise<string> {
  const achievements = await gamification.achievements.all()
  const rows = achievements.map(({ name, completions, rarity }) => [name, completions, `${rarity.toFixed(2)} %`])
  return toTable('Achievements, how many have them, and which part of all users', rows, 'there are none')
}
