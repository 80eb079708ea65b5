import { ApiError, createClient } from './laurels/client/index.js'
import './laurels/elements/index.js'

const client = createClient({ baseUrl: './game' })
const elements = [...document.querySelectorAll('main > *')]
const toasts = document.querySelector('#toasts')

/** Shows a text for a while; screen readers read it once. */
function toast(text) {
  const element = document.createElement('p')
  element.className = 'toast'
  element.textContent = text
  toasts.append(element)
  setTimeout(() => element.remove(), 8_000)
}

/** The answer to an event has everything that followed from it. */
function tell({ achievements, challenges = [], currentStreak, points }) {
  for (const { name } of achievements) toast(`New badge: ${name}`)
  for (const { quest } of challenges) if (quest.claimed || quest.claimUntil) toast(`Completed: ${quest.name}`)
  for (const { level } of Object.values(points)) if (level) toast(`You are now a ${level.name}`)
  if (currentStreak.extended) toast(`Day ${currentStreak.length} of your streak`)
}

const { id } = await (await fetch('./me')).json()
const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
// Some browsers report a zone without rules, such as GMT. The streak then counts days in UTC.
await client.users.identify(id, { tz: timeZone }).catch(() => {})
for (const element of elements) {
  element.setAttribute('user-id', id)
  element.client = client
}

// A claim changes points, and perhaps the level.
document.addEventListener('laurels-acted', ({ target }) => {
  for (const element of elements) if (element !== target) element.refresh()
})

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
// Enabled only now: without this script, the browser would submit the form.
form.querySelector('button').disabled = false
