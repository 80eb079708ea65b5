import { writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { adminApi, applicationApi, toOpenApi } from '../../src/http/index.ts'
import { type CliCommand, EXIT } from './command.ts'
import { readOptions } from './options.ts'
import { wrongCall } from './text.ts'

const help = `Usage: laurels openapi [--admin] [--out <file>]

Writes the description of the HTTP API as OpenAPI 3.1, in JSON. A running server
has the same at /v1/openapi.json and /admin/v1/openapi.json.

  --admin       of the admin API: keys, batches, voids, streaks
  --out <file>  write it there, and not to standard output
  -h, --help    print this
`

const OPTIONS = {
  admin: { type: 'boolean' },
  out: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
} as const

export const openapiCommand: CliCommand = {
  name: 'openapi',
  help,
  run: async (args, { output }) => {
    const { values } = readOptions(args, OPTIONS, 0)
    if (values.help === true) {
      output.out(help)
      return EXIT.ok
    }
    const text = `${JSON.stringify(toOpenApi(values.admin === true ? adminApi : applicationApi), null, 2)}\n`
    output.out(values.out === undefined ? text : await write(values.out, text))
    return EXIT.ok
  },
}

async function write(path: string, text: string): Promise<string> {
  if (path === '') throw wrongCall('--out must not be empty: give the path of a file')
  const file = resolve(path)
  await writeFile(file, text)
  return `wrote ${file}\n`
}
