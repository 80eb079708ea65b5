import type { SubscriptionStatus, SubscriptionsApi } from '../../src/index.ts'
import { toTable } from './table.ts'
import { plural, toCount, toJsonText, toLine } from './text.ts'

export interface SubscriptionCommandOptions {
  readonly name: string
  readonly limit: number
  readonly before: number | null
  /** null: all. */
  readonly ids: readonly string[] | null
  readonly json: boolean
}

export interface SubscriptionCommand {
  readonly name: string
  readonly takesName: boolean
  /** What it prints. */
  run(subscriptions: SubscriptionsApi, options: SubscriptionCommandOptions): Promise<string>
}

export const SUBSCRIPTION_COMMANDS: readonly SubscriptionCommand[] = [
  { name: 'list', takesName: false, run: list },
  { name: 'dead', takesName: true, run: dead },
  { name: 'retry', takesName: true, run: retry },
]

async function list(subscriptions: SubscriptionsApi, { json }: SubscriptionCommandOptions): Promise<string> {
  const all = await subscriptions.list()
  if (json) return toJsonText(all)
  return all.length === 0 ? 'no subscriptions\n' : all.map(toBlock).join('')
}

function toBlock({
  name,
  types,
  behind,
  deadLetters,
  tries,
  nextTryAt,
  lastError,
  isActive,
}: SubscriptionStatus): string {
  const lines = [
    `${toLine(name)}  ${isActive ? 'active' : 'idle'}, ${toCount(behind)} behind, ${toCount(deadLetters)} put aside`,
    `  ${types.map(toLine).join(', ')}`,
  ]
  if (lastError !== null) lines.push(`  failed ${plural(tries, 'time')}, next try ${nextTryAt}: ${toLine(lastError)}`)
  return `${lines.join('\n')}\n`
}

async function dead(
  subscriptions: SubscriptionsApi,
  { name, limit, before, json }: SubscriptionCommandOptions,
): Promise<string> {
  const page = await subscriptions.deadLetters(name, { limit, ...(before === null ? {} : { before }) })
  if (json) return toJsonText(page)
  const rows = page.deadLetters.map(({ message, tries, lastError, isRetried }) => {
    const { at, type, userId, id } = message
    return [at, type, userId ?? '', String(tries), isRetried ? 'waits' : '', lastError ?? '', id]
  })
  const more = page.next === null ? '' : `more: --before ${page.next}\n`
  return rows.length === 0
    ? 'nothing was put aside\n'
    : toTable(['at', 'type', 'user', 'tries', '', 'error', 'id'], rows) + more
}

async function retry(
  subscriptions: SubscriptionsApi,
  { name, ids, json }: SubscriptionCommandOptions,
): Promise<string> {
  const answer = await subscriptions.retry(name, ids === null ? {} : { ids })
  if (json) return toJsonText(answer)
  return `${plural(answer.retried, 'message')} will be handed over again\n`
}
