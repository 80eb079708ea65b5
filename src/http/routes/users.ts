import { preferencesUpdate } from '../../requests/preferences.ts'
import type { PreferencesUpdate } from '../../requests/types/preferences.ts'
import type { UserUpdate, UserUpsert } from '../../requests/types/user.ts'
import { userUpdate, userUpsert } from '../../requests/user.ts'
import { preferencesDeeds, updateDeeds } from '../deeds.ts'
import { schemaOf } from '../json-schema.ts'
import { ownUser, param, user } from '../parameters.ts'
import { created, ok, type Route, route } from '../route.ts'

const tag = 'Users'

const create: Route = route<UserUpsert>({
  operationId: 'users_create',
  method: 'POST',
  path: '/users',
  summary: 'Create a user',
  tag,
  bodySchema: userUpsert,
  applicationKeys: {
    may: 'its own user, as `id`',
    users: ({ body }) => [body.id],
    deeds: ({ body }) => updateDeeds(body),
  },
  answers: { 201: { description: 'The user, created or updated.', schema: schemaOf('User') } },
  errors: [400, 401, 422],
  run: (api, { body }) => created(api.users.create(body)),
})

const get: Route = route({
  operationId: 'users_get',
  method: 'GET',
  path: '/users/{id}',
  summary: 'Get a user',
  tag,
  params: user,
  applicationKeys: ownUser,
  answers: { 200: { description: 'The user.', schema: schemaOf('User') } },
  errors: [400, 401, 404, 422],
  run: (api, { params }) => ok(api.users.get(param(params, 'id'))),
})

const identify: Route = route<UserUpdate>({
  operationId: 'users_identify',
  method: 'PUT',
  path: '/users/{id}',
  summary: 'Identify a user: create it or update it',
  tag,
  params: user,
  bodySchema: userUpdate,
  applicationKeys: { ...ownUser, deeds: ({ body }) => updateDeeds(body) },
  answers: { 200: { description: 'The user, created or updated.', schema: schemaOf('User') } },
  errors: [400, 401, 422],
  run: (api, { params, body }) => ok(api.users.identify(param(params, 'id'), body)),
})

const update: Route = route<UserUpdate>({
  operationId: 'users_update',
  method: 'PATCH',
  path: '/users/{id}',
  summary: 'Update a user',
  tag,
  params: user,
  bodySchema: userUpdate,
  applicationKeys: { ...ownUser, deeds: ({ body }) => updateDeeds(body) },
  answers: { 200: { description: 'The user, updated.', schema: schemaOf('User') } },
  errors: [400, 401, 404, 422],
  run: (api, { params, body }) => ok(api.users.update(param(params, 'id'), body)),
})

const getPreferences: Route = route({
  operationId: 'users_getPreferences',
  method: 'GET',
  path: '/users/{id}/preferences',
  summary: "Get a user's preferences",
  tag,
  params: user,
  applicationKeys: ownUser,
  answers: { 200: { description: 'The preferences.', schema: schemaOf('UserPreferences') } },
  errors: [401, 404, 422],
  run: (api, { params }) => ok(api.users.getPreferences(param(params, 'id'))),
})

const updatePreferences: Route = route<PreferencesUpdate>({
  operationId: 'users_updatePreferences',
  method: 'PATCH',
  path: '/users/{id}/preferences',
  summary: "Update a user's preferences",
  tag,
  params: user,
  bodySchema: preferencesUpdate,
  applicationKeys: { ...ownUser, deeds: ({ body }) => preferencesDeeds(body) },
  answers: { 200: { description: 'The preferences, updated.', schema: schemaOf('UserPreferences') } },
  errors: [401, 403, 404, 422],
  statuses: { unknown_metric: 422 },
  run: (api, { params, body }) => ok(api.users.updatePreferences(param(params, 'id'), body)),
})

export const userRoutes: readonly Route[] = [create, get, identify, update, getPreferences, updatePreferences]
