import type { Wrapped } from '../../shapes/year.ts'
import { ownUser } from '../endpoint.ts'
import { defineOperation, type OperationsOf, optionalArg, userArg } from '../operation.ts'
import { readWrapped } from './read-wrapped.ts'
import { type WrappedRequest, wrappedRequest } from './requests.ts'

export interface UserYearApi {
  /**
   * Returns a review of the user's year: the most active day, week and month, and the whole year. Each part lists what
   * the user added, and compares it with the period before and with other users. Rejects with `invalid_request` for a
   * future year.
   */
  wrapped(id: string, request?: WrappedRequest): Promise<Wrapped>
}

/** The review of a year, in the groups of the API. */
export interface YearCalls {
  readonly users: UserYearApi
}

export const yearOperations: OperationsOf<YearCalls> = {
  users: {
    wrapped: defineOperation({
      kind: 'read',
      takes: [userArg, optionalArg('request', wrappedRequest)],
      endpoint: {
        at: 'GET /users/{id}/wrapped',
        tag: 'Users',
        summary: 'Get a year of a user in review',
        hidesPrivate: true,
        applicationKeys: ownUser,
        answers: { 200: ['The year.', 'Wrapped'] },
      },
      run: readWrapped,
    }),
  },
}
