import { GamificationError } from '../../../errors.ts'
import { parse } from '../../../requests/input.ts'
import { parseUserId } from '../../../requests/user.ts'
import { exportOptions } from '../../../requests/users.ts'
import type { Storage } from '../../../storage.ts'
import type { UserKey } from '../../../storage-rows.ts'
import { requireUser } from '../../accept/accept-command.ts'
import type { ExportLine } from '../../answers/wire/export-lines.ts'
import type { DamagedUser } from '../../answers/wire/users.ts'
import { damageOf } from '../../damage.ts'
import { foreseen } from '../../fault.ts'
import { createPause } from '../../replay/read-log.ts'
import type { Context } from '../../types.ts'
import { toGameLine, toLine, userLines } from './export-lines.ts'
import { followMerges } from './follow-merges.ts'

/** Everything that is kept of a user, as lines of JSON. Throws at once for what is no id. */
export function exportUser(context: Context, tenant: string, id: unknown): AsyncGenerator<string> {
  return linesOfUser(context, tenant, parseUserId(id))
}

async function* linesOfUser(context: Context, tenant: string, named: string): AsyncGenerator<string> {
  const { key } = await followMerges(context.storage, { tenant, user: named })
  const { user } = key
  let isThere = false
  for await (const line of userLines(context, key, true)) {
    isThere = true
    if (line.laurels === 'end' && line.of === 'user' && !line.complete) throw deletedMeanwhile(user)
    yield toLine(line)
  }
  if (!isThere) requireUser(null, user)
}

/** Every game and every user, of one tenant or of all; null: of all. Throws at once for what are no options. */
export function exportAll(context: Context, tenant: string | null, options: unknown): AsyncGenerator<string> {
  return linesOfAll(context, tenant, parse(exportOptions, options, 'options'))
}

async function* linesOfAll(
  context: Context,
  tenant: string | null,
  { onProgress, signal }: ReturnType<(typeof exportOptions)['parse']>,
): AsyncGenerator<string> {
  yield toLine({ laurels: 'export', version: 1, tenant })
  for (const game of await context.storage.games()) yield toLine(toGameLine(game))
  let users = 0
  const damaged: DamagedUser[] = []
  for await (const key of usersFrom(context.storage, tenant)) {
    signal?.throwIfAborted()
    const lines = userLines(context, key, false)
    for (let line = await nextLine(lines, key); line !== null; line = await nextLine(lines, key)) {
      if (!('laurels' in line)) {
        damaged.push(line)
        break
      }
      if (line.laurels === 'user') users += 1
      yield toLine(line)
    }
    onProgress?.({ users, last: key.user })
  }
  yield toLine({ laurels: 'end', of: 'export', users })
  if (damaged.length > 0) throw withoutDamaged(damaged)
}

/** The next line of a user, or what is damaged of the user; `null`: there are no more lines. */
async function nextLine(lines: AsyncGenerator<ExportLine>, key: UserKey): Promise<ExportLine | DamagedUser | null> {
  try {
    const { done, value } = await foreseen('internal', () => lines.next())
    return done === true ? null : value
  } catch (error) {
    return damageOf(key, error)
  }
}

const MOST_NAMED = 20

function withoutDamaged(damaged: readonly DamagedUser[]): GamificationError {
  const named = damaged.slice(0, MOST_NAMED).map(({ user, message }) => `The user ${JSON.stringify(user)}: ${message}`)
  const more = damaged.length > MOST_NAMED ? [`There are ${damaged.length - MOST_NAMED} more.`] : []
  const users = damaged.length === 1 ? '1 damaged user' : `${damaged.length} damaged users`
  const message = [`The export is complete but for ${users}.`, ...named, ...more].join(' ')
  return new GamificationError('user_damaged', message)
}

const PAGE = 500

/** In order of tenant and user. */
export async function* usersFrom(storage: Storage, tenant: string | null): AsyncGenerator<UserKey> {
  const pause = createPause()
  // No user has an empty id.
  let after: UserKey | undefined = tenant === null ? undefined : { tenant, user: '' }
  for (;;) {
    const page: readonly UserKey[] = await storage.listUsers(
      after === undefined ? { limit: PAGE } : { limit: PAGE, after },
    )
    for (const key of page) {
      if (tenant !== null && key.tenant !== tenant) return
      yield key
    }
    after = page.at(-1)
    if (page.length < PAGE || after === undefined) return
    await pause()
  }
}

function deletedMeanwhile(user: string): GamificationError {
  const message = `The user ${JSON.stringify(user)} was deleted while it was exported: what came of it is to be thrown away.`
  return new GamificationError('unknown_user', message)
}
