// For `node --import`: the process tells the one that started it how long each of its HTTP requests took.

import { subscribe } from 'node:diagnostics_channel'
import { existsSync, readFileSync } from 'node:fs'

const SCHEDULED = '/proc/self/schedstat'
const isLinux = existsSync(SCHEDULED)

/** For how many milliseconds so far this thread could have run, and others had the processors. */
function waited() {
  return isLinux ? Number(readFileSync(SCHEDULED, 'utf8').split(' ')[1]) / 1_000_000 : 0
}

subscribe('http.server.request.start', ({ request, response }) => {
  const before = { at: performance.now(), cpu: process.cpuUsage(), waited: waited() }
  response.once('close', () => {
    const { user, system } = process.cpuUsage(before.cpu)
    process.send?.({
      path: request.url,
      status: response.statusCode,
      ms: performance.now() - before.at,
      cpuMs: (user + system) / 1_000,
      waitedMs: waited() - before.waited,
    })
  })
})
