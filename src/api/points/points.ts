import { gameFor, gamesFor } from '../../answers/achievements.ts'
import { toLevel, toPointsChanges, toPointsSystem, toSystem, toUserPoints } from '../../answers/points.ts'
import { toFigures } from '../../answers/wallets.ts'
import { GamificationError } from '../../errors.ts'
import { adjustmentId, isSameAdjustment } from '../../game/ids.ts'
import { levelCounterKey } from '../../record/accept/derived-rows.ts'
import { readAwardedOf } from '../../record/replay/log-range.ts'
import { stateAfter, submit } from '../../record/write-modes.ts'
import { type Game, type Games, matches, type PointsSystem } from '../../rules/game.ts'
import { quoteName } from '../../rules/names.ts'
import { levelFor } from '../../rules/points.ts'
import { settled } from '../../rules/settle.ts'
import type { Call, Context, CurrentGame, WriteCall } from '../../runtime/context.ts'
import type { Parsed } from '../../runtime/input.ts'
import { readPages } from '../../runtime/pages.ts'
import type { EventSummaryItem } from '../../shapes/events.ts'
import type * as Types from '../../shapes/points.ts'
import { loadCounters } from '../../sql/queries.ts'
import { loadPointsTotals, type UserPointsTotal } from '../../sql/user-lists.ts'
import type { Steps } from '../../storage/steps.ts'
import { readBefore, toSummary } from '../events/read-metrics.ts'
import { type EventSummary, readIdempotencyKey } from '../events/requests.ts'
import { knownSystem, readUserAttributes } from '../named-parts.ts'
import { readUser } from '../users/read-user.ts'
import type { PointsAdjustment, PointsSummaryRequest, UserPointsRequest } from './requests.ts'

export async function readUserPoints(
  call: Call,
  user: string,
  key: string,
  { awards: limit }: Required<UserPointsRequest>,
): Promise<Types.UserPoints> {
  const { game, games, state, storedUser, at } = await readUser(call, user, { awards: { system: key, limit } })
  const shown = gamesFor(call, { game, games }, state)
  return toUserPoints(shown, knownSystem(game, key), settled(game, state, at), storedUser.awards, at)
}

export async function findSystem(
  context: Context,
  key: string,
): Promise<CurrentGame & { readonly system: PointsSystem }> {
  const current = await context.games.current(context.storage)
  return { ...current, system: knownSystem(current.game, key) }
}

export async function readPointsSystem(context: Context, key: string): Promise<Types.PointsSystemResponse> {
  const { game, system } = await findSystem(context, key)
  return toPointsSystem(gameFor(context, game, null), system)
}

export async function listLevels(context: Context, key: string): Promise<readonly Types.PointsLevel[]> {
  const { system } = await findSystem(context, key)
  return system.levels.map(toLevel)
}

export async function summarizeAwards(
  call: Call,
  user: string,
  key: string,
  summary: EventSummary,
): Promise<readonly EventSummaryItem[]> {
  const read = await readUser(call, user)
  knownSystem(read.game, key)
  const { before, logRange } = await readBefore(call, read, summary)
  const values = await readAwardedOf(call.storage, read.key, key, logRange)
  // Points are whole numbers, and never more than can be counted.
  const plus = (total: number | undefined, awarded: number): number => (total ?? 0) + awarded
  return toSummary(summary, read.game.weekStartsOn, { total: before?.points.get(key)?.total, values, plus })
}

const CHUNK = 1_000

const RANGES = 10

export async function summarizePoints(
  call: Call,
  key: string,
  { userAttributes }: Parsed<PointsSummaryRequest>,
): Promise<readonly Types.PointsRange[]> {
  const { game, system } = await findSystem(call, key)
  const filters = userAttributes === undefined ? [] : [...readUserAttributes(game, userAttributes)]
  const totals: number[] = []
  let size = 1
  for await (const { total, attributes } of readTotals(call, system)) {
    if (!matches(filters, attributes)) continue
    totals.push(total)
    while (total > size * RANGES) size *= RANGES
  }
  const bounds = Array.from({ length: RANGES }, (_, range) => ({ from: range * size + 1, to: (range + 1) * size }))
  return [{ from: 0, to: 0 }, ...bounds].map(({ from, to }) => {
    return { from, to, users: totals.filter((total) => total >= from && total <= to).length }
  })
}

