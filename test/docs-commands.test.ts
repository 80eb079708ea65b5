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

\`--help\` prints how to use a command, \`--json\` prints the result for programs. \`--db\` and \`--schema\` name the database.
`

/** All commands that work on a database have these, and the introduction names them. */
const COMMON: readonly string[] = ['--db <file|url>', '--schema <name>', '--json']

const escaped = (text: string): string => text.replaceAll('\n', ' ').replaceAll('|', '\\|').replaceAll('<', '&lt;')
const toRow = (name: string, meaning: string): string => `| \`${name.replaceAll('|', '\\|')}\` | ${escaped(meaning)} |`

function toSection({ name, summary, members = {}, argument, options, exits }: CliCommand): string {
  const rows = [
    ...Object.entries(members).map(([member, { takes, summary: what }]) => [`${member} ${takes ?? ''}`.trim(), what]),
    ...(argument === undefined ? [] : [[argument.name, argument.help]]),
    ...toOptionRows(options).filter(([label]) => !COMMON.includes(label)),
  ]
  const head = `| **\`${name}\`** | **${summary}**. ${toExits(exits)} |`
  return [head, ...rows.map(([label = '', meaning = '']) => toRow(label, meaning))].join('\n')
}

test('docs/command-options.md is the table of commands; UPDATE_DOCS=1 writes it', () => {
  const sections = COMMANDS.map(toSection)
  const page = `${INTRODUCTION}\n| Command, option | Meaning |\n|---|---|\n${sections.join('\n')}\n`
  if (process.env.UPDATE_DOCS === '1') writeFileSync(PAGE, page)
  expect(readFileSync(PAGE, 'utf8')).toBe(page)
})
