import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { call, route } from '../../api.ts'
import type { CreatedWebhook, MessageType, Webhook } from '../../types.ts'
import { Check, Checks, Input, useText } from '../controls.tsx'
import { Confirm } from '../dialog.tsx'
import { countOf } from '../format.ts'

export interface EditWebhookProps {
  /** `null` to create one. */
  readonly webhook: Webhook | null
  /** `secret` is `null` if the webhook had one before. */
  readonly done: (webhook: Webhook & { readonly secret: string | null }) => void
  readonly close: () => void
}

export function EditWebhook({ webhook, done, close }: EditWebhookProps): JSX.Element {
  const url = useText(webhook?.url ?? 'https://')
  const name = useText(webhook?.name ?? '')
  const [types, setTypes] = useState<readonly string[]>(webhook?.types ?? [])
  const [isOrdered, setIsOrdered] = useState((webhook?.order ?? 'user') === 'user')
  const choices = [...new Set([...MESSAGE_TYPES, ...types])].map((type) => ({ key: type, name: type }))
  const save = async (): Promise<string> => {
    const body = { url: url.value, name: name.value.trim() || null, types, order: isOrdered ? 'user' : 'none' }
    if (webhook === null) {
      done(await call<CreatedWebhook>('POST', 'admin/v1/webhooks', { body }))
      return 'The webhook is there.'
    }
    done({ ...(await call<Webhook>('PATCH', route`admin/v1/webhooks/${webhook.id}`, { body })), secret: null })
    return 'The webhook is changed.'
  }
  return (
    <Confirm
      title={webhook === null ? 'Create a webhook' : `Change ${nameOf(webhook)}`}
      verb={webhook === null ? 'Create the webhook' : 'Change the webhook'}
      isReady={types.length > 0 && /^https?:\/\/[^/]/.test(url.value)}
      run={save}
      close={close}
    >
      <Input {...ADDRESS} type="url" required {...url} />
      <Input label="Name" hint="For people; may be empty." maxLength={255} {...name} />
      <fieldset class="types">
        <legend>What it is sent</legend>
        <Checks choices={choices} chosen={types} choose={setTypes} />
      </fieldset>
      <Check name={IN_ORDER} checked={isOrdered} change={setIsOrdered} />
      <p>
        {webhook === null
          ? 'It receives events from now on. The signing secret is shown once, when the webhook is created.'
          : 'New messages are sent with these settings.'}
      </p>
    </Confirm>
  )
}

const ADDRESS = { label: 'Address', hint: 'Messages about all tenants and users are posted to it.' }
const IN_ORDER = 'The messages of one user in their order, each when the one before is done'

/** The action to confirm. `ids`: messages to send again, or `null` for all that were given up. */
export type WebhookQuestion =
  | { readonly type: 'change' | keyof typeof CHANGES }
  | { readonly type: 'replay'; readonly ids: readonly string[] | null }

export interface WebhookDone {
  readonly secret?: string | undefined
  readonly isDeleted?: boolean
}

interface WebhookDialogProps {
  readonly webhook: Webhook
  readonly question: WebhookQuestion
  readonly done: (what: WebhookDone) => void
  readonly close: () => void
}

export function WebhookDialog({ webhook, question, done, close }: WebhookDialogProps): JSX.Element {
  const { type } = question
  if (type === 'change') return <EditWebhook webhook={webhook} done={() => done({})} close={close} />
  if (type === 'replay') return <Replay webhook={webhook} ids={question.ids} done={() => done({})} close={close} />
  const { title, verb, text, said, request, isDangerous }: Change = CHANGES[type]
  const run = async (): Promise<string> => {
    const [method, path, body] = request
    const url = route`admin/v1/webhooks/${webhook.id}` + path
    const answer = await call<Partial<CreatedWebhook> | undefined>(method, url, { body })
    done({ secret: answer?.secret, isDeleted: type === 'delete' })
    return said
  }
  return (
    <Confirm title={title(nameOf(webhook))} verb={verb} isDangerous={isDangerous ?? false} run={run} close={close}>
      <p>{text}</p>
    </Confirm>
  )
}

