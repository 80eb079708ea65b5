import type { ComponentChildren, JSX } from 'preact'
import { useState } from 'preact/hooks'
import { call, route } from '../../api.ts'
import type { CreatedWebhook, MessageType, Webhook } from '../../types.ts'
import { Check, Field, Input } from '../controls.tsx'
import { Confirm } from '../dialog.tsx'
import { plural } from '../format.ts'
import { Badge } from '../person.tsx'

interface EditWebhookProps {
  /** `null`: creates one. */
  readonly webhook: Webhook | null
  /** `secret` is `null` if the webhook had one before. */
  readonly done: (webhook: Webhook & { readonly secret: string | null }) => void
  readonly close: () => void
}

export function EditWebhook({ webhook, done, close }: EditWebhookProps): JSX.Element {
  const [url, setUrl] = useState(webhook?.url ?? 'https://')
  const [name, setName] = useState(webhook?.name ?? '')
  const [types, setTypes] = useState<readonly string[]>(webhook?.types ?? [])
  const [isOrdered, setIsOrdered] = useState((webhook?.order ?? 'user') === 'user')
  const save = async (): Promise<string> => {
    const body = { url, name: name.trim() === '' ? null : name.trim(), types, order: isOrdered ? 'user' : 'none' }
    if (webhook === null) {
      done(await call<CreatedWebhook>('POST', 'admin/v1/webhooks', { body }))
      return 'The webhook is there.'
    }
    done({ ...(await call<Webhook>('PATCH', route`admin/v1/webhooks/${webhook.id}`, { body })), secret: null })
    return 'The webhook is changed.'
  }
  return (
    <Confirm
      title={webhook === null ? 'Create a webhook' : `Change ${webhook.name ?? webhook.url}`}
      verb={webhook === null ? 'Create the webhook' : 'Change the webhook'}
      isReady={types.length > 0 && /^https?:\/\/[^/]/.test(url)}
      run={save}
      close={close}
    >
      <Field name="Address" hint="What happens is posted to it, of all tenants and users.">
        <Input type="url" value={url} required change={setUrl} />
      </Field>
      <Field name="Name" hint="For people; may be empty.">
        <Input value={name} maxLength={255} change={setName} />
      </Field>
      <fieldset class="types">
        <legend>What it is sent</legend>
        {[...new Set([...MESSAGE_TYPES, ...types])].map((type) => (
          <Check
            key={type}
            name={type}
            checked={types.includes(type)}
            change={(checked) => setTypes(checked ? [...types, type] : types.filter((other) => other !== type))}
          />
        ))}
      </fieldset>
      <Check
        name="The messages of one user in their order, each when the one before is done"
        checked={isOrdered}
        change={setIsOrdered}
      />
      <p>
        {webhook === null
          ? 'It receives events from now on. The signing secret is shown once, when the webhook is created.'
          : 'What happens from now on is sent by these settings.'}
      </p>
    </Confirm>
  )
}

/** The action to confirm. `ids`: messages to send again; `null`: all that were given up. */
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

const AT_FIRST = 3

/** The first types, and a button that shows the others. */
export function Types({ types }: { readonly types: readonly string[] }): JSX.Element {
  const [shown, rest] = types.length <= AT_FIRST + 1 ? [types, []] : [types.slice(0, AT_FIRST), types.slice(AT_FIRST)]
  return (
    <div class="stack tight">
      <List types={shown} />
      {rest.length > 0 && (
        <details>
          <summary>{`${rest.length} more`}</summary>
          <List types={rest} />
        </details>
      )}
    </div>
  )
}

function List({ types }: { readonly types: readonly string[] }): JSX.Element {
  return (
    <span class="row">
      {types.map((type) => (
        <Badge key={type}>{type}</Badge>
      ))}
    </span>
  )
}

/** A record, so that the compiler finds missing types. */
const TYPES: { readonly [Type in MessageType]: true } = {
  'user.created': true,
  'achievement.completed': true,
  'achievement.completed.revoked': true,
  'achievement.progressed': true,
  'achievement.expired': true,
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
export const MESSAGE_TYPES: readonly string[] = Object.keys(TYPES)
