import type { WebhooksOptions } from '../../src/index.ts'

/** The variable with the key that secrets of webhooks are stored with. */
export const WEBHOOK_KEY = 'LAURELS_WEBHOOK_KEY'

export const WEBHOOK_KEY_HELP: string = `Secrets are stored encrypted: the variable ${WEBHOOK_KEY} has the key, the
one that your backend gives createGamification as webhooks.secretKey.`

/** Absent, there is none: what needs it says so. */
export function webhookOptions(secretKey: string | undefined): WebhooksOptions {
  return secretKey === undefined || secretKey === '' ? {} : { secretKey }
}
