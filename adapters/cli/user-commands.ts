import type { AdminUsersApi, DeletionRequest, SuspensionRequest, UsersRequest } from '../../src/index.ts'
import { toDamagedText } from './audit-text.ts'
import { toTable } from './table.ts'
import { escapeJson, plural, toJsonText, toLine } from './text.ts'

export interface UserCommandOptions {
  readonly id: string
  readonly list: UsersRequest
  /** How many entries of a log. */
  readonly limit: number
  readonly deletion: DeletionRequest
  readonly suspension: SuspensionRequest
  /** The id of the user that goes on. */
  readonly into: string
  readonly json: boolean
}

/** A command of `laurels users`: what it prints, in parts. */
export interface UserCommand {
  readonly name: string
  readonly takesId: boolean
  /** What it does that cannot be undone; absent: nothing. */
  readonly final?: string
  run(users: AdminUsersApi, options: UserCommandOptions): AsyncIterable<string>
}

export const USER_COMMANDS: readonly UserCommand[] = [
  { name: 'list', takesId: false, run: list },
  { name: 'events', takesId: true, run: events },
  { name: 'export', takesId: true, run: lines },
  { name: 'delete', takesId: true, final: 'deletes the user', run: remove },
  { name: 'suspend', takesId: true, run: suspend },
  { name: 'restore', takesId: true, run: restore },
  { name: 'merge', takesId: true, final: 'gives another user all of', run: merge },
]

async function* list(users: AdminUsersApi, { list: request, json }: UserCommandOptions): AsyncGenerator<string> {
  const page = await users.list(request)
  if (json) {
    yield toJsonText(page)
    return
  }
  const rows = page.users.map(({ id, name, created, suspended }) => {
    return [id, name ?? '', created, suspended === null ? '' : 'suspended']
  })
  yield rows.length === 0 ? 'no users here\n' : toTable(['id', 'name', 'created', ''], rows)
  yield toDamagedText(page.damaged)
  if (page.after !== null) yield `more: --after ${JSON.stringify(toLine(page.after))}\n`
}

async function* lines(users: AdminUsersApi, { id }: UserCommandOptions): AsyncGenerator<string> {
  for await (const line of users.export(id)) yield escapeJson(line)
}

async function* events(users: AdminUsersApi, { id, limit, json }: UserCommandOptions): AsyncGenerator<string> {
  const { entries } = await users.events(id, { limit })
  if (json) {
    yield toJsonText(entries)
    return
  }
  const rows = entries.map(({ at, kind, metric, value, achievement, voidedBy, held, id: entryId }) => {
    const what = metric === undefined ? (achievement ?? '') : `${metric} ${value}`
    return [at, kind, what, held === true ? 'held' : voidedBy === undefined ? '' : 'void', entryId]
  })
  yield toTable(['at', 'kind', '', '', 'id'], rows)
}

async function* remove(users: AdminUsersApi, { id, deletion, json }: UserCommandOptions): AsyncGenerator<string> {
  const deleted = await users.delete(id, deletion)
  if (json) yield toJsonText(deleted)
  else if (deleted.anonymousId === null) yield `deleted ${toLine(id)}\n`
  else yield `deleted ${toLine(id)}; what was done stays under ${deleted.anonymousId}\n`
}

async function* suspend(users: AdminUsersApi, { id, suspension, json }: UserCommandOptions): AsyncGenerator<string> {
  const answer = await users.suspend(id, suspension)
  yield json ? toJsonText(answer) : `${toLine(id)} is left out of leaderboards since ${answer.suspended?.since}\n`
}

async function* restore(users: AdminUsersApi, { id, json }: UserCommandOptions): AsyncGenerator<string> {
  const answer = await users.restore(id)
  yield json ? toJsonText(answer) : `${toLine(id)} is not suspended\n`
}

async function* merge(users: AdminUsersApi, { id, into, json }: UserCommandOptions): AsyncGenerator<string> {
  const answer = await users.merge({ from: id, into })
  if (json) yield toJsonText(answer)
  else if (!answer.merged) yield `${toLine(id)} and ${toLine(into)} are one user already\n`
  else
    yield `${toLine(answer.from)} is another name for ${toLine(answer.into)}: ${plural(answer.entries, 'entry', 'entries')} moved\n`
}
