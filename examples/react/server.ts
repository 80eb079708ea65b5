import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import express from 'express'
import { createGamification } from 'laurels'
import { userApi } from 'laurels/express'
import { memory } from 'laurels/memory'
import { game } from './game.ts'

/** The files that Vite builds. The folder is beside this source file; the compiled example reads it there too. */
const PAGE =
  ['./dist/', '../../../examples/react/dist/']
    .map((folder) => fileURLToPath(new URL(folder, import.meta.url)))
    .find((folder) => existsSync(folder)) ?? ''

/** Your app takes the user of its session. Here every visitor is Ada, who has written for two days. */
export async function createServer(page = PAGE): Promise<express.Express> {
  const gamification = createGamification({ game, storage: memory() })
  await gamification.migrate()
  const day = 86_400_000
  for (const [id, name, words] of [
    ['18', 'Ada', 300],
    ['19', 'Ben', 700],
    ['20', 'Cleo', 450],
  ] as const) {
    for (const ago of [2, 1]) {
      const occurredAt = new Date(Date.now() - ago * day)
      await gamification.metrics.event('words', { user: { id, name }, value: words, occurredAt })
    }
  }
  const app = express()
  app.use('/game', userApi(gamification, { user: () => '18' }))
  app.use(express.static(page))
  return app
}
