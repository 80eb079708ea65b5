import { describe, expect, test } from 'vitest'
import { createSecretBox } from '../../../src/messages/webhooks/stored-webhook.ts'

const KEY = 'a key of the host, long enough for this'
const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'

describe('a sealed secret', () => {
  const sealed = createSecretBox(KEY).seal(SECRET, 'hook-1')

  test('opens with the same key, in another process too', () => {
    expect(createSecretBox(KEY).open(sealed, 'hook-1')).toBe(SECRET)
  })

  test('tells nothing of the secret, and is another one each time', () => {
    expect(sealed).not.toContain('MfKQ9r8G')
    expect(Buffer.from(sealed.slice(3), 'base64').toString('latin1')).not.toContain('MfKQ9r8G')
    expect(createSecretBox(KEY).seal(SECRET, 'hook-1')).not.toBe(sealed)
  })

  test.each([
    ['with another key', () => createSecretBox(`${KEY}!`).open(sealed, 'hook-1')],
    ['for another webhook', () => createSecretBox(KEY).open(sealed, 'hook-2')],
    ['when it was changed', () => createSecretBox(KEY).open(`${sealed.slice(0, -8)}AAAAAAA=`, 'hook-1')],
    ['when it was cut', () => createSecretBox(KEY).open(sealed.slice(0, 20), 'hook-1')],
    ['when it is of another kind', () => createSecretBox(KEY).open(`b${sealed}`, 'hook-1')],
  ])('does not open %s', (_, open) => {
    expect(open()).toBe(null)
  })
})
