// npm run function -- save_v14: the text for a migration of Postgres.

import { sourcesOfFunctions } from './function-texts.ts'

const [name = ''] = process.argv.slice(2)
const sources = sourcesOfFunctions()
process.stdout.write(`${sources.get(name) ?? `One of: ${[...sources.keys()].join(', ')}`}\n`)
