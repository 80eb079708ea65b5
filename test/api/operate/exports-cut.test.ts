import { expect, test } from 'vitest'
import { codeOf, type Engine, onEachStorage } from '../../support/engine.ts'

const game = {
  metrics: { words: { name: 'Words', limits: [{ value: 100, per: { days: 1 }, then: 'hold' }] } },
  achievements: { novelist: { name: 'Novelist', trigger: 'metric', metric: 'words', value: 50 } },
  leaderboards: { words: { name: 'Words', rankBy: 'metric', metric: 'words', start: '2026-01-01' } },
} as const

async function linesOf(engine: Engine): Promise<string[]> {
  const lines: string[] = []
  for await (const line of engine.tenants.export('')) lines.push(line)
  return lines
}

onEachStorage('An export', (open) => {
  const write = (engine: Engine, id: string, value: number, idempotencyKey?: string) =>
    engine.metrics.event('words', { user: { id }, value, ...(idempotencyKey === undefined ? {} : { idempotencyKey }) })

  test('cut at any line is refused, and importing it whole afterwards gives everything', async () => {
    const engine = await open(game)
    for (const id of ['ann', 'bob', 'guest']) await write(engine, id, 60)
    await write(engine, 'bob', 70)
    await engine.users.suspend('bob')
    await engine.users.merge({ from: 'guest', into: 'ann' })
    const lines = await linesOf(engine)
    const copy = await open(game)
    const codes: string[] = []
    for (let length = 1; length < lines.length; length += 1)
      codes.push(await codeOf(copy.import(lines.slice(0, length))))
    expect(codes).toEqual(codes.map(() => 'invalid_request'))
    await copy.import(lines)
    expect(await linesOf(copy)).toEqual(lines)
    expect((await copy.verify()).drift).toEqual([])
  })

  async function exportWhile(engine: Engine, from: string, into: string): Promise<string[]> {
    for (const id of ['ann', 'bob', 'zoe']) await write(engine, id, 30)
    const lines: string[] = []
    for await (const line of engine.tenants.export('')) {
      lines.push(line)
      if (line.includes('"of":"user","id":"bob"')) await engine.users.merge({ from, into })
    }
    return lines
  }

  test('with users who were merged while it ran is imported but for the one whose lines came twice, who is told', async () => {
    const engine = await open(game)
    const lines = await exportWhile(engine, 'ann', 'zoe')
    const copy = await open(game)
    const report = await copy.import(lines)
    expect(report).toMatchObject({ recorded: 2, refused: 1, refusals: [{ code: 'user_exists' }] })
    expect((await copy.verify()).drift).toEqual([])
  })

  // Skipped, because it is a known gap: the export has passed the target's lines when it meets the merged user, and no
  // line says what is missing.
  test.skip('with somebody who was merged into a user whose lines had gone by says so, or has the lines', async () => {
    const engine = await open(game)
    const lines = await exportWhile(engine, 'zoe', 'ann')
    const copy = await open(game)
    const { refused } = await copy.import(lines)
    if (refused === 0) expect((await copy.users.singleMetric('zoe', 'words')).current).toBe(60)
  })

  test.each(['void', 'approve'] as const)(
    'holds back an event that was held when it began, in spite of a later %s',
    async (call) => {
      const event = { user: 'ann', metric: 'words', idempotencyKey: 'k' } as const
      const engine = await open(game)
      await write(engine, 'ann', 60)
      await write(engine, 'ann', 50, 'k')
      const lines: string[] = []
      for await (const line of engine.users.export('ann')) {
        lines.push(line)
        if (JSON.parse(line).laurels === 'user') await engine.events[call](event)
      }
      const copy = await open(game)
      await copy.import(lines)
      expect((await copy.users.singleMetric('ann', 'words')).current).toBe(60)
      if (call === 'approve') expect((await copy.events.approve(event)).total).toBe(110)
      expect((await copy.verify()).drift).toEqual([])
    },
  )
})
