import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { schemasModule } from './generate.ts'

const folder = fileURLToPath(new URL('../..', import.meta.url))
writeFileSync(`${folder}/src/http/schemas.ts`, schemasModule(folder))
