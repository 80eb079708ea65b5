// @heavy: It takes more than three seconds.

import { expect, test } from 'vitest'
import { closeViewsAfterAll, VIEWS_DATABASES, type ViewsDatabase } from '../support/views.ts'

// The rows that a view reads for one user, with 100,000 lines in the logs of 100 users.

closeViewsAfterAll()

const LINES = 100_000
const NUMBERS = `with recursive n (n) as (select 1 union all select n + 1 from n where n < ${LINES})`

async function fill({ storage, ask }: ViewsDatabase, name: string): Promise<void> {
  await storage.migrate()
  const bytes = name === 'SQLite' ? "unhex(printf('%08x', n))" : 'int4send(n)'
  await ask(
    `${NUMBERS} insert into {log} (tenant_id, user_id, at, seq, entry_id, kind, epoch, recorded_at, zone, local_date,
      local_time, profile, metric, value, idempotency_key, data, voided_by)
      select '', 'user-' || (n % 100), n, n, ${bytes}, 1, 1, n, 'UTC', 20454 + n / 1000,
      43200000, null, 'words', 1, null, null, null from n`,
  )
  await ask(
    `${NUMBERS} insert into {awards} (tenant_id, user_id, system, at, seq, ordinal, award_id, trigger_id, entry_id, awarded, total)
      select '', 'user-' || (n % 100), 'xp', n, n, 0, ${bytes}, ${bytes}, ${bytes}, 1, 1 from n`,
  )
  for (const table of ['{log}', '{awards}']) await ask(`analyze ${table}`)
}

const RANGE = `where tenant_id = '' and user_id = 'user-7' and date between '2026-02-01' and '2026-02-10' order by date`
/** How a plan says that an index leads to the rows of one user, and that a whole table is read. */
const BY_USER: { readonly [database: string]: RegExp } = {
  SQLite: /^SEARCH (laurels_log|a) USING PRIMARY KEY \(tenant_id=\? AND user_id=\?/m,
  Postgres: /Index Cond: \(\(tenant_id = ''::text\S*.*\) AND \(user_id = 'user-7'::text.*\)/,
}
/** All but the table of games, which is short. */
const WHOLE_TABLE = /Seq Scan on (?!games)|SCAN (?!laurels_games)(laurels_\w+s|laurels_log|a|l)$/m

test.each(VIEWS_DATABASES)(
  'A view of %s reads the lines of the one user that is asked for, by an index',
  async (name, open) => {
    const database = open()
    try {
      await fill(database, name)
      for (const view of ['view_metric_totals', 'view_points_totals']) {
        const text = `select date, change, total from {${view}} ${RANGE}`
        const plan = await database.plan(text)
        expect(plan).toMatch(BY_USER[name] ?? /never/)
        expect(plan.replaceAll(`laurels_${view}`, '')).not.toMatch(WHOLE_TABLE)
        const rows = await database.ask(text)
        expect(rows).toHaveLength(10)
        expect(rows[0]).toEqual({ date: '2026-02-01', change: 10, total: 320 })
      }
    } finally {
      await database.storage.close()
      await database.close()
    }
  },
  120_000,
)
