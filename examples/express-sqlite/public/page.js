import { ApiError, createClient } from './laurels/client/index.js'
import './laurels/elements/index.js'

const client = createClient({ baseUrl: './game' })
const elements = [...document.querySelectorAll('laurels-streak, laurels-badges, laurels-leaderboard, laurels-level')]
const toasts = document.querySelector('#toasts')

/** Says something for a while, and to those who do not see it once. */
function toast(text) {
  const element = document.createElement('p')
  element.className = 'toast'
  element.textContent = text
  toasts.append(element)
  setTimeout(() => element.remove(), 8_000)
}

/** The answer to an event has everything that came of it. */
function tell({ achievements, currentStreak, points }) {
  for (const { name } of achievements) toast(`New badge: ${name}`)
  for (const { level } of Object.values(points)) if (level) toast(`You are now a ${level.name}`)
  if (currentStreak.extended) toast(`Day ${currentStreak.length} of your streak`)
}

const { id } = await (await fetch('./me')).json()
const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
// Some browsers name no zone that has rules of its own: the days of the streak are those of UTC then.
await client.users.identify(id, { tz: timeZone }).catch(() => {})
for (const element of elements) {
  element.setAttribute('user-id', id)
  element.client = client
}

const form = document.querySelector('#log')
form.addEventListener('submit', async (event) => {
  event.preventDefault()
  const value = new FormData(event.target).get('pages')
  try {
    tell(await client.metrics.event('pages', { user: { id }, value: Number(value) }))
    for (const element of elements) element.refresh()
  } catch (error) {
    toast(error instanceof ApiError ? error.message : String(error))
  }
})
// Before, a press of it would have sent the form as browsers do.
form.querySelector('button').disabled = false
