import { expect } from 'vitest'
import type { BlockGroup, Drift } from '../../src/storage/audit.ts'
import type { Storage } from '../../src/storage/storage.ts'
import { enter, KEY, RUN, row } from '../../src/testing/storage/leaderboard-cases.ts'
import { NOON } from '../../src/testing/storage/samples.ts'

export const GROUP: BlockGroup = { tenant: '', leaderboard: 'weekly', run: RUN, group: '' }
const COLUMNS = { tenant_id: '', leaderboard: 'weekly', run: RUN, group_key: '' }
const PARTICIPANTS = 700

/** Participants by their numbers; the lower number ranks first. */
export async function fill(storage: Storage): Promise<void> {
  for (let from = 0; from < PARTICIPANTS; from += 100) {
    const users = Array.from({ length: 100 }, (_, index) => from + index)
    const entered = users.map((user) => [`user-${user}`, { put: [row(-user)], unlimited: ['weekly'] }] as const)
    await enter(storage, Object.fromEntries(entered))
  }
}

/** Ways to break the blocks of a group, each in SQL, with `blocks` for the table. */
export const BREAKS: readonly { readonly name: string; readonly text: string }[] = [
  { name: 'a count', text: 'update blocks set count = count + 3 where minus_value > 200' },
  { name: 'no first block', text: 'delete from blocks where minus_value < 0' },
  { name: 'no block in the middle', text: 'delete from blocks where minus_value > 200' },
  { name: 'a first block elsewhere', text: 'update blocks set reached_at = 0 where minus_value < 0' },
  {
    name: 'other positions',
    text: `update blocks set minus_value = minus_value - 20.5, user_id = 'nobody' where minus_value > 0`,
  },
  { name: 'nothing right', text: 'update blocks set count = -count, reached_at = reached_at + 2' },
  {
    name: 'an invented block',
    text: `insert into blocks (tenant_id, leaderboard, run, group_key, minus_value, reached_at, user_id, count)
      values ('', 'weekly', '${RUN}', '', 77.5, 0, '', 9)`,
  },
]

/** A user's place, read often enough to fill every cache of the blocks. */
export async function expectRanks(storage: Storage): Promise<void> {
  for (let round = 0; round < 40; round += 1) {
    const user = round * 17
    const asked = { ...KEY, limit: null, at: NOON, margin: 1, positions: [{ value: -user, reachedAt: NOON }] }
    const [standing] = await storage.ranks({ tenant: '', user: `user-${user}` }, [asked])
    expect(standing?.before).toEqual([user])
  }
}

/** Each drift as `position: count -> counted`, or what is there and ought not to be, or the other way round. */
export function describeBlocks(drift: readonly Drift[]): readonly string[] {
  return drift.map(({ table, key, stored, expected }) => {
    expect(table).toBe('leaderboard_blocks')
    expect(key).toMatchObject(COLUMNS)
    return `${key.minus_value}: ${stored?.count ?? 'missing'} -> ${expected?.count ?? 'none'}`
  })
}
