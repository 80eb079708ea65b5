import { writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { adminApi, applicationApi, toOpenApi } from '../../src/http/index.ts'
import type { CounterKind } from '../../src/storage/rows.ts'
import type { Contents } from '../sqlite/migrate.ts'
import { readVersion } from '../version.ts'
import { type CliCommand, defineCommand } from './command.ts'
import { type DatabaseFindings, inspectExisting } from './database.ts'
import { DATABASE, flagOption, textOption } from './options.ts'
import { toCount, toLocalText, toText, wrongCall } from './text.ts'

export const info: CliCommand = defineCommand({
  name: 'info',
  summary: 'print what the database contains',
  usage: ['[--db <file|url>] [--json]'],
  about: `Prints what the database holds: its migrations, its games, and how many users, log entries and completed achievements there are. Changes nothing.`,
  options: { ...DATABASE, json: flagOption('print it as JSON') },
  run: async ({ database }) => {
    const value = toInfo(readVersion(), await inspectExisting(database()))
    return { value, text: toInfoText(value) }
  },
})

const NOTHING: Contents = { games: [], users: 0, logEntries: 0, counters: [], applicationKeys: 0 }

function toInfo(version: string, { name, applied, pending, contents }: DatabaseFindings) {
  const { games, users, logEntries, counters } = contents ?? NOTHING
  const ofKind = (kind: CounterKind) => counters.filter((counter) => counter.kind === kind && counter.count > 0)
  const completions = ofKind('completions')
  return {
    version,
    database: name,
    migrations: { applied, pending },
    games: games.map(({ epoch, fingerprint, policy, createdAt }) => {
      return { epoch, fingerprint, policy, createdAt: new Date(createdAt).toISOString() }
    }),
    users,
    logEntries,
    completions: {
      total: completions.reduce((total, { count }) => total + count, 0),
      achievements: completions.map(({ key, count }) => ({ achievement: key, users: count })),
    },
    levels: ofKind('level').map(({ key, count }) => {
      // The counter of a level has `[system, level]` as JSON text for its key.
      const [system, level] = JSON.parse(key) as [system: string, level: string]
      return { system, level, users: count }
    }),
  }
}

function toInfoText(info: ReturnType<typeof toInfo>): string {
  const { migrations, games, completions, levels } = info
  return toText([
    `laurels ${info.version}`,
    `database: ${info.database}`,
    `migrations: ${migrations.applied.join(', ') || 'none'}`,
    ...(migrations.pending.length === 0 ? [] : [`to apply with laurels migrate: ${migrations.pending.join(', ')}`]),
    games.length === 0 ? 'games: none' : 'games:',
    ...games.map(({ epoch, policy, createdAt, fingerprint }) => {
      return `  epoch ${epoch}, ${policy}, since ${toLocalText(createdAt)}, ${fingerprint}`
    }),
    `users: ${toCount(info.users)}`,
    `log entries: ${toCount(info.logEntries)}`,
    `achievements completed: ${toCount(completions.total)}`,
    ...completions.achievements.map(({ achievement, users }) => `  ${achievement}: ${toCount(users)}`),
    levels.length === 0 ? 'users on a level: 0' : 'users on a level:',
    ...levels.map(({ system, level, users }) => `  ${system}, ${level}: ${toCount(users)}`),
  ])
}

export const openapi: CliCommand = defineCommand({
  name: 'openapi',
  summary: 'write the OpenAPI document',
  usage: ['[--admin] [--out <file>]'],
  about: `Writes the description of the HTTP API as OpenAPI 3.1, in JSON. A running server has the same at /v1/openapi.json and /admin/v1/openapi.json.`,
  options: {
    admin: flagOption('the document of the admin API: keys, batches, voids, streaks'),
    out: textOption('<file>', 'write to this file instead of standard output'),
  },
  run: async ({ values: { admin, out } }) => {
    const value = toOpenApi(admin ? adminApi : applicationApi)
    const json = `${JSON.stringify(value, null, 2)}\n`
    if (out === undefined) return { value, text: json }
    if (out === '') throw wrongCall('--out must not be empty: give the path of a file')
    const file = resolve(out)
    await writeFile(file, json)
    return { value, text: `wrote ${file}\n` }
  },
})
