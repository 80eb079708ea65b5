import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { HttpError } from './errors.js'

const sha256 = (text) => createHash('sha256').update(text).digest()

/** Makes an admin key and returns the full one, which is kept nowhere. */
export async function createAdminKey({ ApiKey }) {
  const prefix = randomBytes(4).toString('hex')
  const body = randomBytes(32).toString('base64url')
  await ApiKey.create({ prefix, hash: sha256(body).toString('hex') })
  return `${prefix}.${body}`
}

/** Leaves whom the key stands for in `req.apiKey`. */
export function authenticate({ ApiKey }) {
  return async (req, _res, next) => {
    const [prefix, body] = (req.get('X-API-KEY') ?? '').split('.')
    if (!prefix || !body) throw new HttpError(401, 'invalid_api_key', 'Missing or invalid API key.')
    const apiKey = await ApiKey.findOne({ where: { prefix }, raw: true })
    if (!apiKey || apiKey.isRevoked || !timingSafeEqual(sha256(body), Buffer.from(apiKey.hash, 'hex'))) {
      throw new HttpError(401, 'invalid_api_key', 'Missing or invalid API key.')
    }
    req.apiKey = apiKey
    next()
  }
}
