import type { AdminKey } from '../../src/engine/answers/wire/keys.ts'
import type { AdminKeysApi } from '../../src/engine/calls/keys/admin-keys.ts'
import { GamificationError } from '../../src/errors.ts'
import { quote } from '../../src/game/suggest.ts'

/** What a command of `laurels keys` has to say. */
export interface KeyResult {
  /** For standard output. */
  readonly text: string
  /** The same for programs. */
  readonly value: unknown
  /** For people, on standard error, so that standard output has nothing but the key. */
  readonly note?: string
}

export interface KeyCommand {
  readonly name: string
  readonly takesKey: boolean
  /** `given` is the id or prefix of a key; throws `unknown_admin_key` where there is no such key. */
  run(keys: AdminKeysApi, given: string): Promise<KeyResult>
}

export const KEY_COMMANDS: readonly KeyCommand[] = [
  { name: 'create', takesKey: false, run: create },
  { name: 'list', takesKey: false, run: list },
  { name: 'rotate', takesKey: true, run: rotate },
  { name: 'revoke', takesKey: true, run: revoke },
  { name: 'reactivate', takesKey: true, run: reactivate },
  { name: 'delete', takesKey: true, run: remove },
]

const KEEP_IT = 'Keep it now: it is not shown again.'

async function create(keys: AdminKeysApi): Promise<KeyResult> {
  const created = await keys.create()
  return { text: `${created.key}\n`, value: created, note: `Made the admin key ${created.id}. ${KEEP_IT}` }
}

async function list(keys: AdminKeysApi): Promise<KeyResult> {
  const all = await keys.list()
  return { text: all.length === 0 ? 'no admin keys\n' : all.map(toBlock).join(''), value: all }
}

function toBlock({ prefix, id, status, created, lastUsed }: AdminKey): string {
  return `${prefix}  ${status}\n  id ${id}\n  created ${created}, last used ${lastUsed ?? 'never'}\n`
}

async function rotate(keys: AdminKeysApi, given: string): Promise<KeyResult> {
  const { id, prefix } = await find(keys, given)
  const rotated = await keys.rotate(id)
  const stillRevoked = rotated.status === 'revoked' ? ' The key is revoked still: reactivate it before you use it.' : ''
  const note = `Rotated the admin key ${id}: ${prefix} is invalid from now on. ${KEEP_IT}${stillRevoked}`
  return { text: `${rotated.key}\n`, value: rotated, note }
}

async function revoke(keys: AdminKeysApi, given: string): Promise<KeyResult> {
  const revoked = await keys.revoke((await find(keys, given)).id)
  return { text: `revoked ${toName(revoked)}\n`, value: revoked }
}

async function reactivate(keys: AdminKeysApi, given: string): Promise<KeyResult> {
  const reactivated = await keys.reactivate((await find(keys, given)).id)
  return { text: `reactivated ${toName(reactivated)}\n`, value: reactivated }
}

async function remove(keys: AdminKeysApi, given: string): Promise<KeyResult> {
  const found = await find(keys, given)
  await keys.delete(found.id)
  return { text: `deleted ${toName(found)}\n`, value: { id: found.id, prefix: found.prefix, deleted: true } }
}

async function find(keys: AdminKeysApi, given: string): Promise<AdminKey> {
  const found = (await keys.list()).find(({ id, prefix }) => given === id || given === prefix)
  if (found !== undefined) return found
  throw new GamificationError(
    'unknown_admin_key',
    `There is no admin key with the id or prefix ${quote(given)}. To see which there are: laurels keys list --db <file>`,
  )
}

function toName({ prefix, id }: AdminKey): string {
  return `${prefix} (${id})`
}
