import type {
  AdminPointsBoost,
  CreateBoostsResponse,
  DeleteBoostsResponse,
  UpdateBoostsResponse,
} from './engine/answers/wire/points.ts'
import { listAdminBoosts, readAdminBoost } from './engine/calls/read/read-boosts.ts'
import { createBoosts, deleteBoosts, updateBoosts } from './engine/calls/write/manage-boosts.ts'
import type { Context, Door, Eventually } from './engine/types.ts'
import type { BoostRequest, BoostsListRequest, BoostUpdate } from './requests/types/boosts.ts'
import type { HostTransaction } from './storage.ts'

/** Options of the calls that write. */
interface TransactionOptions {
  readonly tx?: HostTransaction
}

/**
 * Boosts that are given while the game runs. `system`: id or key of a points system; `unknown_points_system` where
 * there is none. A boost of all users holds for those of every tenant, and goes on with the next deploy. What is wrong
 * with one item is an issue in the answer; the others are carried out.
 */
export interface AdminBoostsApi {
  /** Gives 1 to 100, to all users or to single ones. With `tx` to single ones only. */
  create(system: string, boosts: readonly BoostRequest[], options?: TransactionOptions): Promise<CreateBoostsResponse>
  /**
   * A page of the boosts, planned ones too: first those of all users, the oldest first, then those of single users, by
   * id.
   */
  list(system: string, request?: BoostsListRequest): Promise<readonly AdminPointsBoost[]>
  /** Rejects with `unknown_boost`. */
  get(system: string, id: string): Promise<AdminPointsBoost>
  /** Changes 1 to 100 that were given, from now on: what they have paid stays. */
  update(system: string, boosts: readonly BoostUpdate[], options?: TransactionOptions): Promise<UpdateBoostsResponse>
  /** 1 to 100 that were given, by id. What they have paid stays. */
  delete(system: string, ids: readonly string[], options?: TransactionOptions): Promise<DeleteBoostsResponse>
}

interface Calls {
  read<T>(operation: string, use: (tenant: string, call: Context) => Eventually<T>): Promise<T>
  write<T>(
    operation: string,
    options: TransactionOptions | undefined,
    use: (tenant: string, call: Context) => Eventually<T>,
  ): Promise<T>
  doorOf(call: Context, options: TransactionOptions | undefined): Door
}

export function adminBoostsApi({ read, write, doorOf }: Calls): AdminBoostsApi {
  return {
    create: (system, boosts, options) =>
      write('admin.points.boosts.create', options, (tenant, call) =>
        createBoosts(call, doorOf(call, options), tenant, system, boosts),
      ),
    list: (system, request) =>
      read('admin.points.boosts.list', (tenant, call) => listAdminBoosts(call, tenant, system, request)),
    get: (system, id) => read('admin.points.boosts.get', (tenant, call) => readAdminBoost(call, tenant, system, id)),
    update: (system, boosts, options) =>
      write('admin.points.boosts.update', options, (tenant, call) =>
        updateBoosts(call, doorOf(call, options), tenant, system, boosts),
      ),
    delete: (system, ids, options) =>
      write('admin.points.boosts.delete', options, (tenant, call) =>
        deleteBoosts(call, doorOf(call, options), tenant, system, ids),
      ),
  }
}
