import { achievements, metrics } from './game.js'

/** Stores the achievements that the event completes, composites too, and returns them. */
export async function completeAchievements({ Completion }, occasion, transaction) {
  const { user, event, metric, total, now } = occasion
  const rows = await Completion.findAll({
    where: { userId: user.id },
    attributes: ['achievement'],
    raw: true,
    transaction,
  })
  const done = new Set(rows.map((row) => row.achievement))
  const isReached = (achievement) => {
    switch (achievement.trigger) {
      case 'metric':
        return achievement.metric === metric.key && total >= achievement.value
      case 'streak':
        return user.streakLength >= achievement.length
      case 'achievement':
        return achievement.parts.every((part) => done.has(part))
      default:
        return false
    }
  }
  const completed = []
  // Composites stand behind their parts in the list.
  for (const achievement of achievements) {
    if (done.has(achievement.key) || !isReached(achievement)) continue
    done.add(achievement.key)
    completed.push(achievement)
  }
  if (completed.length > 0) {
    await Completion.bulkCreate(
      completed.map(({ key }) => ({ userId: user.id, achievement: key, achievedAt: now, eventId: event.id })),
      { transaction },
    )
  }
  return completed
}

export function toAchievement(achievement, achievedAt) {
  const { id, key, trigger, name, description, badgeUrl } = achievement
  return {
    id,
    key,
    trigger,
    name,
    description,
    badgeUrl,
    userAttributes: [],
    ...toCondition(achievement),
    achievedAt: achievedAt.toISOString(),
  }
}

function toCondition(achievement) {
  switch (achievement.trigger) {
    case 'metric': {
      const { id, name } = metrics.get(achievement.metric)
      return { metricId: id, metricName: name, metricValue: achievement.value, eventAttributes: [] }
    }
    case 'streak':
      return { streakLength: achievement.length }
    case 'achievement': {
      const parts = achievement.parts.map((part) => achievements.find(({ key }) => key === part))
      return { achievements: achievement.parts, achievementIds: parts.map(({ id }) => id) }
    }
    default:
      return {}
  }
}
