import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { ListedUser, User, UsersResponse } from '../../../../../src/api/users/types.ts'
import { call, route } from '../../api.ts'
import { type Answer, useAnswer } from '../../use-answer.ts'

/** The user that the page is about. */
export interface About {
  readonly user: User
  /** How lists have it: whether it is suspended, and merged. null: it was not found among so many that have its id in theirs. */
  readonly listed: ListedUser | null
  /** Counts what was changed from here. */
  readonly version: number
  /** To be called after a change: all that is shown is loaded anew. */
  readonly changed: () => void
}

export const AboutUser = createContext<About | null>(null)

export function useAbout(): About {
  const about = useContext(AboutUser)
  if (about === null) throw new Error('There is no user around this part.')
  return about
}

/** Something about the user, loaded again after a change; `keys`: what else it depends on. */
export function useOfUser<T>(
  load: (id: string, signal: AbortSignal) => Promise<T>,
  keys: readonly unknown[] = [],
): Answer<T> {
  const { user, version } = useAbout()
  return useAnswer((signal) => load(user.id, signal), [user.id, ...keys], version)
}

export async function loadUser(id: string, signal: AbortSignal): Promise<Pick<About, 'user' | 'listed'>> {
  const [user, listed] = await Promise.all([
    call<User>('GET', route`v1/users/${id}`, { signal }),
    findListed(id, signal),
  ])
  return { user, listed }
}

/** So many pages are searched for a user's line: ids that hold the id, and come before it, are few. */
const MOST_PAGES = 5

/** A user as lists have it: of those with the id in theirs, from just before it on. */
async function findListed(id: string, signal: AbortSignal): Promise<ListedUser | null> {
  let after: string | null = [...id].slice(0, -1).join('')
  for (let page = 0; page < MOST_PAGES && after !== null; page += 1) {
    const query = { search: id, after, limit: 100 }
    const answer: UsersResponse = await call('GET', 'admin/v1/users', { query, signal })
    const found = answer.users.find((user) => user.id === id)
    if (found !== undefined) return found
    after = answer.after
  }
  return null
}
