/**
 * Sends single events on eight lanes until it is killed, or until there were `args.most`, and says the key of each once
 * it is answered. Every 25th happened days ago, so that a log is folded again.
 */
export const EVENTS_SCRIPT = `
  const clock = () => new Date(args.now)
  const storage = sqlite(args.file, { synchronous: args.synchronous })
  const engine = createGamification({ game: defineGame(args.definition), storage, clock })
  await engine.migrate()
  let sent = 0
  async function lane() {
    while (sent < args.most) {
      const n = sent
      sent += 1
      const idempotencyKey = args.run + '-' + n
      const user = { id: 'user-' + (n % 7), tz: 'Asia/Tokyo' }
      const late = n % 25 === 24 ? { occurredAt: new Date(clock().getTime() - (1 + (n % 9)) * 86_400_000 - n) } : {}
      const note = args.note === undefined ? {} : { attributes: { note: args.note } }
      await engine.metrics.event('words', { user, value: 2, idempotencyKey, ...late, ...note })
      say(idempotencyKey)
    }
  }
  await Promise.all(Array.from({ length: 8 }, lane))
  if (args.leaves) process.kill(process.pid, 'SIGKILL')
  await engine.close()
`
