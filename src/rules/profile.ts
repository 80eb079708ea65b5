import type { ProfilePatch } from './entry.ts'
import type { Profile } from './state.ts'

export function zoneOf(profile: Profile): string {
  return profile.tz ?? 'UTC'
}

export function isSubscribedToEmails(profile: Profile): boolean {
  return profile.email !== null && (profile.subscribedToEmails ?? true)
}

/** The profile after a patch; the same object when nothing changed. */
export function patchProfile(profile: Profile, patch: ProfilePatch | null): Profile {
  if (patch === null) return profile
  const patched: Profile = {
    email: patch.email === undefined ? profile.email : patch.email,
    name: patch.name === undefined ? profile.name : patch.name,
    tz: patch.tz === undefined ? profile.tz : patch.tz,
    subscribedToEmails: patch.subscribedToEmails ?? profile.subscribedToEmails,
    deviceTokens: patchTokens(profile.deviceTokens, patch.deviceTokens),
    attributes: patchAttributes(profile.attributes, patch.attributes),
  }
  return isSameProfile(profile, patched) ? profile : patched
}

function patchTokens(
  tokens: readonly string[] | null,
  patch: readonly string[] | null | undefined,
): readonly string[] | null {
  if (patch === undefined) return tokens
  const isSame =
    patch !== null &&
    tokens !== null &&
    patch.length === tokens.length &&
    patch.every((token, index) => token === tokens[index])
  return isSame ? tokens : patch
}

function patchAttributes(
  attributes: ReadonlyMap<string, string>,
  patch: ReadonlyMap<string, string> | undefined,
): ReadonlyMap<string, string> {
  if (patch === undefined) return attributes
  let patched: Map<string, string> | null = null
  for (const [name, value] of patch) {
    if (attributes.get(name) === value) continue
    patched ??= new Map(attributes)
    patched.set(name, value)
  }
  return patched ?? attributes
}

function isSameProfile(left: Profile, right: Profile): boolean {
  return (
    left.email === right.email &&
    left.name === right.name &&
    left.tz === right.tz &&
    left.subscribedToEmails === right.subscribedToEmails &&
    left.deviceTokens === right.deviceTokens &&
    left.attributes === right.attributes
  )
}