export async function summarizeLevels(call: Call, key: string): Promise<readonly Types.PointsLevelSummaryItem[]> {
  const { games, system } = await findSystem(call, key)
  if (system.levels.length === 0) {
    const message = `The points system ${quoteName(system.key)} has no levels: add some to the game.`
    throw new GamificationError('invalid_request', message, { issues: [{ path: 'key', message }] })
  }
  const counts = haveSameLevels(games, system) ? await readCounted(call, system) : await countLevels(call, system)
  return system.levels.map((level) => ({ level: toLevel(level), users: counts.get(level.key) ?? 0 }))
}

/** True if all games have the same levels of the system, so that the counters are right for inactive users too. */
function haveSameLevels(games: Games, system: PointsSystem): boolean {
  const levelsOf = (game: Game): string =>
    JSON.stringify(game.points.get(system.key)?.levels.map(({ key, points }) => [key, points]))
  return new Set([...games.values()].map(levelsOf)).size === 1
}

async function readCounted(
  { storage, tenant }: Call,
  { key: system, levels }: PointsSystem,
): Promise<ReadonlyMap<string, number>> {
  const counters = await loadCounters(storage, tenant)
  const byKey = new Map(counters.filter(({ kind }) => kind === 'level').map(({ key, count }) => [key, count]))
  const counts = new Map(levels.map(({ key }) => [key, byKey.get(levelCounterKey(system, key)) ?? 0]))
  const [lowest, ...higher] = levels
  if (lowest?.points === 0) {
    // A level from 0 points on is held from the start, without being counted.
    const users = counters.find(({ kind }) => kind === 'users')?.count ?? 0
    counts.set(
      lowest.key,
      higher.reduce((rest, { key }) => rest - (counts.get(key) ?? 0), users),
    )
  }
  return counts
}

async function countLevels(call: Call, system: PointsSystem): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>()
  for await (const { total } of readTotals(call, system)) {
    const level = levelFor(system, total)
    if (level !== null) counts.set(level.key, (counts.get(level.key) ?? 0) + 1)
  }
  return counts
}

function readTotals({ storage, tenant }: Call, { key }: PointsSystem): AsyncGenerator<UserPointsTotal> {
  return readPages(
    CHUNK,
    (after: { readonly after?: string }) => loadPointsTotals(storage, tenant, key, { limit: CHUNK, ...after }),
    ({ user }) => user,
  )
}

export function* adjustUserPoints(
  call: WriteCall,
  system: string,
  { userId: user, points: amount, reason, from, idempotencyKey: sent }: Parsed<PointsAdjustment>,
): Steps<Types.AdjustPointsResponse> {
  const { tenant } = call
  const idempotencyKey = readIdempotencyKey(sent)
  const keyed = idempotencyKey === null ? {} : { idempotencyKey }
  const earned = from === undefined ? {} : { fromEarned: true as const }
  const body = { kind: 'pointsAdjusted', system, amount, reason, ...earned, ...keyed } as const
  const derived =
    idempotencyKey === null
      ? {}
      : { entryId: adjustmentId({ tenant, user }, idempotencyKey, system, amount, reason, from) }
  const outcome = yield* submit(call, { user, body, ...derived })
  const isNew = outcome.type === 'recorded'
  if (derived.entryId !== undefined && !isSameAdjustment(derived.entryId, outcome.entryId)) {
    const message = `The idempotency key ${JSON.stringify(idempotencyKey)} was used for another adjustment of the user, and nothing was saved: send a new key.`
    throw new GamificationError('idempotency_key_reused', message)
  }
  const rule = knownSystem(outcome.game, system)
  const after = stateAfter(outcome)
  const total = after.points.get(system)?.total ?? 0
  const changed = isNew ? toPointsChanges(outcome.games, outcome.game, outcome)[system] : undefined
  return {
    adjustmentId: outcome.entryId ?? '',
    userId: outcome.user,
    points: changed ?? { ...toSystem(rule), total, ...toFigures(rule, after), added: 0, awards: [] },
    ...(idempotencyKey === null ? {} : { idempotentReplayed: !isNew, idempotencyKey }),
  }
}
