/*
 * A reading club at the edge: a Worker, and a Durable Object for each club. `npm run edge` runs it in workerd.
 *
 * GET  /<club>        a page that shows the club, and records pages
 * POST /<club>/read   records pages: a form with `name` and `pages`
 *
 * Anybody may read and write here. Your own Worker asks who sends a request before it calls the object.
 */
import { DurableObject } from 'cloudflare:workers'
import { defineGame } from 'laurels'
import { gameObject } from 'laurels/durable-objects'

const game = defineGame({
  metrics: { pages: { name: 'Pages read' } },
  achievements: {
    'first-page': { name: 'First page', trigger: 'metric', metric: 'pages', value: 1 },
    bookworm: { name: 'Bookworm', trigger: 'metric', metric: 'pages', value: 500 },
  },
  points: { xp: { name: 'XP', triggers: [{ type: 'metric', metric: 'pages', threshold: 10, points: 1 }] } },
  streak: { frequency: 'daily', metrics: { pages: {} } },
  leaderboards: { readers: { name: 'Readers', rankBy: 'metric', metric: 'pages', start: '2026-01-01' } },
})

interface Club {
  readonly readers: readonly { readonly rank: number; readonly name: string; readonly pages: number }[]
  /** Streaks that ended, the newest first. The object's alarm writes it, at the reader's midnight. */
  readonly news: readonly string[]
}

const Parent = gameObject(DurableObject, {
  game,
  start: async (gamification) => {
    await gamification.subscribe('news', { types: ['streak.lost'] }, async (messages, { tx }) => {
      await tx.query('create table if not exists news (at text, name text)')
      for (const { at, data } of messages) await tx.query('insert into news values (?, ?)', [at, data.user.name])
    })
  },
})

export class Game extends Parent {
  async read(name: string, pages: number): Promise<void> {
    await this.gamification.metrics.event('pages', { user: { id: name.toLowerCase(), name }, value: pages })
  }

  async show(): Promise<Club> {
    const { rankings } = await this.gamification.leaderboards.get('readers', { limit: 10 })
    const { sql } = this.ctx.storage
    const hasNews = sql.exec("select 1 from sqlite_schema where name = 'news'").toArray().length > 0
    const news = hasNews ? sql.exec('select at, name from news order by at desc limit 5').toArray() : []
    return {
      readers: rankings.map(({ rank, userName, userId, value }) => ({ rank, name: userName ?? userId, pages: value })),
      news: (news as { readonly at: string; readonly name: string }[]).map(
        ({ at, name }) => `${at} ${name} lost a streak`,
      ),
    }
  }
}

const escaped = (text: string): string => text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`)

function pageOf(club: string, { readers, news }: Club): string {
  const rows = readers.map(({ rank, name, pages }) => `<tr><td>${rank}<td>${escaped(name)}<td>${pages}`)
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>${escaped(club)}</title>
<style>body { font: 1rem system-ui; max-width: 30rem; margin: 3rem auto } td, th { padding: 0.2rem 1rem 0.2rem 0; text-align: left }</style>
<h1>${escaped(club)}</h1>
<form method="post" action="/${encodeURIComponent(club)}/read">
<input name="name" placeholder="Your name" required> <input name="pages" type="number" min="1" max="1000" required> pages
<button>Read</button></form>
<table><tr><th>Rank<th>Reader<th>Pages${rows.join('')}</table>
<ul>${news.map((line) => `<li>${escaped(line)}`).join('')}</ul>`
}

interface Env {
  readonly GAME: { getByName(name: string): Pick<Game, 'read' | 'show'> }
}

// biome-ignore lint/style/noDefaultExport: the form of a Worker
export default {
  async fetch(request: Request, { GAME }: Env): Promise<Response> {
    const { pathname, origin } = new URL(request.url)
    const [, club = '', action] = decodeURIComponent(pathname).split('/')
    if (club === '') return Response.redirect(`${origin}/library`, 302)
    const object = GAME.getByName(club)
    if (request.method === 'POST' && action === 'read') {
      const form = await request.formData()
      await object.read(String(form.get('name')).slice(0, 50), Number(form.get('pages')))
      return Response.redirect(`${origin}/${encodeURIComponent(club)}`, 303)
    }
    return new Response(pageOf(club, await object.show()), { headers: { 'content-type': 'text/html; charset=utf-8' } })
  },
}
