import { describe, expect, test } from 'vitest'
import { isInside, urlProblem } from '../../../src/messages/webhooks/addresses.ts'

describe('an address inside', () => {
  test.each([
    '0.1.2.3',
    '10.0.0.1',
    '100.127.255.255',
    '127.0.0.1',
    '169.254.169.254',
    '172.31.255.255',
    '192.168.1.1',
    '198.18.0.1',
    '239.255.255.255',
    '255.255.255.255',
    '::1',
    'fc00::1',
    'fe80::1',
    'fec0::1',
    'ff02::1',
    '::127.0.0.1',
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '64:ff9b::10.0.0.1',
    '64:ff9b:1::808:808',
    '2002:7f00:1::',
    '2001::1',
    '2001:db8::1',
    'nonsense',
    '',
  ])('%s is one', (address) => {
    expect(isInside(address)).toBe(true)
  })

  test.each([
    '1.1.1.1',
    '11.0.0.0',
    '100.128.0.0',
    '128.0.0.0',
    '172.32.0.0',
    '192.169.0.0',
    '223.255.255.255',
    '2606:4700:4700::1111',
    '::ffff:8.8.8.8',
    '64:ff9b::8.8.8.8',
    '2002:808:808::1',
  ])('%s is none', (address) => {
    expect(isInside(address)).toBe(false)
  })
})

describe('the URL of a webhook', () => {
  test.each(['https://example.com/hooks?a=b', 'https://example.com:8080/', 'https://[2606:4700::1111]/'])(
    '%s may be one',
    (url) => {
      expect(urlProblem(url, false)).toBe(null)
    },
  )

  test.each([
    ['example.com/hooks', 'must be a URL, as https://example.com/hooks'],
    ['ftp://example.com/', 'must begin with https://'],
    ['file:///etc/passwd', 'must begin with https://'],
    ['https://ann:secret@example.com/', 'must have no user and no password in it'],
    ['https://ann@example.com/', 'must have no user and no password in it'],
    ['https://example.com/#part', 'must have no fragment (#): it is never sent'],
    [`https://example.com/${'a'.repeat(2_048)}`, 'must have at most 2048 characters'],
  ])('%s may not', (url, problem) => {
    expect(urlProblem(url, false)).toBe(problem)
    expect(urlProblem(url, true)).toBe(problem)
  })

  test('may be sent in clear text only where internal addresses are allowed', () => {
    const url = 'http://example.com:8080/'
    expect(urlProblem(url, false)).toBe('must begin with https://, unless allowInternal (--allow-internal) is given')
    expect(urlProblem(url, true)).toBe(null)
  })

  test.each([
    'http://127.0.0.1/',
    'http://2130706433/',
    'http://localhost:3000/',
    'http://app.localhost/',
    'http://[::1]/',
    'http://[::ffff:10.0.0.1]/',
    'http://169.254.169.254/latest/meta-data',
  ])('%s may be one only where internal addresses are allowed', (url) => {
    expect(urlProblem(url, false)).toBe(
      'must not be an internal address, unless allowInternal (--allow-internal) is given',
    )
    expect(urlProblem(url, true)).toBe(null)
  })
})
