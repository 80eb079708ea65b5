// @heavy: It takes more than three seconds.

import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { laurels } from '../../support/cli.ts'
import { type OwnDatabase, useDatabases } from '../postgres/races-database.ts'

const newDatabase = useDatabases()
const role = `laurels_app_${randomBytes(4).toString('hex')}`

let database: OwnDatabase
let url = ''

interface Told {
  readonly check: string
  readonly status: string
  readonly message: string
  readonly fix: readonly string[]
}

async function doctor(db: string): Promise<{ code: number; findings: readonly Told[] }> {
  const { code, out } = await laurels(['doctor', '--json', '--db', db])
  return { code, findings: JSON.parse(out).findings }
}

const of = (findings: readonly Told[], name: string): Told | undefined => findings.find(({ check }) => check === name)

beforeAll(async () => {
  database = await newDatabase()
  await laurels(['migrate', '--db', database.url])
  await database.query(`create role ${role} login password 'hush-hush'`)
  const own = new URL(database.url)
  own.username = role
  own.password = 'hush-hush'
  url = own.href
})

afterAll(async () => {
  await database.query(`drop owned by ${role}`)
  await database.query(`drop role ${role}`)
})

test('what a role lacks is named, with the statements that grant it, after which nothing is missing', async () => {
  const lacking = await doctor(url)
  expect(lacking.code).toBe(1)
  const grants = of(lacking.findings, 'grants')
  expect(grants?.message).toMatch(new RegExp(`^the role ${role} lacks usage on the schema laurels, delete on `))
  expect(grants?.fix).toHaveLength(3)
  expect(of(lacking.findings, 'database')?.status).toBe('problem')

  for (const grant of grants?.fix ?? []) await database.query(grant)
  const granted = await doctor(url)
  expect(granted.findings.filter(({ status }) => status === 'problem')).toEqual([])
  expect(of(granted.findings, 'grants')).toMatchObject({ status: 'ok' })
  expect(of(granted.findings, 'clock')).toMatchObject({ status: 'ok' })
  expect(of(granted.findings, 'driver')?.message).toMatch(/^pg 8\.\S+, Postgres \d+/)
  expect(granted.code).toBe(0)
})

test('a clock that is behind or ahead is told by how much', async () => {
  const told = async (by: number): Promise<Told | undefined> => {
    const now = new Date(Date.now() + by).toISOString()
    const { out } = await laurels(['doctor', '--json', '--db', database.url], { now })
    return of(JSON.parse(out).findings, 'clock')
  }
  expect(await told(-30_000)).toMatchObject({
    status: 'warning',
    message: expect.stringMatching(/\d\d\.\d s behind the/),
  })
  expect(await told(3_600_000)).toMatchObject({
    status: 'problem',
    message: expect.stringMatching(/\d s ahead of the/),
  })
})

test('a server that is not there, and a password that is wrong, are told without the password', async () => {
  const wrong = url.replace('hush-hush', 'not-this-one')
  for (const db of [wrong, `postgres://${role}:not-this-one@127.0.0.1:1/app`]) {
    const { code, out, err } = await laurels(['doctor', '--db', db])
    expect(out).toMatch(/^problem {2}database: /m)
    expect(`${out}${err}`).not.toContain('not-this-one')
    expect(code).toBe(1)
  }
})
