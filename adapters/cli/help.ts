import type { Output } from './database.ts'

/** One line for each command, in the order of the help. This file imports no code: `laurels --help` loads only it. */
export const SUMMARIES = {
  init: 'write a starter game, server and test',
  demo: 'fill an empty database with example users',
  import: 'import events and completions from a file',
  migrate: 'update the database schema',
  info: 'print what the database contains',
  doctor: 'check the setup and suggest fixes',
  console: 'open the console in a browser',
  explain: 'explain an achievement, an event or a streak',
  verify: 'compare derived rows with the logs',
  rebuild: 'repair the rows that verify finds',
  'what-if': 'preview what another game would change',
  apply: 'put another game in force',
  void: 'undo events',
  held: 'list events that limits hold back',
  approve: 'let a held event count',
  users: 'list, export, delete, merge, suspend and restore users',
  tenants: 'list, export and delete tenants',
  export: 'export all data as lines of JSON',
  keys: 'create, list, rotate and revoke API keys',
  webhooks: 'create, list, change and replay webhooks',
  subscriptions: 'list subscriptions and their dead letters',
  work: 'publish due messages and send webhooks',
  openapi: 'write the OpenAPI document',
} as const

export type CommandName = keyof typeof SUMMARIES

export function isCommand(name: string): name is CommandName {
  return Object.hasOwn(SUMMARIES, name)
}

/** Prints the list of commands if the arguments ask for it or name no command. Returns the exit code, or `null`. */
export function printCommands([name, command]: readonly string[], { out, err }: Output): 0 | 2 | null {
  if (name === undefined) {
    err(listCommands())
    return 2
  }
  if (!['--help', '-h', 'help'].includes(name) || command !== undefined) return null
  out(listCommands())
  return 0
}

function listCommands(): string {
  const rows = Object.entries(SUMMARIES)
  const width = Math.max(...rows.map(([name]) => name.length)) + 2
  return `Usage: laurels <command> [options]

${rows.map(([name, summary]) => `  ${name.padEnd(width)}${summary}`).join('\n')}

  laurels <command> --help  how to use a command
  laurels --version         print the version
`
}
