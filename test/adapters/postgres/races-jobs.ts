/** The jobs of the children, and their reports. */
export type Job =
  | (Common & { readonly job: 'keys'; readonly callers: number; readonly users: number; readonly keys: number })
  | (Common & { readonly job: 'events'; readonly callers: number; readonly events: number; readonly index: number })
  | (Common & { readonly job: 'migrate' })
  | (Common & { readonly job: 'suite'; readonly zone?: string; readonly lanes: number; readonly parsers: boolean })

interface Common {
  readonly url: string
  readonly schema: string
  /** The number of the gate if all stand before they begin. */
  readonly gate: number
}

export interface KeysReport {
  /** Numbers of the keys that were new to this process. */
  readonly fresh: readonly number[]
  /** The id of the event of each key, as all answers of this process agreed. */
  readonly entries: readonly string[]
  readonly errors: readonly string[]
}

/** Every caller uses every key once: half of them in the same order, the others in one of their own. */
const KEYS = `async (args) => {
  const engine = openEngine(args)
  await engine.migrate()
  await engine.streaks.list([])
  const fresh = []
  const errors = []
  const entries = []
  const BLOCK = 8
  async function use(key) {
    const user = { id: 'user-' + (key % args.users) }
    try {
      const answer = await engine.metrics.event('words', { user, value: 1, idempotencyKey: 'key-' + key })
      if (answer.idempotentReplayed === false) fresh.push(key)
      entries[key] ??= answer.eventId
      if (entries[key] !== answer.eventId) errors.push('key ' + key + ' has two events')
    } catch (error) {
      errors.push(error.code + ': ' + error.message)
    }
  }
  async function call(caller) {
    for (let n = 0; n < args.keys; n += 1) {
      const first = n - (n % BLOCK)
      const own = first + ((n - first + caller * 3) % Math.min(BLOCK, args.keys - first))
      await use(caller % 2 === 0 ? n : own)
    }
  }
  await passGate(args.gate)
  await Promise.all(times(args.callers, call))
  await engine.close()
  return { fresh, entries, errors }
}`

export interface EventsReport {
  /** The events that were answered as new: user, metric and value. */
  readonly fresh: readonly (readonly [string, string, number])[]
  readonly replayed: number
  /** The handlers' events, as `user achievement`. */
  readonly completed: readonly string[]
  /** `completionId achievedAt` of each racer's claim. */
  readonly claims: { readonly [user: string]: string }
  readonly errors: readonly string[]
}

/**
 * Two processes have the same plan and take every other event of it; one in twenty is sent by both. The clock continues
 * by three weeks, in each process by itself.
 */
const EVENTS = `async (args) => {
  const engine = openEngine(args)
  await engine.migrate()
  await engine.streaks.list([])
  const fresh = []
  const errors = []
  const completed = []
  const claims = {}
  let replayed = 0
  engine.on('achievement.completed', ({ user, achievement }) => completed.push(user.id + ' ' + achievement.key))
  const START = now
  const DAY = 86_400_000
  /** The same numbers for the same event in every process. */
  function random(n, what) {
    let state = Math.imul(n + 1, 0x9e3779b1) ^ Math.imul(what + 1, 0x85ebca6b)
    state = Math.imul(state ^ (state >>> 15), 1 | state)
    state ^= state + Math.imul(state ^ (state >>> 7), 61 | state)
    return ((state ^ (state >>> 14)) >>> 0) / 4_294_967_296
  }
  const ZONES = ['UTC', 'Asia/Tokyo', 'America/St_Johns', 'Pacific/Kiritimati']
  async function send(user, metric, value, more = {}) {
    const answer = await engine.metrics.event(metric, { user, value, ...more })
    if (answer.idempotentReplayed === true) replayed += 1
    else fresh.push([user.id, metric, value])
  }
  async function claim(user) {
    const answer = await engine.achievements.complete('joined', { user })
    const told = answer.completionId + ' ' + answer.achievement.achievedAt
    claims[user.id] ??= told
    if (claims[user.id] !== told) errors.push(user.id + ' joined twice')
  }
  function toUser(n) {
    if (random(n, 1) < 0.1) return { id: 'hot' }
    // New ones come up to the end, to both processes at about the same time.
    const number = Math.floor(random(n, 2) ** 2 * (5 + n / 12))
    return { id: 'user-' + number, ...(random(n, 3) < 0.2 ? { tz: ZONES[number % 4] } : {}) }
  }
  async function take(n) {
    now = START + Math.floor((n / args.events) * 21 * DAY)
    const user = toUser(n)
    const isHint = random(n, 4) < 0.05
    const more = { idempotencyKey: 'event-' + n }
    if (random(n, 5) < 0.3) more.attributes = { source: 'mobile' }
    if (random(n, 6) < 0.01) more.occurredAt = new Date(START - Math.floor(random(n, 7) * 5 * DAY) - n)
    const calls = [send(user, isHint ? 'laps' : 'words', isHint ? 1 : 1 + Math.floor(random(n, 8) * 25), more)]
    if (n % 20 === 0) {
      // The achievement that completes half of the composite, one for each process; both claim the other half.
      const racer = { id: 'racer-' + n }
      calls.push(claim(racer), claim(racer))
    }
    if (n % 20 === 1) {
      const racer = { id: 'racer-' + (n - 1) }
      calls.push(send(racer, 'words', 100, { idempotencyKey: 'race' }), claim(racer))
    }
    await Promise.all(calls)
  }
  let next = 0
  async function call() {
    while (next < args.events) {
      const n = next
      next += 1
      const isShared = n % 20 < 2 ? false : random(n, 9) < 0.056
      if (n % 2 !== args.index && !isShared) continue
      await take(n).catch((error) => errors.push(error.code + ': ' + error.message + ' ' + error.cause))
    }
  }
  await passGate(args.gate)
  await Promise.all(times(args.callers, call))
  await engine.close()
  now = START
  return { fresh, replayed, completed, claims, errors }
}`

