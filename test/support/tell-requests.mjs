// For `node --import`: the process tells the one that started it how long each of its HTTP requests took.

import { subscribe } from 'node:diagnostics_channel'

subscribe('http.server.request.start', ({ request, response }) => {
  const start = performance.now()
  const { user, system } = process.cpuUsage()
  response.once('close', () => {
    const cpu = process.cpuUsage({ user, system })
    process.send?.({
      path: request.url,
      status: response.statusCode,
      ms: performance.now() - start,
      cpuMs: (cpu.user + cpu.system) / 1_000,
    })
  })
})
