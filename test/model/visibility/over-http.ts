// Leaderboards as a session and an application key see them. No answer names a user whom the reader may not know.

import { expect } from 'vitest'
import { applicationApi, userApi } from '../../../adapters/fetch/index.ts'
import type { Engine } from '../../support/engine.ts'
import { compare, type Played, requestOf, seenBy } from './drive.ts'
import { USERS } from './histories.ts'
import type { Board } from './model.ts'

type Ask = (path: string, query: Readonly<Record<string, string>>) => Promise<string>

interface Reader {
  readonly id: string
  readonly friends: readonly string[]
}

/** A session names its user's friends itself. An application key may name its own user only. */
function bySession(engine: Engine, { id, friends }: Reader): Ask {
  const handle = userApi(engine, { user: () => id, among: () => friends })
  return async (path, query) => {
    const response = await handle(new Request(`http://localhost/user/v1/${path}?${new URLSearchParams(query)}`))
    const text = await response.text()
    expect([path, query, response.status, text]).toEqual([path, query, 200, text])
    return text
  }
}

async function byKey(engine: Engine, { id }: Reader): Promise<Ask> {
  const { created } = await engine.admin.applicationApiKeys.create([{ userId: id }])
  const headers = { 'x-api-key': created[0]?.key ?? '' }
  const handle = applicationApi(engine)
  return async (path, query) => {
    const named = path.endsWith('/among') ? { ...query, userIds: id } : query
    const response = await handle(new Request(`http://localhost/v1/${path}?${new URLSearchParams(named)}`, { headers }))
    const text = await response.text()
    expect([path, query, response.status, text]).toEqual([path, query, 200, text])
    return text
  }
}

export async function lookOverHttp(played: Played, key: string, run: number, reader: Reader): Promise<void> {
  const { engine, model, game } = played
  const user = model.known(reader.id)
  if (user === null) return
  const board = game.boards[key] as Board
  const name = `${key} ${run}`
  const request = requestOf(board, run)
  const city = model.city(key, run, user)
  const rows = model.rows(key, run, city)
  const index = rows.findIndex((row) => row.user === user)
  const isLarge = model.participants(key, run, city) >= (board.smallestGroup ?? 0)
  const groups = board.byCity === true ? { userAttributes: `city:${city}` } : {}
  const unknown = USERS.filter((id) => model.known(id) !== user && model.visibility(key, id) !== 'shown')
  // A merge ends the keys of the old id.
  const asKey = { id: user, friends: [user] }

  for (const [{ id, friends: named }, ask] of [
    [reader, bySession(engine, reader)],
    [asKey, await byKey(engine, asKey)],
  ] as const) {
    const read = async (path: string, query: Readonly<Record<string, string>>) => {
      const text = await ask(path, { ...request, ...query })
      for (const other of unknown) expect(text).not.toContain(other)
      return JSON.parse(text)
    }
    const page = await read(`leaderboards/${key}`, { ...groups, limit: '100' })
    compare(played, name, page.rankings, isLarge ? rows : [], seenBy(user))
    const around = await read(`leaderboards/${key}`, { userId: id, offset: '-1', limit: '3' })
    const near = index < 0 || !isLarge ? [] : rows.slice(Math.max(0, index - 1), index + 2)
    compare(played, name, around.rankings, near, seenBy(user))
    const among = await read(`leaderboards/${key}/among`, {})
    const friends = model.among(key, run, named, (other) => other === user)
    const isLargeGroup = ({ user: other }: { readonly user: string }): boolean =>
      model.participants(key, run, model.city(key, run, other)) >= (board.smallestGroup ?? 0)
    if (friends.every(isLargeGroup)) compare(played, name, among.rankings, friends, seenBy(user))
    const own = await read(`users/${id}/leaderboards/${key}`, { numEvents: '0' })
    const { rank, value, isHidden } = model.place(key, run, user)
    expect([own.rank, own.value, own.hidden === true]).toEqual([rank, value, isHidden])
  }
}
