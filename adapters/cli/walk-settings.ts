import { GamificationError } from '../../src/errors.ts'
import { quote } from '../../src/game/suggest.ts'
import { type ChosenDatabase, readDatabase } from './database.ts'
import type { Environment } from './environment.ts'
import type { Opened } from './stored-game.ts'
import { checkTenant, readTenant } from './tenant.ts'
import { wrongCall } from './text.ts'

/** The options of commands that go through users. */
export const WALK_OPTIONS = {
  db: { type: 'string' },
  schema: { type: 'string' },
  game: { type: 'string' },
  user: { type: 'string', multiple: true },
  tenant: { type: 'string' },
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const

/** Which users are looked at, and where. */
export interface WalkSettings {
  readonly database: ChosenDatabase
  readonly json: boolean
  /** Ids; null: all users of all tenants. */
  readonly users: readonly string[] | null
  /** Whose they are, in a game with tenants. */
  readonly tenant: string | null
}

interface Values {
  readonly db?: string | undefined
  readonly schema?: string | undefined
  readonly user?: readonly string[] | undefined
  readonly tenant?: string | undefined
  readonly json?: boolean | undefined
}

export function readWalkSettings(values: Values, environment: Environment): WalkSettings {
  const { user: users = null, json = false } = values
  const tenant = readTenant(values.tenant)
  if (users?.includes('') === true) throw wrongCall('--user must not be empty')
  if (users === null && tenant !== null) {
    throw wrongCall('--tenant says whose the users are: name them with --user, or leave it out to look at all tenants')
  }
  return {
    database: readDatabase(values, environment),
    json,
    users: users === null ? null : [...new Set(users)],
    tenant,
  }
}

export interface WhichUsers {
  readonly users?: readonly string[]
  readonly tenant?: string
}

/** For the engine. Throws `unknown_user` where nothing at all is kept of a user who was named. */
export async function toWhichUsers({ users, tenant }: WalkSettings, { game, storage }: Opened): Promise<WhichUsers> {
  if (users === null) return {}
  checkTenant(game, tenant)
  for (const user of users) {
    const key = { tenant: tenant ?? '', user }
    const hasLog = (await storage.readLog(key, { limit: 1 })).length > 0
    if (hasLog || (await storage.audit(key, null)).drift.length > 0) continue
    throw new GamificationError('unknown_user', `There is no user ${quote(user)}.`)
  }
  return { users, ...(tenant === null ? {} : { tenant }) }
}
