import { explainQuery, toExplainRequest } from '../../requests/explain.ts'
import { schemaOf } from '../json-schema.ts'
import { param, user } from '../parameters.ts'
import { ok, type Route, route } from '../route.ts'

export const explain: Route = route({
  operationId: 'users_explain',
  method: 'GET',
  path: '/users/{id}/explain',
  summary: 'Why a user has an achievement, what an event did, or what became of a streak on a date',
  tag: 'Users',
  params: user,
  query: {
    achievement: { kind: 'text', description: 'Key of an achievement.', example: 'novelist' },
    event: { kind: 'text', description: 'Id of an event.' },
    date: { kind: 'text', description: 'A local date of the user, `YYYY-MM-DD`.', example: '2026-03-10' },
    streak: { kind: 'text', description: "With `date`: key of a named streak. Default: the game's `streak`." },
  },
  querySchema: explainQuery,
  answers: { 200: { description: 'Reasons, each with a sentence.', schema: schemaOf('Explanation') } },
  errors: [401, 403, 404, 422],
  run: (api, { params, query }) => ok(api.explain(param(params, 'id'), toExplainRequest(query))),
})
