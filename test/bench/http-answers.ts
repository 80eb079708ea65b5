import assert from 'node:assert/strict'

interface Server {
  readonly name: string
  readonly port: number
  readonly key: string
}

interface Given {
  readonly metric: string
  readonly user: string
  readonly value: number
  readonly key: string | null
}

const METRICS = ['words', 'pages', 'notes', 'likes', 'shares']

/** Events that reach everything in the game: every kind of achievement and trigger, a level, a replay, a way down. */
function given(): Given[] {
  return Array.from({ length: 200 }, (_, index) => {
    const base = { metric: METRICS[(index * 7) % 5] ?? 'words', value: ((index * 37) % 61) - 6 + (index % 2) / 10 }
    const user = index % 4 === 3 ? 'somebody-new' : `user-${index % 4}`
    // Each key is used twice in a row by the same user and metric.
    const previous = index - (index % 20)
    const isReplay = index % 20 === 1
    if (!isReplay) return { ...base, user, key: index % 3 === 0 ? `key-${index}` : null }
    return {
      metric: METRICS[(previous * 7) % 5] ?? 'words',
      user: `user-${previous % 4}`,
      value: 1,
      key: `key-${previous}`,
    }
  })
}

const ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
const INSTANT = /^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/

async function answer({ port, key }: Server, event: Given): Promise<unknown> {
  const response = await fetch(`http://127.0.0.1:${port}/v1/metrics/${event.metric}/event`, {
    method: 'POST',
    headers: {
      'x-api-key': key,
      'content-type': 'application/json',
      ...(event.key === null ? {} : { 'idempotency-key': event.key }),
    },
    body: JSON.stringify({ user: { id: event.user }, value: event.value }),
  })
  // What differs between two servers that do the same is left out.
  const body: unknown = JSON.parse(await response.text(), (_, value) => {
    if (typeof value !== 'string') return value
    if (ID.test(value)) return 'id'
    return INSTANT.test(value) ? 'instant' : value
  })
  return { status: response.status, body }
}

/** That the servers do the same work; throws where they answer differently. Returns how many answers were compared. */
export async function compareAnswers(servers: readonly Server[]): Promise<number> {
  const events = given()
  for (const event of events) {
    const [first, ...others] = await Promise.all(servers.map((server) => answer(server, event)))
    for (const [index, other] of others.entries()) {
      assert.deepEqual(other, first, `${servers[index + 1]?.name} answers ${JSON.stringify(event)} in another way`)
    }
  }
  return events.length
}
