/**
 * A process with 32 callers over the game of `leaderboards-game.ts`. Both processes have the same plan and take every
 * other event of it. Each answer is looked at: all its ranks are of one moment, before and after this event alone.
 */
export const WRITE = `
  const engine = open(postgres(args.url, { schema: args.schema }))
  await engine.streaks.list([])
  const START = Date.parse(args.now)
  const DAY = 86_400_000
  const wrong = []
  const errors = []
  let slowest = 0
  /** The same numbers for the same event in every process. */
  function random(n, what) {
    let state = Math.imul(n + 1, 0x9e3779b1) ^ Math.imul(what + 1, 0x85ebca6b)
    state = Math.imul(state ^ (state >>> 15), 1 | state)
    state ^= state + Math.imul(state ^ (state >>> 7), 61 | state)
    return ((state ^ (state >>> 14)) >>> 0) / 4_294_967_296
  }
  function planOf(n) {
    // New users come up to the end; a hundred events in a row have one instant, so many tie.
    const number = Math.floor(random(n, 1) ** 1.5 * (10 + n / args.eventsOfUser))
    const id = random(n, 2) < 0.08 ? 'hot' : ['user-', 'User-', 'Ü-', '😀'][number % 4] + number
    const at = START + Math.floor(((n - (n % 100)) / args.events) * 20 * DAY)
    const user = { id, ...(random(n, 3) < 0.15 ? { attributes: { country: 'c' + Math.floor(random(n, 4) * 3) } } : {}) }
    const metric = random(n, 5) < 0.06 ? 'hints' : 'words'
    const sign = random(n, 6) < 0.25 ? -1 : 1
    const value = metric === 'hints' ? 1 : (sign * (1 + Math.floor(random(n, 7) * 6))) / (random(n, 8) < 0.1 ? 8 : 1)
    const late = random(n, 9) < 0.01 ? { occurredAt: new Date(at - Math.floor(random(n, 10) * 5 * DAY)) } : {}
    return { at, metric, request: { user, value, ...late } }
  }
  function look(n, request, { total, leaderboards }) {
    const say = (what) => wrong.push(n + ' ' + JSON.stringify(request) + ' ' + what + ' ' + JSON.stringify(leaderboards))
    const { all, top, weekly, xp } = leaderboards
    for (const board of [all, weekly, xp]) {
      if (board === undefined) continue
      if (board.threshold !== 0) say('has a threshold without a limit')
      if (!(board.rank >= 1) || board.rank > args.events) say('has no rank')
    }
    const isUp = request.value > 0
    // Nobody else moves between the two ranks.
    const isRight = ({ rank, previousRank }, none) =>
      previousRank === null && none === null ? true : isUp ? (rank ?? none) <= (previousRank ?? none) : (rank ?? none) >= (previousRank ?? none)
    if (all && !isRight(all, null)) say('moved the wrong way')
    if (top && !isRight(top, top.previousRank === null && !isUp ? null : Infinity)) say('moved the wrong way')
    if (weekly && request.user.attributes === undefined && !isRight(weekly, null)) say('moved the wrong way')
    if (top && top.rank !== null && top.rank > args.top) say('ranks beyond the limit')
    if (top && top.rank === args.top && top.threshold !== total) say('is the last and not the threshold')
    if (top && top.rank !== null && top.threshold !== 0 && total < top.threshold) say('ranks below the threshold')
    if (top && top.rank === null && top.threshold !== 0 && total > top.threshold) say('does not rank above the threshold')
    if (all && top && top.rank !== null && top.rank !== all.rank) say('has two ranks')
    if (all && top && top.previousRank !== null && top.previousRank !== all.previousRank) say('had two ranks')
  }
  let next = args.index
  async function call() {
    while (next < args.events) {
      const n = next
      next += 2
      const { at, metric, request } = planOf(n)
      args.now = at
      const began = performance.now()
      try {
        const answer = await engine.metrics.event(metric, request)
        if (metric === 'words') look(n, request, answer)
      } catch (error) {
        errors.push(error.code + ': ' + error.message + ' ' + error.cause)
      }
      slowest = Math.max(slowest, performance.now() - began)
    }
  }
  say('ready')
  await told()
  await Promise.all(Array.from({ length: 32 }, call))
  await engine.close()
  say(JSON.stringify({ wrong, errors, slowest: Math.round(slowest) }))
`

export interface WriteReport {
  /** Answers that cannot be. */
  readonly wrong: readonly string[]
  readonly errors: readonly string[]
  /** In milliseconds. */
  readonly slowest: number
}
