// Deliveries to webhooks per second, by the number of worker processes, over one database:
//   node test/bench/by-hand/deliveries.ts [postgres|sqlite] [workers…] [--answer-ms=0]
// The receiver answers 204, at once or after so many milliseconds. The webhook has the order 'user'.

import { type ChildProcess, fork } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { postgres } from '../../../adapters/postgres/index.ts'
import { sqlite } from '../../../adapters/sqlite/index.ts'
import { createGamification, defineGame } from '../../../src/index.ts'
import { startPostgres } from '../../support/postgres-server.ts'

const USERS = 200
const EVENTS_EACH = 10
const WEBHOOKS = 1
const [answerMs = 0] = process.argv.flatMap((each) => (each.startsWith('--answer-ms=') ? [Number(each.slice(12))] : []))

const game = defineGame({
  metrics: { words: { name: 'Words' } },
  achievements: Object.fromEntries(
    Array.from({ length: EVENTS_EACH }, (_, n) => [
      `words-${n}`,
      { name: `${n + 1} words`, trigger: 'metric' as const, metric: 'words' as const, value: n + 1 },
    ]),
  ),
})

function open(place: string) {
  const storage = place.startsWith('postgres') ? postgres(place) : sqlite(place)
  return createGamification({ game, storage, webhooks: { secretKey: 'k'.repeat(32), allowInternal: true } })
}

async function work(place: string): Promise<void> {
  const gamification = open(place)
  process.send?.('ready')
  await new Promise((resolve) => process.once('message', resolve))
  const ending = new AbortController()
  const start = process.cpuUsage()
  process.once('message', () => ending.abort())
  await gamification.work({ signal: ending.signal, pollMs: 100 })
  await gamification.close()
  const { user, system } = process.cpuUsage(start)
  process.send?.({ cpuMs: (user + system) / 1_000 })
  process.disconnect()
}

function said(child: ChildProcess): Promise<unknown> {
  return new Promise((resolve) => child.once('message', resolve))
}

async function measure(place: string, workers: number): Promise<void> {
  const gamification = open(place)
  await gamification.migrate()
  const taken: { readonly user: string; readonly total: number }[] = []
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk) => {
      body += chunk
    })
    request.on('end', () => {
      const { userId, data } = JSON.parse(body)
      taken.push({ user: userId, total: Number(data.achievement.key.slice('words-'.length)) })
      setTimeout(() => response.writeHead(204).end(), answerMs)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  const ids: string[] = []
  for (let n = 0; n < WEBHOOKS; n += 1) {
    ids.push((await gamification.webhooks.create({ url, types: ['achievement.completed'] })).id)
  }
  const users = Array.from({ length: USERS }, (_, n) => `${workers}-${n}`)
  for (let n = 0; n < EVENTS_EACH; n += 1) {
    await Promise.all(users.map((id) => gamification.metrics.event('words', { user: { id }, value: 1 })))
  }
  const children = Array.from({ length: workers }, () => fork(fileURLToPath(import.meta.url), ['work', place]))
  await Promise.all(children.map(said))
  const expected = USERS * EVENTS_EACH * WEBHOOKS
  const start = performance.now()
  for (const child of children) child.send('go')
  while (taken.length < expected && performance.now() - start < 30_000) await new Promise((go) => setTimeout(go, 5))
  const seconds = (performance.now() - start) / 1_000
  const ended = children.map((child) => new Promise((resolve) => child.once('exit', resolve)))
  const used = children.map(said) as readonly Promise<{ readonly cpuMs: number }>[]
  for (const child of children) child.send('stop')
  const cpuMs = (await Promise.all(used)).reduce((sum, each) => sum + each.cpuMs, 0)
  await Promise.all(ended)
  const outOfOrder = users.filter((user) => {
    const own = taken.filter((each) => each.user === user).map(({ total }) => total)
    return own.some((total, index) => index > 0 && total < (own[index - 1] ?? 0))
  })
  const counts = (await gamification.webhooks.get(ids[0] ?? '')).deliveries
  console.log(
    `${workers} workers: ${Math.round(taken.length / seconds)} a second, ${taken.length} of ${expected} arrived, ` +
      `${counts.done} done, ${(cpuMs / taken.length).toFixed(2)} ms of the workers' processors each, ${outOfOrder.length} users out of order`,
  )
  for (const id of ids) await gamification.webhooks.delete(id)
  server.close()
  await gamification.close()
}

const [kind = 'postgres', ...rest] = process.argv.slice(2).filter((each) => !each.startsWith('--'))
if (kind === 'work') {
  await work(rest[0] ?? '')
} else {
  const counts = rest.length === 0 ? [1, 2, 4] : rest.map(Number)
  const directory = mkdtempSync(join(tmpdir(), 'laurels-deliveries-'))
  const started = kind === 'postgres' ? await startPostgres() : null
  for (const workers of counts) await measure(started?.url ?? join(directory, `${workers}.db`), workers)
  await started?.stop()
  rmSync(directory, { recursive: true, force: true })
}
