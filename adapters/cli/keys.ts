import { type AdminKeysApi, createAdminKeys } from '../../src/api/keys/keys.ts'
import { GamificationError } from '../../src/errors.ts'
import { uuidv7 } from '../../src/game/ids.ts'
import type { ApplicationKey } from '../../src/index.ts'
import type { AdminKey } from '../../src/shapes/keys.ts'
import { quote } from '../../src/suggest.ts'
import { type Answer, type CliCommand, type CommandCall, defineCommand } from './command.ts'
import { inspectMigrated } from './database.ts'
import { DATABASE, flagOption, textOption } from './options.ts'
import { defined, KEEP_IT, plural, toLine, toTable, wrongCall } from './terminal.ts'

const OPTIONS = {
  ...DATABASE,
  user: textOption('<id>', 'list or delete: all application keys of this user'),
  application: flagOption('list: the application keys of all users'),
  tenant: textOption('<id>', 'the tenant of the users, in a game that has tenants'),
}

type KeyCall = CommandCall<typeof OPTIONS>

export const keys: CliCommand = defineCommand({
  name: 'keys',
  summary: 'create, list, rotate and revoke API keys',
  about: `Admin keys open every user's data and the admin API over HTTP. At most 3 exist. <key> is the id of a key, or the prefix before its dot.`,
  members: {
    create: {
      summary: 'create a key, and print it',
      run: onAdminKeys(async (api) => {
        const value = await api.create()
        return { text: `${value.key}\n`, value, note: `Made the admin key ${value.id}. ${KEEP_IT}` }
      }),
    },
    list: {
      summary: 'print the keys, without their secrets',
      run: (call) => (ofUsers(call) ? listUserKeys(call) : onAdminKeys(list)(call)),
    },
    rotate: {
      takes: '<key>',
      summary: 'give the key a new value, and print that; the old one is invalid at once',
      run: onAdminKeys(rotate),
    },
    revoke: {
      takes: '<key>',
      summary: 'make the key invalid, until it is reactivated',
      run: onAdminKeys(change('revoke', 'revoked')),
    },
    reactivate: {
      takes: '<key>',
      summary: 'make a revoked key valid again',
      run: onAdminKeys(change('reactivate', 'reactivated')),
    },
    delete: {
      takes: '<key>',
      summary: 'delete the key for good',
      run: (call) => (ofUsers(call) ? deleteUserKeys(call) : onAdminKeys(remove)(call)),
    },
  },
  instead: ['user', 'application'],
  options: OPTIONS,
  notes: `All of it holds for the next request, in every process. Only create and rotate print a key, on standard output. It is never shown again: only its hash is stored.`,
})

/** Admin keys need the tables only, and no game. */
function onAdminKeys(run: (api: AdminKeysApi, given: string) => Promise<Answer>): (call: KeyCall) => Promise<Answer> {
  return async (call) => {
    const { argument, member, environment } = call
    if (ofUsers(call)) throw wrongCall(`--user and --application go with list and delete, not with ${member}`)
    // The message does not repeat the argument: the part after the dot is secret.
    if (argument.includes('.')) throw wrongCall('give the prefix before the dot alone, not the whole key')
    const database = call.database()
    await inspectMigrated(database)
    const storage = database.open()
    try {
      return await run(createAdminKeys({ storage, now: environment.now, newId: uuidv7 }), argument)
    } finally {
      await storage.close()
    }
  }
}

async function list(api: AdminKeysApi): Promise<Answer> {
  const value = await api.list()
  const rows = value.map(({ prefix, id, status, created, lastUsed }) => {
    return [prefix, id, status, created, lastUsed ?? 'never']
  })
  return { text: toTable(['prefix', 'id', 'status', 'created', 'last used'], rows, 'no admin keys\n'), value }
}

async function rotate(api: AdminKeysApi, given: string): Promise<Answer> {
  const { id, prefix } = await find(api, given)
  const rotated = await api.rotate(id)
  const stillRevoked = rotated.status === 'revoked' ? ' The key is revoked still: reactivate it before you use it.' : ''
  const note = `Rotated the admin key ${id}: ${prefix} is invalid from now on. ${KEEP_IT}${stillRevoked}`
  return { text: `${rotated.key}\n`, value: rotated, note }
}

function change(verb: 'revoke' | 'reactivate', done: string) {
  return async (api: AdminKeysApi, given: string): Promise<Answer> => {
    const value = await api[verb]((await find(api, given)).id)
    return { text: `${done} ${toName(value)}\n`, value }
  }
}

async function remove(api: AdminKeysApi, given: string): Promise<Answer> {
  const found = await find(api, given)
  await api.delete(found.id)
  return { text: `deleted ${toName(found)}\n`, value: { id: found.id, prefix: found.prefix, deleted: true } }
}

async function find(api: AdminKeysApi, given: string): Promise<AdminKey> {
  const found = (await api.list()).find(({ id, prefix }) => given === id || given === prefix)
  if (found !== undefined) return found
  throw new GamificationError(
    'unknown_admin_key',
    `There is no admin key with the id or prefix ${quote(given)}. To see which there are: laurels keys list --db <file>`,
  )
}

function toName({ prefix, id }: AdminKey): string {
  return `${prefix} (${id})`
}

function ofUsers({ values: { user, application }, tenant }: KeyCall): boolean {
  if (user === '') throw wrongCall('--user must not be empty')
  if (user !== undefined || application) return true
  if (tenant !== null) throw wrongCall('--tenant is for application keys: give --user or --application too')
  return false
}

async function deleteUserKeys({ values: { user }, openTenant }: KeyCall): Promise<Answer> {
  if (user === undefined) throw wrongCall('say whose keys to delete: give --user')
  return openTenant(async ({ api: { admin } }) => {
    const { deleted } = await admin.applicationApiKeys.delete({ userId: user })
    const text = `deleted ${plural(deleted.length, 'application key')} of ${toLine(user)}\n`
    return { text, value: { userId: user, deleted } }
  })
}

function listUserKeys({ values: { user: userId }, openTenant }: KeyCall): Promise<Answer> {
  return openTenant(async ({ api: { admin } }) => {
    const value: ApplicationKey[] = []
    for (let isMore = true; isMore; ) {
      const page = await admin.applicationApiKeys.list(defined({ userId, after: value.at(-1)?.id }))
      value.push(...page)
      isMore = page.length > 0
    }
    const rows = value.map((key) => {
      const can = key.can === null ? 'all' : key.can.join(', ') || 'nothing'
      return [key.prefix, key.id, key.userId, can, key.createdAt, key.expiresAt ?? 'never']
    })
    const header = ['prefix', 'id', 'user', 'can', 'created', 'expires']
    return { text: toTable(header, rows, 'no application keys\n'), value }
  })
}
