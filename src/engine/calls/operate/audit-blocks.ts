import type { Storage } from '../../../storage.ts'
import type { BlockGroup, Drift, DriftRow, MissingPosition } from '../../../storage-audit.ts'

const PAGE = 500

/**
 * Blocks that do not stand for the entries there are. `rows` are those that are known to be wrong: blocks are to stand for
 * what ought to be there.
 */
export async function auditBlocks(
  storage: Storage,
  rows: readonly Drift[],
  isMending: boolean,
  signal: AbortSignal | undefined,
): Promise<readonly Drift[]> {
  const missing = missingIn(rows)
  const drift: Drift[] = []
  for await (const group of groupsOf(storage)) {
    signal?.throwIfAborted()
    const found = await storage.auditBlocks(group, missing.get(toText(group)) ?? [])
    drift.push(...found)
    if (isMending && found.length > 0) await storage.repairBlocks(group)
  }
  return drift
}

async function* groupsOf(storage: Storage): AsyncIterable<BlockGroup> {
  let after: BlockGroup | undefined
  for (;;) {
    const groups = await storage.listBlockGroups({ limit: PAGE, ...(after === undefined ? {} : { after }) })
    yield* groups
    after = groups.at(-1)
    if (groups.length < PAGE || after === undefined) return
  }
}

function toText({ tenant, leaderboard, run, group }: BlockGroup): string {
  return JSON.stringify([tenant, leaderboard, run, group])
}

/** Places that are not there and ought to be (1), and those that are there and ought not to be (-1), by group. */
function missingIn(rows: readonly Drift[]): ReadonlyMap<string, readonly MissingPosition[]> {
  const missing = new Map<string, MissingPosition[]>()
  for (const { table, stored, expected } of rows) {
    if (table !== 'leaderboard_entries') continue
    for (const [row, by] of [
      [stored, -1],
      [expected, 1],
    ] as const) {
      // Those that stop counting are not counted in blocks.
      if (row === null || row.until !== null) continue
      const id = toText(groupOf(row))
      const position = {
        minusValue: Number(row.minus_value),
        reachedAt: Number(row.reached_at),
        user: String(row.user_id),
        by,
      }
      missing.set(id, [...(missing.get(id) ?? []), position])
    }
  }
  return missing
}

function groupOf(row: DriftRow): BlockGroup {
  const [tenant, leaderboard, run, group] = ['tenant_id', 'leaderboard', 'run', 'group_key'].map((name) =>
    String(row[name]),
  )
  return { tenant: tenant ?? '', leaderboard: leaderboard ?? '', run: run ?? '', group: group ?? '' }
}
