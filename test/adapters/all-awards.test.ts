import { describe, expect, test } from 'vitest'
import { type AwardReads, readAwardsInPages } from '../../adapters/sql/all-awards.ts'
import type { UserView } from '../../src/storage.ts'
import type { Award } from '../../src/storage-rows.ts'
import { award, NOON } from '../../src/testing/storage/samples.ts'

/** Awards of two systems, `count` of each, as their table orders them. */
const awardsOf = (count: number): readonly Award[] =>
  ['gems', 'xp'].flatMap((system) =>
    Array.from({ length: count }, (_, index) =>
      award(`${system}-${index}`, { system, at: NOON + index, seq: index + 1, ordinal: system === 'xp' ? 1 : 0 }),
    ),
  )

const viewOf = (version: number, awards: readonly Award[] = []): UserView => ({
  ...{ state: null, version, epoch: 1, awards, periods: [], leaderboards: [], found: [], told: null },
})

/** A user whose awards are these; `onPage` is called before each page is read. */
function userWith(awards: readonly Award[], onPage: (user: { version: number }) => void = () => undefined) {
  const user = { version: 7, pages: 0 }
  const place = ({ system, at, seq, ordinal }: Pick<Award, 'system' | 'at' | 'seq' | 'ordinal'>): string =>
    `${system} ${String(at + 10 ** 14).padStart(20, '0')} ${String(seq).padStart(6, '0')} ${ordinal}`
  const reads: AwardReads = {
    view: async () => viewOf(user.version),
    page: async (after, limit) => {
      onPage(user)
      user.pages += 1
      const from = after.system === '' ? '' : place(after)
      return awards.filter((each) => place(each) > from).slice(0, limit)
    },
    whole: async () => viewOf(user.version, [award('whole')]),
  }
  return { reads, user }
}

describe('Many awards', () => {
  test.each([0, 1, 499, 500, 501, 1_250])(
    'of two systems, %i of each, are read whole, the newest first',
    async (count) => {
      const { reads, user } = userWith(awardsOf(count))
      const { awards, version } = await readAwardsInPages(reads)
      const newest = Array.from({ length: count }, (_, index) => [`xp-${index}`, `gems-${index}`]).reverse()
      expect(awards.map(({ id }) => id)).toEqual(newest.flat())
      expect(version).toBe(7)
      expect(user.pages).toBe(Math.floor((2 * count) / 1_000) + 1)
    },
  )

  test('are read again where somebody has written to the user meanwhile', async () => {
    let isWritten = false
    const { reads, user } = userWith(awardsOf(600), (each) => {
      if (!isWritten) each.version += 1
      isWritten = true
    })
    const { awards, version } = await readAwardsInPages(reads)
    expect([awards.length, version, user.pages]).toEqual([1_200, 8, 4])
  })

  test('are read at once where somebody writes to the user all the time', async () => {
    const { reads } = userWith(awardsOf(600), (each) => {
      each.version += 1
    })
    expect((await readAwardsInPages(reads)).awards.map(({ id }) => id)).toEqual(['whole'])
  })

  test('are read in turns with others', async () => {
    let turns = 0
    let isOver = false
    const turn = (): void => {
      turns += 1
      if (!isOver) setImmediate(turn)
    }
    setImmediate(turn)
    await readAwardsInPages(userWith(awardsOf(2_500)).reads)
    isOver = true
    expect(turns).toBeGreaterThanOrEqual(6)
  })
})
