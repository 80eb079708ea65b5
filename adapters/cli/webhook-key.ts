import type { WebhooksOptions } from '../../src/index.ts'

/** The variable with the key that encrypts the secrets of webhooks. */
export const WEBHOOK_KEY = 'LAURELS_WEBHOOK_KEY'

export const WEBHOOK_KEY_HELP: string = `Secrets are stored encrypted. The variable ${WEBHOOK_KEY} has the key that your backend gives createGamification as webhooks.secretKey.`

/** Without the key, calls that need it fail and name the variable. */
export function webhookOptions(secretKey: string | undefined): WebhooksOptions {
  return secretKey === undefined || secretKey === '' ? {} : { secretKey }
}
