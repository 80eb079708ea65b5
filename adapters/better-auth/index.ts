import type { BetterAuthPlugin } from 'better-auth'
import { isGamificationError } from '../../src/errors.ts'
import type { DefinedGame, GamificationApi, UserUpdate } from '../../src/index.ts'
import { checkOptions, invalidOption } from '../../src/options.ts'

/** A user of better-auth, with the fields that plug-ins add. */
export interface AuthUser {
  readonly id: string
  readonly name: string
  readonly email: string
  readonly createdAt?: Date | string
  readonly isAnonymous?: boolean | null
}

type Engine = Pick<GamificationApi<DefinedGame>, 'users'>

export interface LaurelsOptions {
  /**
   * The engine, a promise of it, or a function that returns either, such as `getGamification`. In a game with tenants,
   * pass one tenant: `gamification.tenant('acme')`.
   */
  readonly gamification: Engine | Promise<Engine> | (() => Engine | Promise<Engine>)
  /** The profile that laurels gets of a user. Default: name, email, and `createdAt` as the sign-up date; of an anonymous user, nothing. */
  readonly profile?: (user: AuthUser & { readonly [field: string]: unknown }) => UserUpdate
}

export interface LaurelsPlugin extends Pick<BetterAuthPlugin, 'init'> {
  readonly id: 'laurels'
  /** Gives the progress of an anonymous user to the account: `anonymous({ onLinkAccount: plugin.onLinkAccount })`. */
  readonly onLinkAccount: (link: {
    readonly anonymousUser: { readonly user: AuthUser }
    readonly newUser: { readonly user: AuthUser }
  }) => Promise<void>
}

/**
 * A plug-in of better-auth. Users of better-auth become users of laurels with the same id: on sign-up, and when their
 * profile changes. They are deleted with them. A failure of laurels fails no request of better-auth: the logger of
 * better-auth logs it, with the call to repeat.
 */
export function laurels(options: LaurelsOptions): LaurelsPlugin {
  checkOptions('options of laurels', options, ['gamification', 'profile'])
  const { gamification } = options
  checkEngine(gamification, 'the engine of createGamification(), a promise of it, or a function that returns it')
  const users = async (): Promise<Engine['users']> => {
    const engine: unknown = await (typeof gamification === 'function' ? gamification() : gamification)
    checkEngine(engine, 'a function or promise that ends with the engine of createGamification()')
    return (engine as Engine).users
  }
  const profile = options.profile ?? defaultProfile
  // Users whose progress could not be merged. Deleting them would lose it.
  const unmerged = new Set<string>()
  let log = (_message: string, _error: unknown): void => undefined

  /** Returns `false` if the call failed. */
  const attempt = async (call: string, user: string, run: () => Promise<unknown>): Promise<boolean> => {
    try {
      await run()
      return true
    } catch (error) {
      log(`laurels could not ${call} the user ${user}. Call users.${call} again.`, error)
      return false
    }
  }

  /** A field that laurels refuses is left out and logged: the user keeps the others. */
  const identifyAs = async (id: string, update: UserUpdate): Promise<void> => {
    const api = await users()
    const fields: { [field: string]: unknown } = { ...update }
    for (;;) {
      try {
        await api.identify(id, fields)
        return
      } catch (error) {
        const field = refusedField(error)
        if (field === null || fields[field] === undefined) throw error
        log(
          `laurels refused ${field} of the user ${id}, and saved the other fields. Correct the option profile.`,
          error,
        )
        delete fields[field]
      }
    }
  }

  const identify = async (user: AuthUser & { readonly [field: string]: unknown }): Promise<void> => {
    await attempt('identify', user.id, () => identifyAs(user.id, profile(user)))
  }

  const remove = async ({ id }: { readonly id: string }): Promise<void> => {
    if (unmerged.delete(id)) return
    await attempt('delete', id, async () => {
      const api = await users()
      const known = await unlessUnknown(api.get(id))
      // The id of a merged user is another name for the account, which stays.
      if (known?.id === id) await unlessUnknown(api.delete(id))
    })
  }

  return {
    id: 'laurels',
    init: ({ logger, options: { plugins = [] } }) => {
      log = (message, error) => logger.error(message, error)
      const anonymous = plugins.find(({ id }) => id === 'anonymous')
      if (anonymous !== undefined && anonymous.options?.onLinkAccount === undefined) throw new Error(NOT_LINKED)
      const user = { create: { after: identify }, update: { after: identify }, delete: { after: remove } }
      return { options: { databaseHooks: { user } } }
    },
    onLinkAccount: async ({ anonymousUser, newUser }) => {
      const [userId, into] = [anonymousUser.user.id, newUser.user.id]
      if (userId === into) return
      const isMerged = await attempt('merge', `${userId} into ${into}`, async () => {
        await identifyAs(into, profile({ ...newUser.user }))
        // An unknown user has no progress.
        await unlessUnknown((await users()).merge({ from: userId, into }))
      })
      if (!isMerged) unmerged.add(userId)
    },
  }
}

const NOT_LINKED =
  'Without onLinkAccount anonymous users lose their progress when they sign in. Make the plug-in of laurels first, ' +
  'and give its method to the other: anonymous({ onLinkAccount: plugin.onLinkAccount }).'

/** Throws `invalid_request` for what can be no engine. */
function checkEngine(given: unknown, wanted: string): void {
  const isEngine = typeof (given as Partial<Engine> | null | undefined)?.users?.identify === 'function'
  if (isEngine || given instanceof Promise || typeof given === 'function') return
  throw invalidOption('gamification', wanted, given)
}

/** The field of a profile that laurels refused, or `null` if the error is about something else. */
function refusedField(error: unknown): string | null {
  if (!isGamificationError(error)) return null
  if (error.code === 'unknown_attribute') return 'attributes'
  if (error.code === 'sign_up_date_out_of_range') return 'signUpDate'
  if (error.code !== 'invalid_request' && error.code !== 'unknown_time_zone') return null
  const [field = ''] = /^\w+/.exec(error.issues[0]?.path ?? '') ?? []
  return field === '' ? null : field
}

function defaultProfile({ name, email, createdAt, isAnonymous }: AuthUser): UserUpdate {
  if (isAnonymous === true) return {}
  const signedUp = createdAt === undefined ? {} : { signUpDate: new Date(createdAt).toISOString() }
  // A sign-up by a link or a code has the name ''.
  return { name: name || null, email, ...signedUp }
}

async function unlessUnknown<T>(call: Promise<T>): Promise<T | null> {
  return call.catch((error) => {
    if (isGamificationError(error) && error.code === 'unknown_user') return null
    throw error
  })
}
