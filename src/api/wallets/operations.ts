import type { DefinedGame, PointsKey } from '../../game/define-game.ts'
import type { Declared, NoSystems } from '../../game/definition-parts.ts'
import { text } from '../../runtime/input.ts'
import type {
  CaptureResponse,
  HoldResponse,
  PointsBalance,
  PointsStatement,
  RefundResponse,
  ReleaseResponse,
  SpendResponse,
} from '../../shapes/wallets.ts'
import { listOf, ownUser } from '../endpoint.ts'
import {
  type Answer,
  arg,
  defineOperation,
  type Mode,
  type OperationsOf,
  type Options,
  optionalArg,
  type ReadOptions,
  systemArg,
  userArg,
} from '../operation.ts'
import { listBalances, readBalance, readStatement } from './read-wallets.ts'
import * as requests from './requests.ts'
import * as spends from './spend-points.ts'

type System<G extends DefinedGame> = Declared<PointsKey<G>, NoSystems>

/** The calls that write, also within a transaction. */
export interface SpendingApi<G extends DefinedGame, M extends Mode = 'later'> {
  /**
   * Spends points of a spendable system. The total keeps everything that was earned, so no level is lost. Rejects with
   * `insufficient_points` if the balance is less than the amount, `unknown_points_system`, `not_spendable`, and
   * `idempotency_key_reused` if the key was used for another spend.
   */
  spend(system: System<G>, request: requests.SpendRequest, ...options: Options<M>): Answer<M, SpendResponse>
  /**
   * Sets points aside, for example until an order is paid: `capture` spends them, and `release` gives them back. A hold
   * that is neither captured nor released in time releases itself. Rejects as `spend` does, and with `too_many_holds`
   * if the user has 20 open holds in the system.
   */
  hold(system: System<G>, request: requests.HoldRequest, ...options: Options<M>): Answer<M, HoldResponse>
  /**
   * Spends a hold, or a part of it, and releases the rest. Rejects with `unknown_hold` if the hold is not open,
   * `capture_too_large` if the amount is more than the hold, and `not_spendable`.
   */
  capture(holdId: string, request?: requests.CaptureRequest, ...options: Options<M>): Answer<M, CaptureResponse>
  /** Gives a hold back. Releasing it again changes nothing. Rejects with `unknown_hold` and `not_spendable`. */
  release(holdId: string, ...options: Options<M>): Answer<M, ReleaseResponse>
  /**
   * Gives a spend back, or a part of it, with the dates of expiry that the points had. Rejects with `unknown_spend`,
   * `refund_too_large` if less than the amount is left of the spend, and `not_spendable`.
   */
  refund(spendId: string, request?: requests.RefundRequest, ...options: Options<M>): Answer<M, RefundResponse>
}

export interface BalancesApi<G extends DefinedGame, M extends Mode = 'later'> {
  /**
   * Returns the user's balance in one points system, with its lots, pending points, holds, and what expires next.
   * Rejects with `unknown_user`, `unknown_points_system` and `not_spendable`.
   */
  balance(user: string, system: System<G>, ...options: ReadOptions<M>): Promise<PointsBalance>
  /** Returns the same for every spendable points system. */
  balances(user: string, ...options: ReadOptions<M>): Promise<readonly PointsBalance[]>
  /** Lists what came, went and became available in one points system, the newest first. */
  statement(user: string, request: requests.StatementRequest, ...options: ReadOptions<M>): Promise<PointsStatement>
}

export interface WalletsApi<G extends DefinedGame, M extends Mode = 'later'>
  extends SpendingApi<G, M>,
    BalancesApi<G, M> {}

/** The wallets of the API, in their group. */
export interface WalletCalls<G extends DefinedGame> {
  readonly points: WalletsApi<G>
}

const hold = arg('holdId', text(255), 'hold id')
const spend = arg('spendId', text(255), 'spend id')

const SPENT = ['The points are spent.', 'SpendResponse'] as const

