import { expect } from 'vitest'
import { type Counts, type Query, readCounts } from '../adapters/postgres/leaderboards-counts.ts'
import { expectRanksOfEntries } from '../adapters/postgres/leaderboards-ranks.ts'
import type { World } from './postgres-world.ts'

interface Boards {
  /** Expects blocks to count their entries, and all ranks to match a plain sort. */
  check(): Promise<Counts>
  /** Only the first. */
  counts(): Promise<Counts>
  query: Query
  /** Has batches add up what hosts' transactions have left. */
  addUp(): Promise<void>
}

/** How the leaderboards of a world stand. */
export function boardsOf({ pool, schema, storage, engine }: World): Boards {
  const query: Query = async (text) => (await pool.query(text)).rows as never
  const counts = async (): Promise<Counts> => {
    const found = await readCounts(query, schema)
    expect(found.faults).toEqual([])
    return found
  }
  return {
    query,
    counts,
    check: async () => {
      const found = await counts()
      const asked = (user: string): boolean => /[37]$/.test(user)
      await expectRanksOfEntries(storage, query, schema, { limits: { top: 3 }, asked })
      return found
    },
    addUp: async () => {
      for (;;) {
        const groups = await query<{ country: string | null }>(
          `select distinct case when leaderboard = 'country' then group_key::jsonb->0->>1 end as country
            from "${schema}".leaderboard_pending`,
        )
        if (groups.length === 0) break
        for (const { country } of groups) {
          const attributes = country === null ? {} : { attributes: { country } }
          await engine.metrics.event('words', { user: { id: 'who adds up', ...attributes }, value: 10 })
        }
      }
      // A country of its own takes the user out of the other groups.
      await engine.users.identify('who adds up', { attributes: { country: 'of their own' } })
    },
  }
}
