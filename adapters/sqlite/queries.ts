import { allQueries, type Queries } from '../sql/queries.ts'
import { sqliteTraits } from './traits.ts'

export const queries: Queries = allQueries(sqliteTraits)
