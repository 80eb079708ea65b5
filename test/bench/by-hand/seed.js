const CHUNK = 1_000

/** Users with one event of yesterday each: what test/bench/seed.ts does to the library's tables. */
export async function seed(database, users, at) {
  const { sequelize, User, MetricEvent, MetricTotal, StreakDay, PointsBalance } = database
  const date = at.toISOString().slice(0, 10)
  const streak = { streakLength: 1, streakStarted: date, streakLast: date, longestStreak: 1 }
  for (let first = 0; first < users; first += CHUNK) {
    const ids = Array.from({ length: Math.min(CHUNK, users - first) }, (_, index) => `user-${first + index}`)
    const put = (model, row, transaction) => model.bulkCreate(ids.map(row), { transaction })
    await sequelize.transaction(async (transaction) => {
      await put(User, (id) => ({ id, ...streak }), transaction)
      const event = { metric: 'words', value: 1, localDate: date, createdAt: at }
      await put(MetricEvent, (userId) => ({ userId, ...event }), transaction)
      await put(MetricTotal, (userId) => ({ userId, metric: 'words', total: 1, highest: 1 }), transaction)
      await put(StreakDay, (userId) => ({ userId, date, length: 1 }), transaction)
      await put(PointsBalance, (userId) => ({ userId, system: 'xp', total: 0, level: 'bronze' }), transaction)
    })
  }
}
