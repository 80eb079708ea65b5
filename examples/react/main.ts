/*
 * The API of a signed-in writer, and a React page built by Vite. In a clone:
 *
 *   npm run build && npx vite build examples/react && node dist/examples/react/main.js
 *
 * PORT  where it listens; 0 takes any free port. Default: 3000
 *
 * Everything is kept in memory. While you change the page, run `npx vite examples/react` beside the server.
 */
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { createServer } from './server.ts'

const server = (await createServer()).listen(Number(process.env.PORT || 3000))
await once(server, 'listening')
process.stdout.write(`The page: http://localhost:${(server.address() as AddressInfo).port}/\n`)
