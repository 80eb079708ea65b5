import { GamificationError } from '../../../errors.ts'
import { parse } from '../../../requests/input.ts'
import { pointsSummaryRequest } from '../../../requests/reads.ts'
import { readUserAttributes } from '../../../requests/user-attributes.ts'
import { type Game, type Games, matches, type PointsSystem } from '../../../rules/game.ts'
import { levelFor } from '../../../rules/level.ts'
import { quoteName } from '../../../rules/names.ts'
import type { PointsTotal, PointsTotalsOptions, Storage } from '../../../storage.ts'
import { levelCounterKey } from '../../accept/counter-changes.ts'
import { toLevel } from '../../answers/points.ts'
import type { PointsLevelSummaryItem, PointsRange } from '../../answers/wire/points.ts'
import { readPages } from '../../replay/read-log.ts'
import type { Context } from '../../types.ts'
import { findSystem } from './read-points.ts'

const CHUNK = 1_000

const RANGES = 10

/**
 * How many users have how many points: none, then ten ranges of the same size, from 1 to the highest total rounded up
 * to a power of ten. It reads every user of the tenant, a thousand at a time, so that others go on meanwhile.
 */
export async function summarizePoints(
  context: Context,
  tenant: string,
  key: unknown,
  request: unknown = {},
): Promise<readonly PointsRange[]> {
  const { userAttributes } = parse(pointsSummaryRequest, request, 'request')
  const { game, system } = await findSystem(context, key)
  const filters = userAttributes === undefined ? [] : [...readUserAttributes(game, userAttributes)]
  let none = 0
  let size = 1
  let counts = noCounts()
  for await (const { total, attributes } of readTotals(context.storage, tenant, system)) {
    if (!matches(filters, attributes)) continue
    if (total === 0) {
      none += 1
      continue
    }
    while (total > size * RANGES) {
      // All that was counted until now lies in the first of the wider ranges.
      counts = [counts.reduce((sum, count) => sum + count, 0), ...noCounts().slice(1)]
      size *= RANGES
    }
    const range = Math.ceil(total / size) - 1
    counts[range] = (counts[range] ?? 0) + 1
  }
  const ranges = counts.map((users, range) => ({ from: range * size + 1, to: (range + 1) * size, users }))
  return [{ from: 0, to: 0, users: none }, ...ranges]
}

function noCounts(): number[] {
  return Array.from({ length: RANGES }, () => 0)
}

/** How many users are on each level, the lowest first. */
export async function summarizeLevels(
  context: Context,
  tenant: string,
  key: unknown,
): Promise<readonly PointsLevelSummaryItem[]> {
  const { games, system } = await findSystem(context, key)
  if (system.levels.length === 0) throw withoutLevels(system)
  const counts = haveSameLevels(games, system)
    ? await readCounted(context.storage, tenant, system)
    : await countLevels(context.storage, tenant, system)
  return system.levels.map((level) => ({ level: toLevel(level), users: counts.get(level.key) ?? 0 }))
}

function withoutLevels({ key }: PointsSystem): GamificationError {
  const message = `The points system ${quoteName(key)} has no levels: add some to the game.`
  return new GamificationError('invalid_request', message, { issues: [{ path: 'key', message }] })
}

/** Whether all games have the same levels of the system, so that the counters hold for users who did nothing since. */
function haveSameLevels(games: Games, system: PointsSystem): boolean {
  const levelsOf = (game: Game): string =>
    JSON.stringify(game.points.get(system.key)?.levels.map(({ key, points }) => [key, points]))
  return new Set([...games.values()].map(levelsOf)).size === 1
}

async function readCounted(
  storage: Storage,
  tenant: string,
  { key: system, levels }: PointsSystem,
): Promise<ReadonlyMap<string, number>> {
  const counters = await storage.counters(tenant)
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

async function countLevels(
  storage: Storage,
  tenant: string,
  system: PointsSystem,
): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>()
  for await (const { total } of readTotals(storage, tenant, system)) {
    const level = levelFor(system, total)
    if (level !== null) counts.set(level.key, (counts.get(level.key) ?? 0) + 1)
  }
  return counts
}

function readTotals(storage: Storage, tenant: string, { key }: PointsSystem): AsyncGenerator<PointsTotal> {
  return readPages(
    CHUNK,
    (after: Pick<PointsTotalsOptions, 'after'>) => storage.pointsTotals(tenant, key, { limit: CHUNK, ...after }),
    ({ user }) => user,
  )
}
