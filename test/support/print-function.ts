// npm run function -- save_v12: the text for a migration of Postgres.

import { sourcesOfFunctions } from './function-texts.ts'

const [name = ''] = process.argv.slice(2)
const sources = sourcesOfFunctions()
process.stdout.write(`${sources.get(name) ?? `One of: ${[...sources.keys()].join(', ')}`}\n`)
