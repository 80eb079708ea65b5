import type { Storage } from '../../../storage.ts'
import type { BlockGroup, Drift } from '../../../storage-audit.ts'

const PAGE = 500

/** Blocks whose beginnings or counts are not those of the entries. */
export async function auditBlocks(
  storage: Storage,
  isMending: boolean,
  signal: AbortSignal | undefined,
): Promise<readonly Drift[]> {
  const drift: Drift[] = []
  for await (const group of groupsOf(storage)) {
    signal?.throwIfAborted()
    const found = await storage.auditBlocks(group)
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
