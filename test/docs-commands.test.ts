import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { CliCommand } from '../adapters/cli/command.ts'
import { toExits, toOptionRows } from '../adapters/cli/command.ts'
import { COMMANDS } from '../adapters/cli/run.ts'
import { root } from './support/pages.ts'

const PAGE = join(root, 'docs/command-options.md')

const INTRODUCTION = `# Commands and options

This page lists every command of \`npx laurels\`. It is generated from the table that the command itself reads its options from.
[The command line](command-line.md) explains what the commands are for.

\`npx laurels <command> --help\` explains the options of a command. \`--json\` prints the result for programs. \`--db\` and \`--schema\`
name the database. Exit codes are 0 if the command is done and 2 if the call is wrong or the storage failed. The table adds what a
command means by a code.
`

/** All commands that work on a database have these, and the introduction names them. */
const COMMON: readonly string[] = ['--db <file|url>', '--schema <name>', '--json']

const toCode = (text: string): string => `\`${text}\``

function toSection({ name, summary, members = {}, argument, options, exits }: CliCommand): string {
  const labels = toOptionRows(options).map(([label]) => label)
  const own = labels.filter((label) => !COMMON.includes(label)).map(toCode)
  const codes = exits === undefined ? '' : `. ${toExits(exits)}`
  const rows = Object.entries(members).map(([member, { takes, summary: what }]) => {
    return `| ${toCode([name, member, takes ?? ''].join(' ').trim())} | ${what} | |`
  })
  const call = toCode(argument === undefined ? name : `${name} ${argument.name}`)
  return [`| **${call}** | **${summary}**${codes} | ${own.join(' ')} |`, ...rows].join('\n')
}

test('docs/command-options.md is the table of commands; UPDATE_DOCS=1 writes it', () => {
  const sections = COMMANDS.map(toSection)
  const page = `${INTRODUCTION}\n| Command | What it does | Options |\n|---|---|---|\n${sections.join('\n')}\n`
  if (process.env.UPDATE_DOCS === '1') writeFileSync(PAGE, page)
  expect(readFileSync(PAGE, 'utf8')).toBe(page)
})
