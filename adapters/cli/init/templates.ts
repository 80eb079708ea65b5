import type { Choices } from './choices.ts'

/** How the files name each other, with the extension that Node demands. */
export type Reference = (name: string) => string

export const titleOf = (metric: string): string => metric.charAt(0).toUpperCase() + metric.slice(1).replaceAll('-', ' ')

const toKey = (name: string): string => (/^[a-z0-9]+$/.test(name) ? name : `'${name}'`)

export function gameFile({ metric }: Choices): string {
  const title = titleOf(metric)
  return `import { defineGame } from 'laurels'

export const game = defineGame({
  metrics: { ${toKey(metric)}: { name: '${title}' } },
  achievements: {
    'first-${metric}': { name: 'First ${title.toLowerCase()}', trigger: 'metric', metric: '${metric}', value: 1 },
    'week-in-a-row': { name: 'A week in a row', trigger: 'streak', length: 7 },
  },
  points: {
    xp: {
      name: 'XP',
      triggers: [{ type: 'metric', metric: '${metric}', threshold: 1, points: 10 }],
      levels: {
        beginner: { name: 'Beginner', points: 0 },
        regular: { name: 'Regular', points: 100 },
      },
    },
  },
  // Days in a row, in each user's own time zone.
  streak: { frequency: 'daily', metrics: { ${toKey(metric)}: {} } },
})
`
}

export function testFile({ metric }: Choices, refer: Reference): string {
  return `import { test } from 'node:test'
import { createScenario, event, repeat, wait } from 'laurels/testing'
import { game } from '${refer('game')}'

const start = createScenario(game, { now: '2026-03-01T09:00:00Z', user: { tz: 'Europe/London' } })

test('the first ${titleOf(metric).toLowerCase()} pay 10 XP', () => {
  start
    .when(event('${metric}', 1))
    .thenExpect({ achievements: ['first-${metric}'], added: { xp: 10 }, levels: { xp: 'beginner' }, streak: 1 })
})

test('seven days in a row are an achievement, and a day without any ends the streak', () => {
  start
    .given(repeat(6, event('${metric}', 1), wait({ days: 1 })))
    .when(event('${metric}', 1))
    .thenExpect({ streak: 7, achievements: ['week-in-a-row'] })
    .when(wait({ days: 2 }))
    .thenExpect({ streak: 0 })
})
`
}

const STORAGES: Readonly<Record<Choices['database'], { readonly head: string; readonly storage: string }>> = {
  sqlite: { head: '', storage: `sqlite('app.db')` },
  postgres: {
    head: `
const { DATABASE_URL } = process.env
if (!DATABASE_URL) throw new Error('Set DATABASE_URL, such as postgres://user:password@localhost:5432/app')
`,
    storage: 'postgres(DATABASE_URL)',
  },
}

export function gamificationFile({ database }: Choices, refer: Reference): string {
  const { head, storage } = STORAGES[database]
  return `import { createGamification } from 'laurels'
import { ${database} } from 'laurels/${database}'
import { game } from '${refer('game')}'
${head}
export const gamification = createGamification({ game, storage: ${storage}, logger: console })
// Makes the tables. Safe at every start, by any number of processes.
await gamification.migrate()
`
}

/** `next build` loads modules and runs pages and routes: the database must not be opened then. A change loads modules again. */
export function nextGamificationFile({ database, language }: Choices, refer: Reference): string {
  const { head, storage } = STORAGES[database]
  const kept =
    language === 'js' ? '' : ' as typeof globalThis & { gamification?: ReturnType<typeof start> | undefined }'
  const body = `${head.trim().replace(/^/gm, '  ')}
  const gamification = createGamification({ game, storage: ${storage}, logger: console })
  // Makes the tables. Safe at every start, by any number of processes.
  await gamification.migrate()
  return gamification`
  return `import { createGamification } from 'laurels'
import { ${database} } from 'laurels/${database}'
import { game } from '${refer('game')}'

async function start() {
${body.replace(/^\s*\n/, '')}
}

// One engine for the process: Next loads this module again after a change.
const kept = globalThis${kept}

export function getGamification() {
  // A build must not put a new game in force: the old servers still run.
  if (process.env.NEXT_PHASE === 'phase-production-build') {
    throw new Error('The database is not opened by a build: call await connection() of next/server before getGamification().')
  }
  kept.gamification ??= start().catch((error) => {
    kept.gamification = undefined
    throw error
  })
  return kept.gamification
}
`
}
