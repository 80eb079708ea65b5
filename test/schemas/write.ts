import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { clientRoutesModule } from './client-routes.ts'
import { schemasModules } from './generate.ts'

const folder = fileURLToPath(new URL('../..', import.meta.url))
const { schemas, names } = schemasModules(folder)
writeFileSync(`${folder}/src/http/schemas.ts`, schemas)
writeFileSync(`${folder}/src/shapes/schema-names.ts`, names)
writeFileSync(`${folder}/adapters/client/routes.ts`, clientRoutesModule())
