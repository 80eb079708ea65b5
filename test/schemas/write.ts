import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { schemasModules } from './generate.ts'

const folder = fileURLToPath(new URL('../..', import.meta.url))
const { schemas, names } = schemasModules(folder)
writeFileSync(`${folder}/src/http/schemas.ts`, schemas)
writeFileSync(`${folder}/src/shapes/schema-names.ts`, names)
