import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { clientRoutesModule } from './client-routes.ts'
import { compileSources, schemasModules } from './generate.ts'
import { requestTextsModule } from './request-texts.ts'

const folder = fileURLToPath(new URL('../..', import.meta.url))
const program = compileSources(folder)
const { schemas, names } = schemasModules(program)
writeFileSync(`${folder}/src/http/schemas.ts`, schemas)
writeFileSync(`${folder}/src/shapes/schema-names.ts`, names)
writeFileSync(`${folder}/src/http/request-texts.ts`, requestTextsModule(program))
writeFileSync(`${folder}/adapters/client/routes.ts`, clientRoutesModule())
