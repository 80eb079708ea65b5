import type { Webhook, WebhookDelivery, WebhookReplayRequest, WebhookRequest, WebhooksApi } from '../../src/index.ts'
import type { WebhookUpdate } from '../../src/requests/types/webhooks.ts'
import { toTable } from './table.ts'
import { plural, toLine } from './text.ts'

export interface WebhookCommandOptions {
  readonly id: string
  /** What is to be made, or changed; the library says what is missing in it. */
  readonly webhook: Partial<WebhookRequest> & WebhookUpdate
  readonly limit: number
  readonly before: number | null
  readonly state: 'waiting' | 'done' | 'dead' | null
  readonly replay: WebhookReplayRequest
  /** null: as long as it is by default. */
  readonly overlapHours: number | null
}

/** What a command of `laurels webhooks` has to say. */
export interface WebhookResult {
  readonly text: string
  readonly value: unknown
  /** For people, on standard error, so that standard output has nothing but a secret. */
  readonly note?: string
}

export interface WebhookCommand {
  readonly name: string
  readonly takesId: boolean
  /** What it does that cannot be undone; absent: nothing. */
  readonly final?: string
  run(webhooks: WebhooksApi, options: WebhookCommandOptions): Promise<WebhookResult>
}

export const WEBHOOK_COMMANDS: readonly WebhookCommand[] = [
  { name: 'list', takesId: false, run: list },
  { name: 'create', takesId: false, run: create },
  { name: 'update', takesId: true, run: update },
  { name: 'delete', takesId: true, final: 'deletes the webhook', run: remove },
  { name: 'deliveries', takesId: true, run: deliveries },
  { name: 'replay', takesId: true, run: replay },
  { name: 'rotate', takesId: true, run: rotate },
]

const KEEP_IT = 'Keep it now: it is not shown again.'

async function list(webhooks: WebhooksApi): Promise<WebhookResult> {
  const all = await webhooks.list()
  return { text: all.length === 0 ? 'no webhooks\n' : all.map(toBlock).join(''), value: all }
}

function toBlock({ id, name, url, status, disabled, types, order, deliveries }: Webhook): string {
  const { waiting, done, dead } = deliveries
  const why =
    disabled === null ? '' : ` since ${disabled.at}${disabled.because === 'gone' ? ', because it answered 410' : ''}`
  return [
    `${id}  ${status}${why}`,
    `  ${name === null ? '' : `${toLine(name)}: `}${toLine(url)}`,
    `  ${types.map(toLine).join(', ')}; order: ${order}`,
    `  waiting ${waiting}, done ${done}, dead ${dead}\n`,
  ].join('\n')
}

async function create(webhooks: WebhooksApi, { webhook }: WebhookCommandOptions): Promise<WebhookResult> {
  const created = await webhooks.create(webhook as Parameters<WebhooksApi['create']>[0])
  return {
    text: `${created.secret}\n`,
    value: created,
    note: `Made the webhook ${created.id}; this signs for it. ${KEEP_IT}`,
  }
}

async function update(webhooks: WebhooksApi, { id, webhook }: WebhookCommandOptions): Promise<WebhookResult> {
  const updated = await webhooks.update(id, webhook as Parameters<WebhooksApi['update']>[1])
  return { text: toBlock(updated), value: updated }
}

async function remove(webhooks: WebhooksApi, { id }: WebhookCommandOptions): Promise<WebhookResult> {
  await webhooks.delete(id)
  return { text: `deleted ${id}\n`, value: { id, deleted: true } }
}

async function deliveries(
  webhooks: WebhooksApi,
  { id, limit, before, state }: WebhookCommandOptions,
): Promise<WebhookResult> {
  const page = await webhooks.deliveries(id, {
    limit,
    ...(before === null ? {} : { before }),
    ...(state === null ? {} : { state }),
  })
  const more = page.before === null ? '' : `more: --before ${page.before}\n`
  const header = ['at', 'type', 'user', 'state', 'tries', 'last', 'id']
  const rows = page.deliveries.map(toRow)
  return { text: rows.length === 0 ? 'no deliveries here\n' : toTable(header, rows) + more, value: page }
}

function toRow({ at, type, userId, state, tries, lastTry, id }: WebhookDelivery): readonly string[] {
  const last = lastTry === null ? '' : [lastTry.status, lastTry.error].filter((part) => part !== null).join(' ')
  return [at, type, userId ?? '', state, String(tries), last, id]
}

async function replay(webhooks: WebhooksApi, { id, replay: request }: WebhookCommandOptions): Promise<WebhookResult> {
  const answer = await webhooks.replay(id, request)
  return { text: `${plural(answer.replayed, 'delivery', 'deliveries')} will be sent again\n`, value: answer }
}

async function rotate(
  webhooks: WebhooksApi,
  { id, webhook: { secret }, overlapHours }: WebhookCommandOptions,
): Promise<WebhookResult> {
  const rotated = await webhooks.rotateSecret(id, {
    ...(secret === undefined ? {} : { secret }),
    ...(overlapHours === null ? {} : { overlapHours }),
  })
  const note = `Another secret signs for the webhook ${id}; the old one does so beside it for ${overlapHours ?? 24} h. ${KEEP_IT}`
  return { text: `${rotated.secret}\n`, value: rotated, note }
}
