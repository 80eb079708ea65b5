import type { ComponentChildren, JSX } from 'preact'
import type { CreatedWebhook, Webhook } from '../../../../../src/engine/answers/wire/webhooks.ts'
import { call, route } from '../../api.ts'
import { Confirm } from '../confirm.tsx'
import { plural } from '../format.ts'
import { EditWebhook } from './edit-webhook.tsx'

/** What is to be done with a webhook. `ids`: of messages; null: all that were given up. */
export type WebhookQuestion =
  | { readonly type: 'change' }
  | { readonly type: 'disable' }
  | { readonly type: 'activate' }
  | { readonly type: 'rotate' }
  | { readonly type: 'delete' }
  | { readonly type: 'replay'; readonly ids: readonly string[] | null }

export interface WebhookDone {
  readonly secret?: string
  readonly isDeleted?: boolean
}

interface WebhookDialogProps {
  readonly webhook: Webhook
  readonly question: WebhookQuestion
  readonly done: (what: WebhookDone) => void
  readonly close: () => void
}

interface Asked {
  readonly title: string
  readonly verb: string
  readonly text: ComponentChildren
  readonly isDangerous?: boolean
  readonly run: () => Promise<string>
}

/** Asks once more, and says what it will do. */
export function WebhookDialog({ webhook, question, done, close }: WebhookDialogProps): JSX.Element {
  if (question.type === 'change') return <EditWebhook webhook={webhook} done={() => done({})} close={close} />
  const { title, verb, text, isDangerous = false, run } = toAsked(webhook, question, done)
  return (
    <Confirm title={title} verb={verb} isDangerous={isDangerous} run={run} close={close}>
      <p>{text}</p>
    </Confirm>
  )
}

function toAsked(
  webhook: Webhook,
  question: Exclude<WebhookQuestion, { readonly type: 'change' }>,
  done: WebhookDialogProps['done'],
): Asked {
  const path = route`admin/v1/webhooks/${webhook.id}`
  const name = webhook.name ?? webhook.url
  switch (question.type) {
    case 'disable':
      return {
        title: `Disable ${name}?`,
        verb: 'Disable the webhook',
        isDangerous: true,
        text: 'Nothing is sent to it any more, and what waits is put aside. Made active again, it begins with what happens from then on.',
        run: async () => {
          await call('PATCH', path, { body: { status: 'disabled' } })
          done({})
          return 'The webhook is disabled.'
        },
      }
    case 'activate':
      return {
        title: `Make ${name} active?`,
        verb: 'Make it active',
        text: 'It is sent what happens from now on. What happened meanwhile is not sent.',
        run: async () => {
          await call('PATCH', path, { body: { status: 'active' } })
          done({})
          return 'The webhook is active.'
        },
      }
    case 'rotate':
      return {
        title: `Rotate the secret of ${name}?`,
        verb: 'Rotate the secret',
        text: 'It gets a new secret, which is shown once. For 24 hours the old one signs too, so that the receiver can change over.',
        run: async () => {
          const { secret } = await call<CreatedWebhook>('POST', `${path}/rotate-secret`, { body: {} })
          done({ secret })
          return 'The webhook has a new secret.'
        },
      }
    case 'delete':
      return {
        title: `Delete ${name}?`,
        verb: 'Delete the webhook',
        isDangerous: true,
        text: 'It is deleted with everything that is on its way to it, and with the list of what it was sent. It cannot be taken back.',
        run: async () => {
          await call('DELETE', path)
          done({ isDeleted: true })
          return 'The webhook is deleted.'
        },
      }
    case 'replay': {
      const { ids } = question
      return {
        title: ids === null ? `Send again what was given up?` : 'Send the delivery again?',
        verb: 'Send again',
        text:
          ids === null
            ? `${plural(webhook.deliveries.dead, 'delivery', 'deliveries')} of ${name} that were given up are sent again, with the ids that they had.`
            : 'The same message is sent again, with the id that it had: a receiver that knows it can leave it.',
        run: async () => {
          const body = ids === null ? {} : { ids }
          const { replayed } = await call<{ readonly replayed: number }>('POST', `${path}/replay`, { body })
          done({})
          return `${plural(replayed, 'delivery is', 'deliveries are')} sent again.`
        },
      }
    }
    default:
      return question satisfies never
  }
}
