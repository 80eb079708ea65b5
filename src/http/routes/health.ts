import { GamificationError } from '../../errors.ts'
import { objectOf } from '../json-schema.ts'
import { type Route, type RouteResult, route } from '../route.ts'

/** For load balancers: it tells nothing but whether. */
export const health: Route = route({
  operationId: 'health',
  method: 'GET',
  path: '/health',
  summary: 'Whether calls can be answered',
  tag: 'Description',
  isPublic: true,
  answers: { 200: { description: 'They can.', schema: objectOf('status', { type: 'string', const: 'ok' }) } },
  run: async (api): Promise<RouteResult> => {
    const { status } = await api.health()
    if (status !== 'ok') throw new GamificationError('unavailable', 'The storage does not answer.')
    return { status: 200, body: { status } }
  },
})
