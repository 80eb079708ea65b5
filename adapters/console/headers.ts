type Headers = { readonly [name: string]: string }

const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: https:",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'self'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ')

/** On every answer below the mount, whatever it is: nothing of elsewhere runs here, and nobody frames or reads it. */
export const SECURITY: Headers = {
  'content-security-policy': POLICY,
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
}

/** Of what has the same name only as long as it is the same. */
export const FOREVER: Headers = { 'cache-control': 'public, max-age=31536000, immutable' }
export const NEVER_KEPT: Headers = { 'cache-control': 'no-store' }
