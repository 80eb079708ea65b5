import type { Environment } from './environment.ts'

export const EXIT = {
  ok: 0,
  /** Some lines of an import were refused. */
  refused: 1,
  /** The doctor found a problem. */
  unsound: 1,
  /** What was derived differs from the logs. */
  differs: 1,
  /** The call is wrong, or the storage failed. */
  failed: 2,
  /** As shells count a process that SIGINT ended. */
  interrupted: 130,
} as const

export type ExitCode = (typeof EXIT)[keyof typeof EXIT]

export interface CliCommand {
  readonly name: string
  readonly help: string
  /** Throws a `GamificationError`: `invalid_request` where the call is wrong. */
  run(args: readonly string[], environment: Environment): Promise<ExitCode>
}
