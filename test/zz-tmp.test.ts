import { createGamification, defineGame } from 'laurels'
import { memory } from 'laurels/memory'
import { postgres } from 'laurels/postgres'
import { expect, test } from 'vitest'
import { useSchemas, databaseUrl } from './support/postgres.ts'
const nextSchema = useSchemas()
const game = defineGame({
  metrics: { words: { name: 'Words' } },
  userAttributes: ['country'],
  points: { xp: { name: 'XP', triggers: [{ type: 'metric', metric: 'words', threshold: 10, points: 1 }] } },
  streak: { frequency: 'daily', metrics: { words: { threshold: 1 } } },
  leaderboards: {
    words: { name: 'Words', rankBy: 'metric', metric: 'words', start: '2026-01-01', maxParticipants: 5 },
    weekly: { name: 'Week', rankBy: 'points', system: 'xp', start: '2026-01-05', run: { unit: 'day', interval: 7 }, maxParticipants: null },
    all: { name: 'All', rankBy: 'metric', metric: 'words', start: '2026-01-01', maxParticipants: null },
    country: { name: 'Country', rankBy: 'metric', metric: 'words', start: '2026-01-01', breakdown: ['country'], maxParticipants: null },
    streaks: { name: 'Streaks', rankBy: 'streak', start: '2026-01-01', maxParticipants: 7 },
  },
})
test('same as memory', async () => {
  let now = Date.parse('2026-01-06T12:00:00Z')
  let seed = Number(process.env['SEED'] ?? 42)
  const rnd = (n: number) => { seed = (seed * 1103515245 + 12345) % 2147483648; return Math.floor((seed / 2147483648) * n) }
  const schema = nextSchema()
  const pg = postgres(databaseUrl(), { schema })
  const a = createGamification({ game, storage: memory(), clock: () => new Date(now) })
  const b = createGamification({ game, storage: pg, clock: () => new Date(now) })
  await a.migrate(); await b.migrate()
  const N = Number(process.env['N'] ?? 60)
  const client = new (await import('pg')).default.Client({ connectionString: databaseUrl() })
  await client.connect()
  await client.query(`set search_path to "${schema}"`)
  const check = async (where: string, last = false) => {
    for (const level of [1, 2]) {
      const { rows } = await client.query(`
      with b as (select *, lead(minus_value, 1, 1e308) over w as nv, lead(reached_at, 1, 0) over w as na, lead(user_id, 1, '') over w as nu from leaderboard_blocks where level = ${level}
        window w as (partition by tenant_id, leaderboard, run, group_key order by minus_value, reached_at, user_id))
      select b.leaderboard, b.group_key, b.count, (select count(*) from leaderboard_entries e where e.tenant_id = b.tenant_id and e.leaderboard = b.leaderboard and e.run = b.run and e.group_key = b.group_key and (e.minus_value, e.reached_at, e.user_id) >= (b.minus_value, b.reached_at, b.user_id) and (e.minus_value, e.reached_at, e.user_id) < (nv, na, nu)) as real from b order by 1,2`)
      const wrong = rows.filter((r: any) => r.count !== r.real)
      if (wrong.length > 0 || last) console.log(where, level, rows.length, 'wrong', JSON.stringify(wrong), JSON.stringify(rows.map((r: any) => Number(r.count))))
      expect(wrong).toEqual([])
    }
  }
  for (let round = 0; round < Number(process.env['R'] ?? 60); round++) {
    const calls = Array.from({ length: 1 + rnd(40) }, () => ({ user: { id: `u${rnd(N)}`, ...(rnd(4) === 0 ? { attributes: { country: ['DE', 'FR', 'x'][rnd(3)]! } } : {}) }, value: rnd(9) - 2, ...(rnd(15) === 0 ? { occurredAt: new Date(now - rnd(9) * 3600000) } : {}) }))
    const run = (g: typeof a) => Promise.all(calls.map((c) => g.metrics.event('words', c).then((r) => JSON.stringify([r.total, Object.values(r.leaderboards).map((l) => [l.key, l.previousRank, l.rank, l.threshold])]), (e) => String(e))))
    const [x, y] = [await run(a), await run(b)]
    await check(`round ${round}`)
    for (let i = 0; i < x.length; i++) if (!calls.some((c) => 'occurredAt' in c)) expect(y[i], `${round} ${i}`).toBe(x[i])
    now += rnd(10) * 3600000
  }
  await check('end', true)
  await client.end()
  await b.close()
}, 300000)
