import type { LeaderboardBlocksTable } from '../../sql/tables.ts'
import { quote } from '../quote.ts'
import type { Runner } from '../runner.ts'

/** A block that has become too large or too small. */
export type CrowdedBlock = Omit<LeaderboardBlocksTable, 'level' | 'count'>

/** Splits and merges blocks, beside the batches, whose callers do not wait for it. */
export interface BlockTidier {
  tidy(blocks: readonly CrowdedBlock[]): void
  drained(): Promise<void>
}

export function createBlockTidier(runner: Runner, schema: string): BlockTidier {
  const text = `select ${quote(schema)}.tidy_blocks($1, $2, $3, $4, $5::text::jsonb)::text as value`
  const waiting = new Map<string, CrowdedBlock>()
  let running: Promise<void> | null = null

  async function run(): Promise<void> {
    while (waiting.size > 0) {
      const blocks = [...waiting.values()]
      waiting.clear()
      const groups = new Map<string, Pick<CrowdedBlock, 'minus_value' | 'reached_at' | 'user_id'>[]>()
      for (const { tenant_id, leaderboard, run: id, group_key, ...position } of blocks) {
        const group = JSON.stringify([tenant_id, leaderboard, id, group_key])
        groups.set(group, [...(groups.get(group) ?? []), position])
      }
      for (const [group, positions] of groups) {
        // Where this fails, the block stays as it is, and the next batch that counts in it reports it again.
        await runner.value(text, [...JSON.parse(group), JSON.stringify(positions)]).catch(() => undefined)
      }
    }
    running = null
  }

  return {
    tidy: (blocks) => {
      for (const block of blocks) waiting.set(JSON.stringify(Object.values(block)), block)
      if (waiting.size > 0) running ??= run()
    },
    drained: () => running ?? Promise.resolve(),
  }
}