/** Names of the migrations that a process applied, or the code and the message of an error. */
export type MigrateReport = readonly string[] | string

const MIGRATE = `async (args) => {
  const storage = open(args)
  await passGate(args.gate)
  const outcome = await storage.migrate().then(({ applied }) => applied, (error) => error.code + ': ' + error.message)
  await storage.close()
  return outcome
}`

/** How a child did in the suite that every storage passes. */
export interface SuiteReport {
  readonly passed: number
  readonly failed: readonly string[]
  /** A Date of July, in minutes: it shows that the zone has an effect. */
  readonly offset: number
}

/** Every case on a schema that is emptied before it, several at once; with parsers of the host on request. */
const SUITE = `async (args) => {
  const { storageSuite } = await import('./src/testing/storage-suite.js')
  if (args.zone !== undefined) process.env.TZ = args.zone
  if (args.parsers) {
    const { builtins } = pg.types
    const changed = ['BOOL', 'INT8', 'INT2', 'INT4', 'FLOAT4', 'FLOAT8', 'NUMERIC', 'JSON', 'JSONB', 'TIMESTAMPTZ', 'DATE']
    for (const name of changed) pg.types.setTypeParser(builtins[name], (text) => ({ parsedByTheHost: text }))
  }
  // A connection that the host opened: a connection for each case would cost more than the case.
  const pool = new pg.Pool({ connectionString: args.url, max: args.lanes * 4 })
  const deletionOf = async (schema) => {
    const text =
      "select string_agg(format('delete from %I.%I', schemaname, tablename), ';') as text from pg_tables " +
      "where schemaname = $1 and tablename <> 'migrations'"
    return (await pool.query(text, [schema])).rows[0].text
  }
  let next = 0
  let passed = 0
  const failed = []
  async function lane(number) {
    const schema = args.schema + '_' + number
    while (next < storageSuite.length) {
      const { name, run } = storageSuite[next]
      next += 1
      const storage = postgres(pool, { schema })
      try {
        await storage.migrate()
        await pool.query(await deletionOf(schema))
        await run(storage)
        passed += 1
      } catch (error) {
        failed.push(name + ': ' + error.message + ' ' + (error.cause ?? ''))
      } finally {
        await storage.close()
      }
    }
  }
  await passGate(args.gate)
  await Promise.all(times(args.lanes, lane))
  await pool.end()
  return { passed, failed, offset: new Date('2026-07-01T00:00:00Z').getTimezoneOffset() }
}`

/** An object of all jobs by name. */
export const JOBS: string = `{ keys: ${KEYS}, events: ${EVENTS}, migrate: ${MIGRATE}, suite: ${SUITE} }`
