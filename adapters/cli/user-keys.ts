import type { ApplicationKey, DefinedGame, GamificationApi } from '../../src/index.ts'
import type { ChosenDatabase } from './database.ts'
import type { Environment } from './environment.ts'
import type { KeyResult } from './key-commands.ts'
import { createScreen } from './screen.ts'
import { withStoredGame } from './stored-game.ts'
import { checkTenant, ofTenant } from './tenant.ts'
import { plural, toLine, wrongCall } from './text.ts'

/** Whose application keys are meant; `user` null: those of all users. */
export interface UserKeySettings {
  readonly command: 'list' | 'delete'
  readonly user: string | null
  readonly tenant: string | null
}

/** Whose keys the options name; null: admin keys. */
export function readUserKeys(
  command: string,
  { user, application = false }: { readonly user?: string | undefined; readonly application?: boolean | undefined },
  tenant: string | null,
): UserKeySettings | null {
  if (user === undefined && !application) {
    if (tenant === null) return null
    throw wrongCall('--tenant is for application keys: give --user or --application too')
  }
  if (user === '') throw wrongCall('--user must not be empty')
  if (command === 'list') return { command, user: user ?? null, tenant }
  if (command !== 'delete') throw wrongCall(`--user and --application go with list and delete, not with ${command}`)
  if (user === undefined) throw wrongCall('say whose keys to delete: give --user')
  return { command, user, tenant }
}

/** Lists or deletes application keys. */
export function runUserKeys(
  { command, user, tenant }: UserKeySettings,
  database: ChosenDatabase,
  environment: Environment,
): Promise<KeyResult> {
  return withStoredGame(database, environment, createScreen(environment), async ({ game, gamification }) => {
    checkTenant(game, tenant)
    const { applicationApiKeys } = ofTenant(gamification, tenant).admin
    if (command === 'list' || user === null) return toList(await listAll(applicationApiKeys, user))
    const { deleted } = await applicationApiKeys.delete({ userId: user })
    const text = `deleted ${plural(deleted.length, 'application key')} of ${toLine(user)}\n`
    return { text, value: { userId: user, deleted } }
  })
}

type ApplicationKeys = GamificationApi<DefinedGame>['admin']['applicationApiKeys']

async function listAll(keys: ApplicationKeys, user: string | null): Promise<readonly ApplicationKey[]> {
  const all: ApplicationKey[] = []
  for (let last: ApplicationKey | undefined; ; last = all.at(-1)) {
    const page = await keys.list({
      ...(user === null ? {} : { userId: user }),
      ...(last === undefined ? {} : { after: last.id }),
    })
    if (page.length === 0) return all
    all.push(...page)
  }
}

function toList(keys: readonly ApplicationKey[]): KeyResult {
  return { text: keys.length === 0 ? 'no application keys\n' : keys.map(toBlock).join(''), value: keys }
}

function toBlock({ prefix, id, userId, can, createdAt, expiresAt }: ApplicationKey): string {
  const lines = [
    `${prefix}  of ${userId}`,
    `  id ${id}`,
    `  can ${can === null ? 'do all that the game lets clients do' : can.join(', ') || 'nothing'}`,
    `  created ${createdAt}, expires ${expiresAt ?? 'never'}`,
  ]
  return lines.map((line) => `${toLine(line)}\n`).join('')
}
