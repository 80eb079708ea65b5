import { HttpError } from './errors.js'
import { eventAttributes, metrics, userAttributes } from './game.js'

const wrong = (message, code = 'invalid_request') => new HttpError(422, code, message)

/** The event of a request, checked. */
export function readEvent(req) {
  const metric = metrics.get(req.params.key)
  const { user, value, attributes = {} } = req.body ?? {}
  if (typeof user !== 'object' || user === null) throw wrong('user must be an object.')
  if (typeof user.id !== 'string' || user.id === '' || user.id.length > 255) throw wrong('user.id must be a string.')
  if (req.apiKey.userId !== null && req.apiKey.userId !== user.id) {
    throw new HttpError(403, 'other_user', 'This key is for another user.')
  }
  if (!metric) throw wrong(`Unknown metric ${req.params.key}.`, 'unknown_metric')
  if (!Number.isFinite(value) || Math.abs(value) > 1e15) throw wrong('value must be a finite number.')
  checkAttributes(attributes, eventAttributes, 'attributes')
  return { metric, value, attributes, user: readUser(user), idempotencyKey: readIdempotencyKey(req) }
}

function readIdempotencyKey(req) {
  const key = req.get('Idempotency-Key')
  if (key === undefined) return null
  if (!/^[\x21-\x7e]{1,255}$/.test(key)) {
    throw new HttpError(400, 'invalid_idempotency_key', 'Idempotency-Key must have 1 to 255 visible characters.')
  }
  return key
}

/** The fields that are given: an absent one stays as it is. */
function readUser(user) {
  const profile = { id: user.id }
  for (const field of ['email', 'name', 'tz']) {
    if (user[field] === undefined) continue
    if (user[field] !== null && typeof user[field] !== 'string') throw wrong(`user.${field} must be a string.`)
    profile[field] = user[field]
  }
  if (profile.tz && !isTimeZone(profile.tz)) throw wrong('user.tz must be an IANA time zone.', 'unknown_time_zone')
  if (user.subscribedToEmails !== undefined) {
    if (typeof user.subscribedToEmails !== 'boolean') throw wrong('user.subscribedToEmails must be a boolean.')
    profile.subscribedToEmails = user.subscribedToEmails
  }
  if (user.attributes !== undefined) {
    checkAttributes(user.attributes, userAttributes, 'user.attributes')
    profile.attributes = user.attributes
  }
  return profile
}

function checkAttributes(attributes, known, path) {
  if (typeof attributes !== 'object' || attributes === null) throw wrong(`${path} must be an object.`)
  for (const [key, value] of Object.entries(attributes)) {
    if (!known.has(key)) throw wrong(`Unknown attribute ${key} in ${path}.`, 'unknown_attribute')
    if (typeof value !== 'string' || value.length > 1_024) throw wrong(`${path}.${key} must be a string.`)
  }
}

function isTimeZone(name) {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    return false
  }
}
