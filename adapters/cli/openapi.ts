import { writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { adminApi, applicationApi, toOpenApi } from '../../src/http/index.ts'
import { type CliCommand, defineCommand } from './command.ts'
import { flag, text } from './options.ts'
import { wrongCall } from './text.ts'

export const openapi: CliCommand = defineCommand({
  name: 'openapi',
  usage: ['[--admin] [--out <file>]'],
  about: `Writes the description of the HTTP API as OpenAPI 3.1, in JSON. A running server has the same at /v1/openapi.json and /admin/v1/openapi.json.`,
  options: {
    admin: flag('of the admin API: keys, batches, voids, streaks'),
    out: text('<file>', 'write it there, and not to standard output'),
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
