import { GamificationError, isGamificationError } from '../../src/errors.ts'
import type { WebhooksOptions } from '../../src/index.ts'

/** The variable with the key that secrets of webhooks are stored with. */
export const WEBHOOK_KEY = 'LAURELS_WEBHOOK_KEY'

export const WEBHOOK_KEY_HELP: string = `Secrets are stored encrypted: the variable ${WEBHOOK_KEY} has the key, the
one that your backend gives createGamification as webhooks.secretKey.`

/** What stands in place of the library's own words, which are for whoever writes a backend. */
export function withoutWebhookKey(error: unknown): unknown {
  if (!isGamificationError(error) || error.code !== 'webhooks_disabled') return error
  const message = `set the variable ${WEBHOOK_KEY} to the key that your backend gives createGamification as webhooks.secretKey`
  return new GamificationError(error.code, message, { cause: error })
}

/** Absent, there is none: what needs it says so. */
export function webhookOptions(secretKey: string | undefined): WebhooksOptions {
  return secretKey === undefined || secretKey === '' ? {} : { secretKey }
}
