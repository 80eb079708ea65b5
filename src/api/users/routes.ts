import { preferencesDeeds, updateDeeds } from '../../http/capabilities.ts'
import { schemaOf } from '../../http/openapi.ts'
import { ownUser, param, user } from '../../http/query.ts'
import { created, ok, type QueryParameter, type Route, route } from '../../http/route.ts'
import {
  deletionRequest,
  exportPageRequest,
  type MergeBody,
  mergeBody,
  type PreferencesUpdate,
  preferencesUpdate,
  type SuspensionRequest,
  suspensionRequest,
  type UserUpdate,
  type UserUpsert,
  userEventsRequest,
  usersRequest,
  userUpdate,
  userUpsert,
} from './requests.ts'

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

const after: QueryParameter = { kind: 'text', description: '`after` of the answer before.' }

const list: Route = route({
  operationId: 'users_list',
  method: 'GET',
  path: '/users',
  summary: 'List users by id, or search them by id or name',
  tag,
  query: {
    search: { kind: 'text', description: 'A part of the id or of the name.', example: 'ann' },
    after,
    limit: { kind: 'integer', description: 'How many, 1 to 100. Default 50.' },
  },
  querySchema: usersRequest,
  answers: { 200: { description: 'A page of the users.', schema: schemaOf('UsersResponse') } },
  errors: [401, 403, 422],
  run: (api, { query }) => ok(api.users.list(query)),
})

const events: Route = route({
  operationId: 'users_events',
  method: 'GET',
  path: '/users/{id}/events',
  summary: "Read a user's log, the newest entry first",
  tag,
  params: user,
  query: {
    before: { kind: 'text', description: '`before` of the answer before.' },
    limit: { kind: 'integer', description: 'How many, 1 to 1,000. Default 100.' },
  },
  querySchema: userEventsRequest,
  answers: { 200: { description: 'A page of the log.', schema: schemaOf('UserEventsResponse') } },
  errors: [401, 403, 404, 422],
  run: (api, { params, query }) => ok(api.users.events(param(params, 'id'), query)),
})

const exportLines: Route = route({
  operationId: 'users_export',
  method: 'GET',
  path: '/users/{id}/export',
  summary: 'Export a user in pages of lines',
  tag,
  params: user,
  query: { after, limit: { kind: 'integer', description: 'How many entries, 1 to 1,000. Default 1,000.' } },
  querySchema: exportPageRequest,
  answers: { 200: { description: 'Some lines of the export.', schema: schemaOf('ExportPage') } },
  errors: [401, 403, 404, 422],
  run: (api, { params, query }) => ok(api.users.exportPage(param(params, 'id'), query)),
})

const remove: Route = route({
  operationId: 'users_delete',
  method: 'DELETE',
  path: '/users/{id}',
  summary: 'Delete a user for good',
  tag,
  params: user,
  query: {
    keep: { kind: 'text', description: 'What stays: `nothing` (the default), or `anonymous`, under a random id.' },
  },
  querySchema: deletionRequest,
  answers: { 200: { description: 'The user is deleted.', schema: schemaOf('DeletedUser') } },
  errors: [401, 403, 404, 422],
  run: (api, { params, query }) => ok(api.users.delete(param(params, 'id'), query)),
})

const suspend: Route = route<SuspensionRequest>({
  operationId: 'users_suspend',
  method: 'POST',
  path: '/users/{id}/suspend',
  summary: 'Leave a user out of leaderboards',
  tag,
  params: user,
  bodySchema: suspensionRequest,
  answers: { 200: { description: 'The user is suspended.', schema: schemaOf('SuspendedUser') } },
  errors: [401, 403, 404, 422],
  run: (api, { params, body }) => ok(api.users.suspend(param(params, 'id'), body)),
})

const restore: Route = route({
  operationId: 'users_restore',
  method: 'POST',
  path: '/users/{id}/restore',
  summary: 'Let a user who was suspended back in',
  tag,
  params: user,
  answers: { 200: { description: 'The user is not suspended.', schema: schemaOf('SuspendedUser') } },
  errors: [401, 403, 404, 422],
  run: (api, { params }) => ok(api.users.restore(param(params, 'id'))),
})

const merge: Route = route<MergeBody>({
  operationId: 'users_merge',
  method: 'POST',
  path: '/users/{id}/merge',
  summary: 'Make one user of two',
  tag,
  params: user,
  bodySchema: mergeBody,
  answers: { 200: { description: 'The users are one.', schema: schemaOf('MergeResponse') } },
  errors: [401, 403, 404, 422],
  run: (api, { params, body }) => ok(api.users.merge({ from: param(params, 'id'), into: body.into })),
})

export const adminUserRoutes: readonly Route[] = [list, events, exportLines, remove, suspend, restore, merge]
