// Puts the texts of Postgres' functions into `texts.js` of compiled sources: node embed-sql.mjs <their folder>

import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const compiled = join(process.argv[2], 'adapters/postgres/functions/texts.js')
const names = [...readFileSync(compiled, 'utf8').matchAll(/read\('(\w+)'\)/g)].map(([, name]) => name)
const texts = names.map((name) =>
  readFileSync(new URL(`../../adapters/postgres/functions/${name}.sql`, import.meta.url), 'utf8'),
)
writeFileSync(compiled, `export const TEXTS = ${JSON.stringify(texts, null, 2)}\n`)
