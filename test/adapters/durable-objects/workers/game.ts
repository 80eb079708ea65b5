// Runs in workerd: a game in each object. The clock is ahead of the system's by the milliseconds in `AHEAD_MS`.

import { DurableObject, env } from 'cloudflare:workers'
import { defineGame, type MetricEventResponse } from 'laurels'
import { gameObject } from 'laurels/durable-objects'
import { type Namespace, textOf } from './objects.ts'

const game = defineGame({
  metrics: { words: { name: 'Words' } },
  achievements: { first: { name: 'First words', trigger: 'metric', metric: 'words', value: 2 } },
  points: { xp: { name: 'XP', triggers: [{ type: 'metric', metric: 'words', threshold: 100, points: 10 }] } },
  streak: {
    frequency: 'daily',
    metrics: { words: {} },
    reminders: [{ key: 'evening', before: { hours: 4 } }],
  },
  leaderboards: { all: { name: 'All', rankBy: 'metric', metric: 'words', start: '2026-01-01' } },
})
const DAY_MS = 86_400_000
let aheadMs = Number(env.AHEAD_MS ?? 0)
const now = (): Date => new Date(Date.now() + aheadMs)
let failures = 1

const Parent = gameObject(DurableObject, {
  game,
  clock: now,
  start: async (gamification) => {
    const types = ['streak.lost', 'achievement.completed', 'emails.streak_reminder_due'] as const
    await gamification.subscribe('mails', { types }, async (messages, { tx }) => {
      await tx.query('create table if not exists mails (user_id text, type text, sent_at integer)')
      for (const { userId, type } of messages) {
        await tx.query('insert into mails values (?, ?, ?)', [userId, type, now().getTime()])
        await fetch(`http://mailer/${type}/${userId}`)
        if (userId === 'unlucky' && failures-- > 0) throw new Error('The mail server is away.')
      }
    })
  },
})

export class Game extends Parent {
  event(id: string, value: number, idempotencyKey: string): Promise<MetricEventResponse> {
    return this.gamification.metrics.event('words', { user: { id }, value, idempotencyKey })
  }

  /** Sets the clock of all objects. Call it before the first call of another object. Returns by how much it is ahead of the system's. */
  async setClock(time: string): Promise<number> {
    aheadMs = Date.parse(time) - Date.now()
    return aheadMs
  }

  /** Records the first event of a user, 24 hours ago. */
  async eventOfYesterday(id: string, tz: string): Promise<void> {
    const occurredAt = new Date(now().getTime() - DAY_MS)
    await this.gamification.metrics.event('words', { user: { id, tz }, value: 1, occurredAt })
  }

  async createKey(): Promise<string> {
    return (await this.gamification.adminKeys.create()).key
  }

  async mails(): Promise<readonly object[]> {
    const tables = this.ctx.storage.sql.exec("select 1 from sqlite_schema where name = 'mails'").toArray()
    if (tables.length === 0) return []
    return this.ctx.storage.sql.exec('select user_id as user, type, sent_at as sentAt from mails').toArray()
  }

  /** By the clock of the game. */
  async alarmAt(): Promise<string | null> {
    const at = await this.ctx.storage.getAlarm()
    return at === null ? null : new Date(at + aheadMs).toISOString()
  }

  async totals(): Promise<object> {
    const { drift, users, entries } = await this.gamification.verify()
    const { rankings } = await this.gamification.leaderboards.get('all', { limit: 100 })
    return { drift, users, entries, sum: rankings.reduce((sum, { value }) => sum + value, 0) }
  }
}

interface Env {
  readonly GAME: Namespace<{ [name in keyof Game]: (...given: unknown[]) => unknown }>
}

// biome-ignore lint/style/noDefaultExport: the form of a Worker
export default {
  /** `/<object>/<method>?<arguments as JSON>` calls a method, and `/<object>/v1/…` the API. */
  fetch: async (request: Request, { GAME }: Env): Promise<Response> => {
    const { pathname, search } = new URL(request.url)
    const [, name = '', method = ''] = pathname.split('/')
    const object = GAME.getByName(name)
    if (method === 'v1' || method === 'admin') {
      const url = request.url.replace(`/${name}/`, '/')
      return (await object.fetch(new Request(url, request))) as Response
    }
    try {
      const given = search === '' ? [] : JSON.parse(decodeURIComponent(search.slice(1)))
      return Response.json((await object[method as keyof Game](...given)) ?? null)
    } catch (error) {
      return new Response(textOf(error), { status: 500 })
    }
  },
}
