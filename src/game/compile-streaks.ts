import type { FreezePool, FreezeRule, Game, Reminder, StreakRule } from '../rules/game.ts'
import { compareCodePoints } from '../rules/position.ts'
import type {
  StoredDefinition,
  StoredEmails,
  StoredFreezes,
  StoredNamedStreak,
  StoredReminder,
  StoredStreak,
} from './stored.ts'

type Streaks = Pick<Game, 'streak' | 'streaks' | 'streakRules' | 'freezePools'>

/** The game's `streak`, its named streaks, and which of them use the same freezes. */
export function compileStreaks({ streak: stored, streaks: named = {}, emails }: StoredDefinition): Streaks {
  const usual = emails === undefined ? [] : [usualReminder(emails)]
  const streak = stored === undefined ? null : compileStreak(null, stored, null, usual)
  const shared = streak?.freezes ?? null
  const streaks = new Map(Object.entries(named).map(([key, each]) => [key, compileStreak(key, each, shared, [])]))
  const byKey = [...streaks].sort(([a], [b]) => compareCodePoints(a, b)).map(([, rule]) => rule)
  const alone = byKey.filter(({ sharesFreezes }) => !sharesFreezes).map((rule): FreezePool => [rule])
  const sharing = byKey.filter(({ sharesFreezes }) => sharesFreezes)
  return {
    streak,
    streaks,
    streakRules: streak === null ? byKey : [streak, ...byKey],
    freezePools: streak === null ? alone : [[streak, ...sharing], ...alone],
  }
}

function compileStreak(
  key: string | null,
  stored: StoredStreak | StoredNamedStreak,
  shared: FreezeRule | null,
  usual: readonly Reminder[],
): StreakRule {
  const { frequency, evaluationMode, freezes, reminders } = stored
  const metrics = Object.entries(stored.metrics).map(([metric, { threshold }]) => [metric, threshold ?? null] as const)
  return {
    key,
    frequency,
    evaluationMode,
    metrics: new Map(metrics),
    customization: 'customization' in stored && stored.customization,
    freezes: freezes === 'shared' ? shared : compileFreezes(freezes),
    sharesFreezes: freezes === 'shared',
    reminders: reminders?.map(compileReminder) ?? usual,
  }
}

const HOUR = 3_600_000

function compileReminder({ key, before, staleAfter }: StoredReminder): Reminder {
  return { key, hoursBefore: before.hours, staleAfter: staleAfter.hours * HOUR }
}

/** The reminder of a game that has emails and says nothing of reminders. */
function usualReminder({ staleAfter }: StoredEmails): Reminder {
  return { key: 'usual', hoursBefore: null, staleAfter: staleAfter.hours * HOUR }
}

function compileFreezes(freezes: StoredFreezes | undefined): FreezeRule | null {
  return freezes === undefined ? null : { ...freezes, autoEarn: freezes.autoEarn ?? null }
}
