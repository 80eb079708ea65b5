import { mergeBody } from '../../api/users/requests.ts'
import { ok, type Route, routesOf } from '../route.ts'

const adminRoute = routesOf('Users')

/** Users as a whole, for the holders of admin keys. */
export const adminUserRoutes: readonly Route[] = [
  adminRoute('POST /users/{id}/merge', 'users_merge', {
    summary: 'Merge a user into another one',
    bodySchema: mergeBody,
    example: { into: '18' },
    answers: ok('The users are one.', 'MergeResponse'),
    run: (api, { params, read }) => api.users.merge({ from: params.id, ...read }),
  }),
]
