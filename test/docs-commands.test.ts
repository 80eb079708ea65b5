import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { CliCommand } from '../adapters/cli/command.ts'
import { toOptionRows } from '../adapters/cli/command.ts'
import { COMMANDS } from '../adapters/cli/run.ts'
import { root } from './support/pages.ts'

const PAGE = join(root, 'docs/command-line.md')

const HEADING = '\n## All commands\n'

const INTRODUCTION = `
Commands that use a database also have \`--db\` and \`--schema\`, and those that print a result have \`--json\`.

| Command | What it does | Arguments and options |
|---|---|---|
`

/** All commands that work on a database have these, and the introduction names them. */
const COMMON: readonly string[] = ['--db <file|url>', '--schema <name>', '--json']

function toRow({ name, summary, members = {}, argument, second, options }: CliCommand): string {
  const all = [
    ...Object.entries(members).map(([member, { takes }]) => (takes === undefined ? member : `${member} ${takes}`)),
    ...[argument, second].flatMap((each) => (each === undefined ? [] : [each.name])),
    ...toOptionRows(options).map(([label]) => label),
  ]
  const own = all.filter((label) => !COMMON.includes(label))
  return `| \`${name}\` | ${summary} | ${own.map((label) => `\`${label}\``).join(', ')} |\n`
}

test('docs/command-line.md ends with the table of commands; UPDATE_DOCS=1 writes it', () => {
  const text = readFileSync(PAGE, 'utf8')
  const [before = ''] = text.split(HEADING)
  const page = `${before}${HEADING}${INTRODUCTION}${COMMANDS.map(toRow).join('')}`
  if (process.env.UPDATE_DOCS === '1') writeFileSync(PAGE, page)
  expect(readFileSync(PAGE, 'utf8')).toBe(page)
})
