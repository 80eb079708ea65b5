import type { ExportPage } from './engine/answers/wire/status.ts'
import type {
  DeletedUser,
  MergeResponse,
  SuspendedUser,
  UserEventsResponse,
  UsersResponse,
} from './engine/answers/wire/users.ts'
import { mergeUsers } from './engine/calls/operate/merge-users.ts'
import { exportPage, exportUser } from './engine/calls/read/export-users.ts'
import { readEvents } from './engine/calls/read/read-events.ts'
import { listUsers } from './engine/calls/read/read-user.ts'
import { deleteUser } from './engine/calls/write/delete-user.ts'
import { restoreUser, suspendUser } from './engine/calls/write/upsert-user.ts'
import type { Context, Door, Eventually } from './engine/types.ts'
import { checkOptions } from './options.ts'
import type {
  DeletionRequest,
  ExportPageRequest,
  MergeRequest,
  SuspensionRequest,
  UserEventsRequest,
  UsersRequest,
} from './requests/types/users.ts'
import type { HostTransaction } from './storage.ts'

/** Options of the calls that write. */
interface TransactionOptions {
  readonly tx?: HostTransaction
}

/** Users as a whole: for those who run the product, not for clients. */
export interface AdminUsersApi {
  /**
   * A page of the users in order of id. With `search` those whose id or name has the text in it: one call looks at
   * 10,000 users at most, so a page may be short, or empty, before the last; `after` says whether there are more.
   */
  list(request?: UsersRequest): Promise<UsersResponse>
  /** The user's log as it is kept, the newest entry first. Rejects with `unknown_user`, as all of these do. */
  events(id: string, request?: UserEventsRequest): Promise<UserEventsResponse>
  /** Everything that is kept of the user, as lines of JSON, each with its end: a header, the games, then the log. */
  export(id: string): AsyncGenerator<string>
  /** The same lines, as objects, in pages: for what cannot keep a stream open. */
  exportPage(id: string, request?: ExportPageRequest): Promise<ExportPage>
  /**
   * Deletes every row of the user, in one commit. Ranks close up, counts are those of the others, and the user's keys
   * are gone. Calls that come later are of a user who is not known; the id may come again as a new user.
   */
  delete(id: string, request?: DeletionRequest, options?: TransactionOptions): Promise<DeletedUser>
  /**
   * Leaves the user out of leaderboards, of runs that are over too: others move up, events answer no rank. All else
   * goes on. Suspending again changes nothing.
   */
  suspend(id: string, request?: SuspensionRequest, options?: TransactionOptions): Promise<SuspendedUser>
  /**
   * Makes one user of two: both logs are folded as one, in the order of the instants. `from` is another name for `into`
   * from then on: every call for it goes there. What either has completed stays completed; an idempotency key that both
   * have used counts once. Merging again what is one user already changes nothing. Rejects with `unknown_user`, and
   * with `total_out_of_range` where a total would leave its bounds.
   */
  merge(request: MergeRequest): Promise<MergeResponse>
  /** Everything is as if the user had never been suspended. */
  restore(id: string, options?: TransactionOptions): Promise<SuspendedUser>
}

/** How the calls of one tenant begin: with a context of their own. */
export interface AdminUsersBeginning {
  read<T>(operation: string, use: (tenant: string, call: Context) => Eventually<T>): Promise<T>
  write<T>(
    operation: string,
    options: TransactionOptions | undefined,
    use: (tenant: string, call: Context) => Eventually<T>,
  ): Promise<T>
  doorOf(context: Context, options: TransactionOptions | undefined): Door
  /** Without a deadline: what is read in parts may be of any length. */
  readonly context: Context
  tenantOf(): string
}

export function adminUsersApi({ read, write, doorOf, context, tenantOf }: AdminUsersBeginning): AdminUsersApi {
  return {
    list: (request) => read('users.list', (tenant, call) => listUsers(call, tenant, request)),
    events: (id, request) => read('users.events', (tenant, call) => readEvents(call, tenant, id, request)),
    export: (id) => exportUser(context, tenantOf(), id),
    exportPage: (id, request) => read('users.exportPage', (tenant, call) => exportPage(call, tenant, id, request)),
    delete: (id, request, options = {}) =>
      write('users.delete', options, (tenant, call) => {
        checkOptions('options', options, ['tx'])
        return deleteUser(call, tenant, id, request, options.tx)
      }),
    suspend: (id, request, options) =>
      write('users.suspend', options, (tenant, call) => suspendUser(call, doorOf(call, options), tenant, id, request)),
    merge: (request) => write('users.merge', undefined, (tenant, call) => mergeUsers(call, tenant, request)),
    restore: (id, options) =>
      write('users.restore', options, (tenant, call) => restoreUser(call, doorOf(call, options), tenant, id)),
  }
}
