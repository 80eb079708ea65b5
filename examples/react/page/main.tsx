import {
  LaurelsProvider,
  type Toast,
  useAchievements,
  useChallenges,
  useChoices,
  useLaurels,
  useLeaderboard,
  useMetric,
  usePoints,
  useStreak,
  useToasts,
  useTrackEvent,
} from 'laurels/react'
import { type ReactElement, StrictMode, useEffect } from 'react'
import { createRoot } from 'react-dom/client'
import type { game } from '../game.ts'

// Every hook knows the keys of this game.
declare module 'laurels/react' {
  interface Register {
    game: typeof game
  }
}

function Write(): ReactElement {
  const { data: words } = useMetric('words')
  const { track, isSending, error, retry } = useTrackEvent()
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        void track('words', { value: Number(new FormData(event.currentTarget).get('words')) })
      }}
    >
      <p id="total">{words?.current ?? 0} words</p>
      <label>
        Words today <input name="words" type="number" min="1" defaultValue="400" />
      </label>
      <button type="submit" disabled={isSending}>
        Log
      </button>
      {error !== null && (
        <p role="alert">
          {error instanceof Error ? error.message : String(error)}{' '}
          <button type="button" onClick={() => void retry?.()}>
            Try again
          </button>
        </p>
      )}
    </form>
  )
}

function Streak(): ReactElement {
  const { data: streak, error } = useStreak({ historyPeriods: 7 })
  const { refresh } = useLaurels()
  return (
    <section aria-labelledby="streak">
      <h2 id="streak">{streak ? `${streak.length} days in a row` : 'Your streak'}</h2>
      <ol className="days">
        {streak?.streakHistory.map(({ periodStart, length }) => (
          <li key={periodStart} className={length > 0 ? 'kept' : ''}>
            {new Date(periodStart).toLocaleDateString('en', { weekday: 'short', timeZone: 'UTC' })}
          </li>
        ))}
      </ol>
      {error !== null && (
        <button type="button" onClick={() => void refresh()}>
          Load again
        </button>
      )}
    </section>
  )
}

function Badges(): ReactElement {
  const { data: badges } = useAchievements()
  return (
    <section aria-labelledby="badges">
      <h2 id="badges">Badges</h2>
      <ul>
        {badges?.map(({ key, name, achievedAt, progress }) => (
          <li key={key}>
            <label>
              {achievedAt === null ? '○' : '●'} {name}
              <progress value={achievedAt === null ? (progress?.ratio ?? 0) : 1} />
            </label>
          </li>
        ))}
      </ul>
    </section>
  )
}

function Quests(): ReactElement {
  const { data: challenges, error, claim } = useChallenges()
  const quests = challenges?.flatMap(({ key, quests }) => quests.map((quest) => ({ ...quest, challenge: key })))
  return (
    <section aria-labelledby="quests">
      <h2 id="quests">Quests</h2>
      <ul>
        {quests?.map(({ challenge, key, name, progress, claimUntil }) => (
          <li key={`${challenge} ${key}`}>
            <label>
              {progress === undefined ? '●' : '○'} {name}
              <progress value={progress?.ratio ?? 1} />
            </label>
            {claimUntil !== null && (
              <button type="button" onClick={() => void claim(challenge, key || undefined)}>
                Claim
              </button>
            )}
          </li>
        ))}
      </ul>
      {error !== null && <p role="alert">Your reward could not be claimed.</p>}
    </section>
  )
}

function Points(): ReactElement {
  const { data: xp } = usePoints('xp')
  return (
    <section aria-labelledby="points">
      <h2 id="points">{xp?.level?.name ?? 'Level'}</h2>
      <p>{xp?.total ?? 0} XP</p>
    </section>
  )
}

function Leaderboard(): ReactElement {
  const { data: board } = useLeaderboard('all', { limit: 5 })
  const { userId } = useLaurels()
  return (
    <section aria-labelledby="board">
      <h2 id="board">{board?.name ?? 'Leaderboard'}</h2>
      <ol>
        {board?.rankings.map((ranking) => (
          <li key={ranking.userId} className={ranking.userId === userId ? 'kept' : ''}>
            {ranking.userName ?? 'Anonymous'}: {ranking.value}
          </li>
        ))}
      </ol>
    </section>
  )
}

function Choices(): ReactElement | null {
  const { data, error, choose } = useChoices()
  if (data === null) return null
  const isShown = data.leaderboards !== 'hidden'
  return (
    <section aria-labelledby="choices">
      <h2 id="choices">Your choices</h2>
      <label>
        <input
          type="checkbox"
          checked={isShown}
          onChange={() => void choose({ leaderboards: isShown ? 'hidden' : 'shown' })}
        />{' '}
        Show me on the leaderboard
      </label>
      {error !== null && <p role="alert">Your choice could not be saved.</p>}
    </section>
  )
}

function toText(toast: Toast): string {
  if (toast.type === 'achievement') return `New badge: ${toast.achievement.name}`
  if (toast.type === 'level') return `You are now an ${toast.level.name}`
  if (toast.type === 'challenge') return `Completed: ${toast.challenge.quest.name}`
  return toast.type === 'streak' ? `Day ${toast.length} in a row` : `+${toast.added} ${toast.name}`
}

function OneToast({ toast }: { readonly toast: Toast }): ReactElement {
  const { dismiss } = useToasts()
  useEffect(() => {
    const timer = setTimeout(() => dismiss(toast.id), 8_000)
    return () => clearTimeout(timer)
  }, [toast.id, dismiss])
  return <p className="toast">{toText(toast)}</p>
}

function Toasts(): ReactElement {
  const { toasts } = useToasts()
  return (
    <div role="status">
      {toasts.map((toast) => (
        <OneToast key={toast.id} toast={toast} />
      ))}
    </div>
  )
}

createRoot(document.getElementById('root') as HTMLElement).render(
  <StrictMode>
    <LaurelsProvider baseUrl="/game" userId="18">
      <main>
        <h1>Writing</h1>
        <Write />
        <Streak />
        <Points />
        <Badges />
        <Quests />
        <Leaderboard />
        <Choices />
      </main>
      <Toasts />
    </LaurelsProvider>
  </StrictMode>,
)
