import { DataTypes, Sequelize } from 'sequelize'

const { BOOLEAN, DATE, DATEONLY, DOUBLE, INTEGER, STRING, UUID, UUIDV4 } = DataTypes

/**
 * Sequelize opens a connection for each transaction, `synchronous` is a setting of the connection, and there is no hook
 * between the two: so the driver sets it.
 */
async function driverWith(synchronous) {
  // Postgres does without it.
  const { default: sqlite3 } = await import('sqlite3')
  class Database extends sqlite3.Database {
    constructor(...args) {
      super(...args)
      this.run(`PRAGMA synchronous = ${synchronous}`)
    }
  }
  return { ...sqlite3, Database }
}

const MOST_CONNECTIONS = 32
const logging = process.env.SQL ? (text) => console.error(text) : false

/** Opens the database, a file or the URL of a Postgres, and makes the tables that are not there yet. */
export async function openDatabase(place, synchronous) {
  const sequelize = place.startsWith('postgres') ? openPostgres(place) : await openSqlite(place, synchronous)
  const models = defineModels(sequelize)
  await sequelize.sync()
  return { sequelize, ...models }
}

async function openSqlite(file, synchronous) {
  const sequelize = new Sequelize({
    dialect: 'sqlite',
    storage: file,
    logging,
    // FULL is what every connection has.
    ...(synchronous === 'FULL' ? {} : { dialectModule: await driverWith(synchronous) }),
  })
  await sequelize.query('PRAGMA journal_mode = WAL')
  return sequelize
}

function openPostgres(url) {
  // Whoever waits for a connection waits as long as it takes, and none is closed between two rounds.
  const pool = { max: MOST_CONNECTIONS, acquire: 60_000, idle: 600_000 }
  return new Sequelize(url, { dialect: 'postgres', logging, pool })
}

const plain = { timestamps: false }

function defineModels(sequelize) {
  const ApiKey = sequelize.define(
    'ApiKey',
    {
      id: { type: UUID, defaultValue: UUIDV4, primaryKey: true },
      prefix: { type: STRING, allowNull: false, unique: true },
      hash: { type: STRING, allowNull: false },
      /** null: an admin key. */
      userId: STRING,
      isRevoked: { type: BOOLEAN, allowNull: false, defaultValue: false },
    },
    { updatedAt: false },
  )
  const User = sequelize.define('User', {
    id: { type: STRING, primaryKey: true },
    email: STRING,
    name: STRING,
    tz: STRING,
    subscribedToEmails: BOOLEAN,
    attributes: { type: DataTypes.JSON, allowNull: false, defaultValue: {} },
    streakLength: { type: INTEGER, allowNull: false, defaultValue: 0 },
    streakStarted: DATEONLY,
    streakLast: DATEONLY,
    longestStreak: { type: INTEGER, allowNull: false, defaultValue: 0 },
  })
  const MetricEvent = sequelize.define(
    'MetricEvent',
    {
      id: { type: UUID, defaultValue: UUIDV4, primaryKey: true },
      userId: { type: STRING, allowNull: false },
      metric: { type: STRING, allowNull: false },
      value: { type: DOUBLE, allowNull: false },
      attributes: { type: DataTypes.JSON, allowNull: false, defaultValue: {} },
      localDate: { type: DATEONLY, allowNull: false },
      idempotencyKey: STRING,
    },
    {
      updatedAt: false,
      indexes: [
        { fields: ['userId', 'metric', 'localDate'] },
        { fields: ['userId', 'metric', 'idempotencyKey'], unique: true },
      ],
    },
  )
  const MetricTotal = sequelize.define(
    'MetricTotal',
    {
      userId: { type: STRING, primaryKey: true },
      metric: { type: STRING, primaryKey: true },
      total: { type: DOUBLE, allowNull: false },
      highest: { type: DOUBLE, allowNull: false },
    },
    plain,
  )
  const StreakDay = sequelize.define(
    'StreakDay',
    {
      userId: { type: STRING, primaryKey: true },
      date: { type: DATEONLY, primaryKey: true },
      length: { type: INTEGER, allowNull: false },
    },
    plain,
  )
  const Completion = sequelize.define(
    'Completion',
    {
      userId: { type: STRING, primaryKey: true },
      achievement: { type: STRING, primaryKey: true },
      achievedAt: { type: DATE, allowNull: false },
      eventId: { type: UUID, allowNull: false },
    },
    plain,
  )
  const PointsBalance = sequelize.define(
    'PointsBalance',
    {
      userId: { type: STRING, primaryKey: true },
      system: { type: STRING, primaryKey: true },
      total: { type: INTEGER, allowNull: false },
      level: STRING,
    },
    plain,
  )
  const PointsAward = sequelize.define(
    'PointsAward',
    {
      id: { type: UUID, defaultValue: UUIDV4, primaryKey: true },
      userId: { type: STRING, allowNull: false },
      system: { type: STRING, allowNull: false },
      triggerId: { type: UUID, allowNull: false },
      eventId: { type: UUID, allowNull: false },
      awarded: { type: INTEGER, allowNull: false },
      total: { type: INTEGER, allowNull: false },
      date: { type: DATE, allowNull: false },
    },
    { ...plain, indexes: [{ fields: ['userId', 'system', 'date'] }] },
  )
  return { ApiKey, User, MetricEvent, MetricTotal, StreakDay, Completion, PointsBalance, PointsAward }
}