interface Change {
  readonly title: (name: string) => string
  readonly verb: string
  /** The effect of the action. */
  readonly text: string
  /** The notice after it. */
  readonly said: string
  readonly isDangerous?: boolean
  /** The path is relative to the path of the webhook. */
  readonly request: readonly [method: string, path: string, body?: object]
}

const CHANGES = {
  disable: {
    title: (name) => `Disable ${name}?`,
    verb: 'Disable the webhook',
    text: 'It gets no more messages, and waiting deliveries are put aside. When you activate it again, it starts with new messages.',
    said: 'The webhook is disabled.',
    isDangerous: true,
    request: ['PATCH', '', { status: 'disabled' }],
  },
  activate: {
    title: (name) => `Make ${name} active?`,
    verb: 'Make it active',
    text: 'It gets new messages from now on. Messages from the time in between are not sent.',
    said: 'The webhook is active.',
    request: ['PATCH', '', { status: 'active' }],
  },
  rotate: {
    title: (name) => `Rotate the secret of ${name}?`,
    verb: 'Rotate the secret',
    text: 'It gets a new secret, which is shown once. For 24 hours the old one signs too, so that the receiver can change over.',
    said: 'The webhook has a new secret.',
    request: ['POST', '/rotate-secret', {}],
  },
  delete: {
    title: (name) => `Delete ${name}?`,
    verb: 'Delete the webhook',
    text: 'It is deleted with everything that is on its way to it, and with the list of what it was sent. It cannot be taken back.',
    said: 'The webhook is deleted.',
    isDangerous: true,
    request: ['DELETE', ''],
  },
} as const satisfies { readonly [type: string]: Change }

interface ReplayProps {
  readonly webhook: Webhook
  readonly ids: readonly string[] | null
  readonly done: () => void
  readonly close: () => void
}

function Replay({ webhook, ids, done, close }: ReplayProps): JSX.Element {
  const run = async (): Promise<string> => {
    const body = ids === null ? {} : { ids }
    const path = route`admin/v1/webhooks/${webhook.id}/replay`
    const { replayed } = await call<{ readonly replayed: number }>('POST', path, { body })
    done()
    return `${countOf(replayed, 'delivery is', 'deliveries are')} sent again.`
  }
  const count = countOf(webhook.deliveries.dead, 'delivery', 'deliveries')
  return (
    <Confirm
      title={ids === null ? 'Send dead deliveries again?' : 'Send the delivery again?'}
      verb="Send again"
      run={run}
      close={close}
    >
      <p>
        {ids === null
          ? `${count} of ${nameOf(webhook)} that were given up are sent again, with the ids that they had.`
          : 'The same message is sent again, with the id that it had: a receiver that knows it can leave it.'}
      </p>
    </Confirm>
  )
}

export function nameOf({ name, url }: Pick<Webhook, 'name' | 'url'>): string {
  return name ?? url
}

/** A record, so that the compiler finds missing types. */
const TYPES: { readonly [Type in MessageType]: true } = {
  'user.created': true,
  'achievement.completed': true,
  'achievement.completed.revoked': true,
  'achievement.progressed': true,
  'achievement.expired': true,
  'challenge.progressed': true,
  'challenge.completed': true,
  'challenge.claimable': true,
  'challenge.ending': true,
  'streak.started': true,
  'streak.started.revoked': true,
  'streak.extended': true,
  'streak.extended.revoked': true,
  'streak.lost': true,
  'streak.lost.revoked': true,
  'streak.freeze_consumed': true,
  'streak.freeze_consumed.revoked': true,
  'streak.freeze_earned': true,
  'streak.freeze_earned.revoked': true,
  'points.changed': true,
  'points.level_changed': true,
  'points.level_changed.revoked': true,
  'reward.redeemed': true,
  'points.spent': true,
  'points.refunded': true,
  'points.expiring': true,
  'points.expired': true,
  'points.boost_started': true,
  'points.boost_finished': true,
  'leaderboard.started': true,
  'leaderboard.changed': true,
  'leaderboard.finished': true,
  'leaderboard.rank_changed': true,
  'emails.recap_due': true,
  'emails.reactivation_due': true,
  'emails.streak_reminder_due': true,
  'emails.achievement_due': true,
}

/** Every type of message that a webhook can be sent. */
const MESSAGE_TYPES: readonly string[] = Object.keys(TYPES)
