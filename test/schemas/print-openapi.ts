// Prints the three OpenAPI documents, to compare them before and after a change.

import { adminApi, applicationApi, userApi } from '../../src/http/apis.ts'
import { toOpenApi } from '../../src/http/openapi.ts'

for (const api of [applicationApi, adminApi, userApi]) console.log(JSON.stringify(toOpenApi(api), null, 1))
