import { achievements, metrics, pointsSystems } from './game.js'

/** The triggers of a game that was never changed. */
const START = new Date(0).toISOString()

/** How often a trigger pays for an event. */
function timesDue(trigger, { metric, before, after, completed, extended, user }) {
  switch (trigger.type) {
    case 'metric':
      if (trigger.metric !== metric.key) return 0
      return Math.floor(after / trigger.threshold) - Math.floor(before / trigger.threshold)
    case 'achievement':
      return completed.some(({ key }) => key === trigger.achievement) ? 1 : 0
    case 'streak':
      return extended && user.streakLength % trigger.length === 0 ? 1 : 0
    default:
      return 0
  }
}

const levelFor = (system, total) => system.levels.findLast(({ points }) => points <= total) ?? null

/** Pays what the triggers are due, and returns the systems that changed, as they are answered. */
export async function awardPoints({ PointsBalance, PointsAward }, occasion, transaction) {
  const { user, event, isNewUser, now } = occasion
  const changes = {}
  for (const system of pointsSystems) {
    const due = system.triggers
      .map((trigger) => ({ trigger, points: timesDue(trigger, occasion) * trigger.points }))
      .filter(({ points }) => points !== 0)
    if (due.length === 0) {
      // The lowest level may begin at 0.
      const level = isNewUser ? levelFor(system, 0) : null
      if (level !== null) {
        await PointsBalance.create({ userId: user.id, system: system.key, total: 0, level: level.key }, { transaction })
      }
      continue
    }
    const [balance] = await PointsBalance.findOrBuild({
      where: { userId: user.id, system: system.key },
      defaults: { total: 0, level: null },
      transaction,
    })
    const previous = balance.total
    const rows = due.map(({ trigger, points }) => {
      const awarded = Math.max(points, -balance.total)
      balance.total += awarded
      const base = { userId: user.id, system: system.key, triggerId: trigger.id, eventId: event.id }
      return { ...base, awarded, total: balance.total, date: now }
    })
    const level = levelFor(system, balance.total)
    balance.level = level?.key ?? null
    await balance.save({ transaction })
    const awards = await PointsAward.bulkCreate(rows, { transaction })
    changes[system.key] = toChange(system, previous, balance.total, level, awards)
  }
  return changes
}

function toChange(system, previous, total, level, awards) {
  const { id, key, name, description, badgeUrl, maxPoints } = system
  return {
    ...{ id, key, name, description, badgeUrl, maxPoints },
    total,
    added: total - previous,
    awards: awards.map((award) => toAward(system, award)),
    ...(level === levelFor(system, previous) ? {} : { level }),
  }
}

function toAward(system, award) {
  const trigger = system.triggers.find(({ id }) => id === award.triggerId)
  return {
    id: award.id,
    awarded: award.awarded,
    date: award.date.toISOString(),
    total: award.total,
    trigger: toTrigger(trigger),
  }
}

function toTrigger(trigger) {
  const { id, type, points } = trigger
  return {
    id,
    type,
    points,
    status: 'active',
    userAttributes: [],
    created: START,
    updated: START,
    ...toCondition(trigger),
  }
}

function toCondition(trigger) {
  switch (trigger.type) {
    case 'metric': {
      const { id, name } = metrics.get(trigger.metric)
      return { metricId: id, metricName: name, metricThreshold: trigger.threshold, eventAttributes: [] }
    }
    case 'achievement': {
      const { id, name } = achievements.find(({ key }) => key === trigger.achievement)
      return { achievementId: id, achievementName: name }
    }
    default:
      return { streakLengthThreshold: trigger.length }
  }
}
