// Puts the texts of the .sql files of this folder into `texts.js` of a compiled package: node embed.mjs <its folder>

import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const compiled = join(process.argv[2] ?? 'dist', 'adapters/postgres/functions/texts.js')
const code = readFileSync(compiled, 'utf8').replaceAll(/read\('(\w+)'\)/g, (_, name) =>
  JSON.stringify(readFileSync(new URL(`${name}.sql`, import.meta.url), 'utf8')),
)
writeFileSync(compiled, code)
