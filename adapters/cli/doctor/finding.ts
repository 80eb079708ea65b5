export type Status = 'ok' | 'warning' | 'problem'

/** What a check came to. */
export interface CheckResult {
  readonly check: string
  readonly status: Status
  readonly message: string
  /** What mends it: commands, or a sentence; empty where nothing has to be mended. */
  readonly mend: readonly string[]
}

export function ok(check: string, message: string): CheckResult {
  return { check, status: 'ok', message, mend: [] }
}

export function warning(check: string, message: string, ...mend: readonly string[]): CheckResult {
  return { check, status: 'warning', message, mend }
}

export function problem(check: string, message: string, ...mend: readonly string[]): CheckResult {
  return { check, status: 'problem', message, mend }
}
