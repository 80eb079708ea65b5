import { streakMetrics } from './game.js'

const formatters = new Map()

/** Today's date in a time zone, `YYYY-MM-DD`. */
export function localDate(tz, date) {
  if (!tz || tz === 'UTC') return date.toISOString().slice(0, 10)
  if (!formatters.has(tz)) formatters.set(tz, new Intl.DateTimeFormat('en-CA', { timeZone: tz }))
  return formatters.get(tz).format(date)
}

export function addDays(date, days) {
  return new Date(Date.parse(`${date}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10)
}

/** Counts today if the event makes it count; returns whether the streak got longer. The user is not saved here. */
export async function extendStreak({ MetricEvent, StreakDay }, user, metric, today, transaction) {
  if (user.streakLast !== null && user.streakLast >= today) return false
  // Lost, whatever this event does.
  if (user.streakLength > 0 && user.streakLast !== addDays(today, -1)) {
    user.set({ streakLength: 0, streakStarted: null, streakLast: null })
  }
  if (!streakMetrics.has(metric.key)) return false
  const where = { userId: user.id, metric: metric.key, localDate: today }
  if (((await MetricEvent.sum('value', { where, transaction })) ?? 0) <= 0) return false

  user.streakLength += 1
  user.streakStarted ??= today
  user.streakLast = today
  user.longestStreak = Math.max(user.longestStreak, user.streakLength)
  await StreakDay.create({ userId: user.id, date: today, length: user.streakLength }, { transaction })
  return true
}

export function toCurrentStreak(user, today, extended) {
  const isAlive = user.streakLast !== null && user.streakLast >= addDays(today, -1)
  if (!isAlive || user.streakLength === 0) {
    const none = { started: null, periodStart: null, periodEnd: null, expires: null }
    return { length: 0, frequency: 'daily', ...none, extended: false }
  }
  return {
    length: user.streakLength,
    frequency: 'daily',
    started: user.streakStarted,
    periodStart: today,
    periodEnd: today,
    expires: addDays(user.streakLast, 1),
    extended,
  }
}
