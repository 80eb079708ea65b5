import { Transaction } from 'sequelize'
import { completeAchievements, toAchievement } from './achievements.js'
import { HttpError } from './errors.js'
import { awardPoints } from './points.js'
import { extendStreak, localDate, toCurrentStreak } from './streak.js'

/**
 * SQLite has one writer at a time, and Sequelize a connection for each transaction: those that wait for the lock inside
 * SQLite would take the four threads of the driver from the one that has it. So they wait for their turn here.
 */
function createTurns() {
  let last = Promise.resolve()
  return (work) => {
    const result = last.then(work)
    last = result.catch(() => undefined)
    return result
  }
}

export function createRecorder(database) {
  const inTurn = database.sequelize.getDialect() === 'sqlite' ? createTurns() : (work) => work()
  return (input) =>
    inTurn(() =>
      database.sequelize.transaction({ type: Transaction.TYPES.IMMEDIATE }, (transaction) =>
        recordEvent(database, input, transaction),
      ),
    )
}

const round = (number) => Number(number.toPrecision(15))

/** Everything an event does, in one transaction. Returns the status and the answer. */
async function recordEvent(database, { metric, value, attributes, user: profile, idempotencyKey }, transaction) {
  const { User, MetricEvent, MetricTotal } = database
  const userId = profile.id
  const now = new Date()

  if (idempotencyKey !== null) {
    const used = await MetricEvent.findOne({ where: { userId, metric: metric.key, idempotencyKey }, transaction })
    if (used) return { status: 202, body: await replay(database, used, metric, now, transaction) }
  }

  // Events of one user come one after the other. SQLite has no such lock, and needs none.
  const lock = transaction.LOCK.UPDATE
  const [user, isNewUser] = await User.findOrCreate({ where: { id: userId }, defaults: profile, transaction, lock })
  if (!isNewUser) {
    const { attributes: added, ...fields } = profile
    user.set(fields)
    if (added) user.attributes = { ...user.attributes, ...added }
  }
  const today = localDate(user.tz, now)

  const [total, isFirst] = await MetricTotal.findOrBuild({
    where: { userId, metric: metric.key },
    defaults: { total: 0, highest: 0 },
    transaction,
  })
  const before = isFirst ? 0 : total.highest
  total.total = round(total.total + value)
  total.highest = Math.max(before, total.total)
  if (Math.abs(total.total) > 1e15) throw new HttpError(422, 'total_out_of_range', 'The total would be out of range.')
  await total.save({ transaction })

  const event = await MetricEvent.create(
    { userId, metric: metric.key, value, attributes, localDate: today, idempotencyKey },
    { transaction },
  )
  const extended = await extendStreak(database, user, metric, today, transaction)
  await user.save({ transaction })

  const occasion = { user, event, metric, total: total.total, before, after: total.highest, extended, isNewUser, now }
  const completed = await completeAchievements(database, occasion, transaction)
  const points = await awardPoints(database, { ...occasion, completed }, transaction)

  const body = {
    metricId: metric.id,
    eventId: event.id,
    total: total.total,
    achievements: completed.map((achievement) => toAchievement(achievement, now)),
    currentStreak: toCurrentStreak(user, today, extended),
    points,
    leaderboards: {},
  }
  return { status: 201, body: idempotencyKey === null ? body : { ...body, idempotentReplayed: false, idempotencyKey } }
}

async function replay({ User, MetricTotal }, event, metric, now, transaction) {
  const user = await User.findByPk(event.userId, { transaction })
  const total = await MetricTotal.findOne({ where: { userId: user.id, metric: metric.key }, transaction })
  return {
    metricId: metric.id,
    eventId: event.id,
    total: total.total,
    achievements: [],
    currentStreak: toCurrentStreak(user, localDate(user.tz, now), false),
    points: {},
    leaderboards: {},
    idempotentReplayed: true,
    idempotencyKey: event.idempotencyKey,
  }
}