// Spending is for the host: its own code, and admin keys.
export const walletOperations: OperationsOf<WalletCalls<DefinedGame>> = {
  points: {
    spend: defineOperation({
      kind: 'write',
      takes: [systemArg, arg('request', requests.spendRequest, 'spend')],
      endpoint: {
        at: 'POST /points/{key}/spend',
        tag: 'Points',
        summary: 'Spend points of a user',
        bodySchema: requests.spendBody,
        example: { user: '18', amount: 50, reference: 'order 1044' },
        takesIdempotencyKey: true,
        canConflict: true,
        answers: { 201: SPENT, 202: ['The points were spent before.', 'SpendResponse'] },
        status: ({ idempotentReplayed }) => (idempotentReplayed === true ? 202 : 201),
      },
      run: spends.spendPoints,
    }),
    hold: defineOperation({
      kind: 'write',
      takes: [systemArg, arg('request', requests.holdRequest, 'hold')],
      endpoint: {
        at: 'POST /points/{key}/hold',
        tag: 'Points',
        summary: 'Set points of a user aside',
        bodySchema: requests.holdBody,
        example: { user: '18', amount: 50, expiresIn: { minutes: 15 } },
        takesIdempotencyKey: true,
        canConflict: true,
        answers: {
          201: ['The points are set aside.', 'HoldResponse'],
          202: ['The points were set aside before.', 'HoldResponse'],
        },
        status: ({ idempotentReplayed }) => (idempotentReplayed === true ? 202 : 201),
      },
      run: spends.holdPoints,
    }),
    capture: defineOperation({
      kind: 'write',
      takes: [hold, optionalArg('request', requests.partRequest, 'capture')],
      endpoint: {
        at: 'POST /points/holds/{id}/capture',
        tag: 'Points',
        summary: 'Spend points that a hold has set aside',
        bodySchema: requests.partBody,
        example: { amount: 30 },
        takesIdempotencyKey: true,
        canConflict: true,
        answers: {
          201: ['The points are spent, and the rest is released.', 'CaptureResponse'],
          202: ['The hold was captured before.', 'CaptureResponse'],
        },
        status: ({ idempotentReplayed }) => (idempotentReplayed === true ? 202 : 201),
      },
      run: spends.captureHold,
    }),
    release: defineOperation({
      kind: 'write',
      takes: [hold],
      endpoint: {
        at: 'POST /points/holds/{id}/release',
        tag: 'Points',
        summary: 'Give points back that a hold has set aside',
        answers: { 200: ['The points are available again.', 'ReleaseResponse'] },
      },
      run: spends.releaseHold,
    }),
    refund: defineOperation({
      kind: 'write',
      takes: [spend, optionalArg('request', requests.partRequest, 'refund')],
      endpoint: {
        at: 'POST /points/spends/{id}/refund',
        tag: 'Points',
        summary: 'Give points back that a user spent',
        bodySchema: requests.partBody,
        example: { amount: 30 },
        takesIdempotencyKey: true,
        canConflict: true,
        answers: {
          201: ['The points are available again.', 'RefundResponse'],
          202: ['The points were given back before.', 'RefundResponse'],
        },
        status: ({ idempotentReplayed }) => (idempotentReplayed === true ? 202 : 201),
      },
      run: spends.refundSpend,
    }),
    balance: defineOperation({
      kind: 'read',
      takes: [userArg, systemArg],
      endpoint: {
        at: 'GET /users/{id}/points/{key}/balance',
        tag: 'Users',
        summary: 'Get what a user can spend of a points system',
        tool: { name: 'points_balance' },
        applicationKeys: ownUser,
        answers: { 200: ['The balance, with its lots, pending points and holds.', 'PointsBalance'] },
      },
      run: readBalance,
    }),
    balances: defineOperation({
      kind: 'read',
      takes: [userArg],
      endpoint: {
        at: 'GET /users/{id}/balances',
        tag: 'Users',
        summary: 'List what a user can spend, for each spendable points system',
        applicationKeys: ownUser,
        answers: { 200: ['The balances.', listOf('PointsBalance')] },
      },
      run: listBalances,
    }),
    statement: defineOperation({
      kind: 'read',
      takes: [userArg, arg('request', requests.statementRequest, 'statement request')],
      endpoint: {
        at: 'GET /users/{id}/statement',
        tag: 'Users',
        summary: "Read a user's statement of a points system, the newest movement first",
        tool: { name: 'points_statement' },
        applicationKeys: ownUser,
        answers: { 200: ['A page of the statement.', 'PointsStatement'] },
      },
      run: readStatement,
    }),
  },
}
