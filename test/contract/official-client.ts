import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { adminApi, applicationApi } from '../../src/http/index.ts'
import { toOpenApi } from '../../src/http/openapi.ts'

/* Reads the contract that an official client was generated from, and finds the parts that laurels lacks. */

export interface ClientContract {
  /** Such as `GET /users/{}`: parameters have no names. */
  readonly routes: readonly string[]
  /** Such as `User.tz`. */
  readonly fields: readonly string[]
  /** Such as `AchievementResponseTrigger.api`. */
  readonly values: readonly string[]
}

function filesIn(folder: string, end: string): readonly (readonly [name: string, text: string])[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith(end))
    .map((path) => [path.split('/').at(-1)?.slice(0, -end.length) ?? '', readFileSync(join(folder, path), 'utf8')])
}

/** Reads the installed folder of `@trophyso/node`. Throws if it is not written as expected. */
export function readClient(folder: string): ClientContract {
  // The interfaces there have the names of the wire.
  const types = filesIn(join(folder, 'serialization'), '.d.ts')
  const read = {
    routes: filesIn(join(folder, 'api'), 'Client.js').flatMap(([, text]) => routesIn(text)),
    fields: types.flatMap(([, text]) => fieldsIn(text)),
    values: filesIn(join(folder, 'api'), '.d.ts').flatMap(([, text]) => valuesIn(text)),
  }
  for (const [what, found] of Object.entries(read)) {
    if (found.length < 20)
      throw new Error(`Only ${found.length} ${what} were found in ${folder}: its form has changed.`)
  }
  return { routes: sorted(read.routes), fields: sorted(read.fields), values: sorted(read.values) }
}

const sorted = (names: readonly string[]): readonly string[] => [...new Set(names)].sort()

function routesIn(text: string): readonly string[] {
  const calls = text.matchAll(/environments\.\w+\.Production\)\s*\.?\w*,\s*[`"']([^`"']+)[`"']\),\s*method: "(\w+)"/g)
  return Array.from(
    calls,
    ([, path = '', method]) => `${method} /${path.replace(/^\//, '').replace(/\$\{[^}]*\}/g, '{}')}`,
  )
}

function fieldsIn(text: string): readonly string[] {
  return Array.from(text.matchAll(/namespace (\w+) \{\s*interface Raw[^{]*\{([\s\S]*?)\n {4}\}/g)).flatMap(
    ([, name, body = '']) => Array.from(body.matchAll(/^ {8}"?(\w+)"?\??: /gm), ([, field]) => `${name}.${field}`),
  )
}

function valuesIn(text: string): readonly string[] {
  return Array.from(text.matchAll(/export declare type (\w+) = ((?:"[^"]*"(?: \| )?)+);/g)).flatMap(
    ([, name, union = '']) => Array.from(union.matchAll(/"([^"]*)"/g), ([, value]) => `${name}.${value}`),
  )
}

/** The parts of a client's contract that laurels' own documents lack. */
export function missingIn({ routes, fields, values }: ClientContract): ClientContract {
  const documents = [applicationApi, adminApi].map((api) => toOpenApi(api))
  const messages = readFileSync('src/shapes/messages.ts', 'utf8')
  const fieldsOfMessages = Array.from(messages.matchAll(/(\w+)\??: /g), ([, name]) => name)
  const text = JSON.stringify([documents, fieldsOfMessages])
  const served = new Set(
    [applicationApi, adminApi].flatMap((api) =>
      api.routes.map(({ method, path }) => `${method} ${path.replace(/\{\w+\}/g, '{}')}`),
    ),
  )
  const names = new Set(Array.from(text.matchAll(/"(?:name":")?(\w+)"/g), ([, name]) => name))
  const last = (name: string): string => name.slice(name.indexOf('.') + 1)
  return {
    routes: routes.filter((route) => !served.has(route)),
    fields: fields.filter((field) => !names.has(last(field))),
    values: values.filter((value) => !names.has(last(value))),
  }
}
