import { createHmac } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import { describe, expect, test } from 'vitest'
import {
  newSecret,
  readSecret,
  serviceSignature,
  signatures,
  toSignedRequest,
} from '../../../src/messages/webhooks/signed-request.ts'
import type { Delivery } from '../../../src/sql/deliveries.ts'

/** The example in Standard Webhooks for writers of libraries. */
const EXAMPLE = {
  secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
  timestamp: 1_614_265_330,
  body: '{"test": 2432232314}',
  signature: 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
}

describe('the signature of Standard Webhooks', () => {
  test('is that of the example', () => {
    expect(signatures(EXAMPLE, [EXAMPLE.secret])).toBe(EXAMPLE.signature)
  })

  test('is one for each secret, in their order, with a blank between', () => {
    const other = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD'
    const [second] = [signatures(EXAMPLE, [other])]
    expect(signatures(EXAMPLE, [EXAMPLE.secret, other])).toBe(`${EXAMPLE.signature} ${second}`)
    expect(second).not.toBe(EXAMPLE.signature)
  })

  test.each([
    ['a new secret', newSecret(), {}],
    ['one of 24 bytes', `whsec_${Buffer.alloc(24, 7).toString('base64')}`, {}],
    ['one of 64 bytes', `whsec_${Buffer.alloc(64, 200).toString('base64')}`, {}],
    ['one of another service, which is no base64', 'trophy-secret-of-the-service', { format: 'raw' as const }],
  ])('is verified by the official package with %s', (_, secret, options) => {
    const timestamp = Math.floor(Date.now() / 1_000)
    const body = '{"type":"streak.lost","name":"Ännchen 🎉"}'
    const headers = {
      'webhook-id': 'm-1',
      'webhook-timestamp': String(timestamp),
      'webhook-signature': signatures({ id: 'm-1', timestamp, body }, [secret]),
    }
    const receiver = new Webhook(secret, options)
    expect(receiver.verify(body, headers)).toEqual({ type: 'streak.lost', name: 'Ännchen 🎉' })
    expect(() => receiver.verify(`${body} `, headers)).toThrow('No matching signature found')
    expect(() => receiver.verify(body, { ...headers, 'webhook-id': 'm-2' })).toThrow('No matching signature found')
  })
})

test("the service's signature is the base64 of the body's HMAC by the text of the secret", () => {
  const body = '{"type":"streak.lost"}'
  const expected = createHmac('sha256', 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw').update(body).digest('base64')
  expect(serviceSignature(body, 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw')).toBe(expected)
})

describe('a secret', () => {
  test('that is made has 32 bytes, and no two are the same', () => {
    const [one, other] = [newSecret(), newSecret()]
    expect(one).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    expect(readSecret(one)).toHaveLength(32)
    expect(one).not.toBe(other)
  })

  test.each([
    ['of 23 bytes', `whsec_${Buffer.alloc(23).toString('base64')}`],
    ['of 65 bytes', `whsec_${Buffer.alloc(65).toString('base64')}`],
    ['of base64 without its end', 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfI'],
    ['of no base64', `whsec_${'!'.repeat(40)}`],
    ['of nothing but the prefix', 'whsec_'],
    ['of 23 characters', 'a'.repeat(23)],
    ['of 256 characters', 'a'.repeat(256)],
    ['with a blank', 'a secret of many letters and blanks'],
    ['with letters beyond ASCII', 'ä'.repeat(30)],
  ])('%s is none', (_, secret) => {
    expect(readSecret(secret)).toBe(null)
  })
})

test.each([
  [true, { trigger: 'api', kind: 'criteria' }],
  [false, { trigger: 'criteria' }],
])('with serviceSignature %s an achievement with criteria is sent as %j', (serviceSignature, expected) => {
  const data = JSON.stringify({ achievement: { key: 'both', trigger: 'criteria', userAttributes: [] } })
  const delivery: Delivery = {
    ...{ receiver: 'webhook', position: 1, messageId: 'm-1', type: 'achievement.completed', at: 0, data },
    ...{ tenant: '', user: 'ann', state: 'waiting' as const, attempts: 0, nextAt: null, log: '[]' },
  }
  const options = { secrets: [EXAMPLE.secret], now: 0, multiTenant: false, wholeNumbers: null }
  const { body } = toSignedRequest(delivery, { serviceSignature }, options)
  expect(JSON.parse(body).data.achievement).toEqual({ key: 'both', userAttributes: [], ...expected })
})
