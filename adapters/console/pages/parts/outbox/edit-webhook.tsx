import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { CreatedWebhook, Webhook } from '../../../../../src/engine/answers/wire/webhooks.ts'
import { call, route } from '../../api.ts'
import { Confirm } from '../confirm.tsx'
import { Check, Field } from '../field.tsx'
import { MESSAGE_TYPES } from './message-types.ts'

interface EditWebhookProps {
  /** null: a new one. */
  readonly webhook: Webhook | null
  /** `secret` is null where the webhook had one before. */
  readonly done: (webhook: Webhook & { readonly secret: string | null }) => void
  readonly close: () => void
}

/** Asks for what a webhook is sent, and where to. */
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
        <input type="url" value={url} required onInput={(event) => setUrl(event.currentTarget.value)} />
      </Field>
      <Field name="Name" hint="For people; may be empty.">
        <input value={name} maxLength={255} onInput={(event) => setName(event.currentTarget.value)} />
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
