// Puts the texts of the .sql files of this folder into `texts.js` of a compiled package: node embed.mjs <its folder>

import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const compiled = join(process.argv[2], 'adapters/postgres/functions/texts.js')
const names = [...readFileSync(compiled, 'utf8').matchAll(/read\('(\w+)'\)/g)].map(([, name]) => name)
const texts = names.map((name) => [name, readFileSync(new URL(`${name}.sql`, import.meta.url), 'utf8')])
writeFileSync(compiled, `export const TEXTS = ${JSON.stringify(Object.fromEntries(texts), null, 2)}\n`)
