import { type ChosenDatabase, DATABASE_OPTIONS, readDatabase } from '../database.ts'
import type { Environment } from '../environment.ts'
import { readOptions, readWholeNumber } from '../options.ts'
import { readTenant } from '../tenant.ts'
import { wrongCall } from '../text.ts'
import { DEMO_USERS } from './history.ts'

export interface DemoSettings {
  readonly database: ChosenDatabase
  /** The file of the game; null: what the database has, or else the command's own. */
  readonly game: string | null
  readonly tenant: string | null
  /** The midnight, in UTC, at which the last day ends. */
  readonly end: number
  readonly users: number
  /** Whether there may be users already. */
  readonly add: boolean
  readonly json: boolean
}

const OPTIONS = {
  ...DATABASE_OPTIONS,
  game: { type: 'string' },
  tenant: { type: 'string' },
  until: { type: 'string' },
  users: { type: 'string' },
  add: { type: 'boolean' },
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const

const MOST_USERS = 5_000
const DAY_MS = 86_400_000

/** null when help is asked for. */
export function readDemoSettings(args: readonly string[], environment: Environment): DemoSettings | null {
  const { values } = readOptions(args, OPTIONS, 0)
  if (values.help === true) return null
  const { game = null, until, add = false, json = false } = values
  return {
    database: readDatabase(values, environment),
    game,
    tenant: readTenant(values.tenant),
    end: readEnd(until, environment.now()),
    users: readUsers(values.users),
    add,
    json,
  }
}

function readUsers(given: string | undefined): number {
  if (given === undefined) return DEMO_USERS
  const users = readWholeNumber(given, 'users')
  if (users >= 1 && users <= MOST_USERS) return users
  throw wrongCall(`--users must be from 1 to ${MOST_USERS}, not ${given}`)
}

function readEnd(until: string | undefined, now: number): number {
  const today = new Date(now).toISOString().slice(0, 10)
  const text = until ?? today
  const day = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN
  // The 31st of a month that has thirty days would be the 1st of the next one.
  if (Number.isNaN(day) || new Date(day).toISOString().slice(0, 10) !== text) {
    throw wrongCall(`--until must be a date such as 2026-03-31, not '${text}'`)
  }
  if (text > today) throw wrongCall(`--until ${text} has not come yet: today is ${today}, in UTC`)
  if (text < '2000-01-01') throw wrongCall(`--until ${text} is too early: give a date from 2000-01-01 on`)
  return day + DAY_MS
}
