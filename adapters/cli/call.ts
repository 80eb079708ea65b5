import type { z } from 'zod'
import { eachOperation, methodOf, type Operation, type Operations } from '../../src/api/operation.ts'
import { OPERATIONS } from '../../src/api/operations.ts'
import { instant } from '../../src/runtime/input.ts'
import { type CliCommand, defineCommand } from './command.ts'
import { flagOption, ONLY_DATABASE, TENANT } from './options.ts'
import { toJsonText, unknownWord, wrongCall } from './terminal.ts'

export const call: CliCommand = defineCommand({
  name: 'call',
  summary: 'make any call of the API, with its arguments as JSON',
  usage: ['[name] [arguments] [--db <file|url>] [options]'],
  about: `Makes one call of the API and prints its answer as JSON. Without a name it lists the calls. The arguments are a list in the order of the call:
  laurels call users.streak '["ada", { "historyPeriods": 3 }]' --db app.db
Instants are texts, as over HTTP. A call that writes asks nothing, and writes at once.`,
  argument: { name: '[name]', help: 'the name of the call, as in-process: users.get' },
  second: { name: '[arguments]', help: 'a list in JSON; default: []' },
  options: {
    ...ONLY_DATABASE,
    'dry-run': flagOption('answer what would change, and write nothing; not for every call'),
    tenant: TENANT,
  },
  run: async ({ argument: name, second, values, openTenant }) => {
    const operations = new Map(eachOperation(OPERATIONS as Operations))
    if (name === '') return { value: null, text: [...operations].map(toLineOf).join('') }
    const operation = operations.get(name)
    if (operation === undefined) throw wrongCall(unknownWord('call', name, [...operations.keys()]))
    const given = toArguments(operation, readList(second), name)
    const options = values['dry-run'] ? { dryRun: true } : undefined
    if (options !== undefined && operation.kind !== 'write') throw wrongCall(`${name} has no --dry-run: leave it out`)
    const value = await openTenant(({ api }) => methodOf(api, name)(...given, options))
    return { value, text: toJsonText(value) }
  },
})

function toLineOf([name, { takes, endpoint }]: readonly [string, Operation]): string {
  const names = takes.map(({ name: argument, absent }) => (absent === undefined ? argument : `${argument}?`))
  return `${`${name}(${names.join(', ')})`.padEnd(48)}  ${endpoint?.summary ?? ''}`.trimEnd().concat('\n')
}

function readList(text: string): readonly unknown[] {
  const example = `a list in JSON, such as '["ada", { "limit": 3 }]'`
  try {
    const list: unknown = JSON.parse(text === '' ? '[]' : text)
    if (Array.isArray(list)) return list
  } catch (cause) {
    throw wrongCall(`the arguments are not JSON (${cause instanceof Error ? cause.message : cause}): give ${example}`)
  }
  throw wrongCall(`the arguments must be ${example}`)
}

function toArguments({ takes }: Operation, given: readonly unknown[], name: string): readonly unknown[] {
  if (given.length > takes.length) {
    throw wrongCall(
      `${name} takes ${takes.map((each) => each.name).join(', ') || 'no arguments'}, not ${given.length} arguments`,
    )
  }
  return takes.map(({ schema }, place) => withDates(given[place], schema.safeParse(given[place]).error?.issues ?? []))
}

/** JSON has no dates: a text where the call takes a `Date` is read as an instant. */
function withDates(given: unknown, issues: readonly z.core.$ZodIssue[]): unknown {
  return issues.reduce<unknown>((value, issue) => {
    if (issue.code === 'invalid_union')
      return withDates(
        value,
        issue.errors.flat().map((each) => ({ ...each, path: [...issue.path, ...each.path] })),
      )
    return issue.code === 'invalid_type' && issue.expected === 'date' ? changeAt(value, issue.path) : value
  }, given)
}

function changeAt(value: unknown, [name, ...path]: readonly PropertyKey[]): unknown {
  if (name === undefined) return instant.safeParse(value).data ?? value
  const inside = changeAt(Reflect.get(Object(value), name), path)
  return Array.isArray(value) ? value.with(Number(name), inside) : { ...Object(value), [name]: inside }
}
