import type { JSX } from 'preact'
import type { StoredDefinition } from '../../../../src/game/stored.ts'
import { Badge, type Tone } from './badge.tsx'
import { formatNumber } from './format.ts'
import { wholeOf } from './game/definition.ts'

interface AchievementTagsProps {
  readonly definition: StoredDefinition
  readonly achievement: string
}

/** Whether an achievement is a tier, repeats, is secret, or is not active; nothing where it is none of that. */
export function AchievementTags({ definition, achievement }: AchievementTagsProps): JSX.Element | null {
  const found = definition.achievements[achievement]
  if (found === undefined) return null
  const { secret, status } = found
  const repeat = found.trigger === 'achievement' ? undefined : found.repeat
  const tags: readonly (readonly [Tone, string] | null)[] = [
    wholeOf(achievement) === achievement ? null : ['quiet', `tier of ${wholeOf(achievement)}`],
    secret === undefined ? null : ['warn', secret === true ? 'secret' : `secret, shown as ${secret.name}`],
    repeat === undefined
      ? null
      : ['ice', repeat === true ? 'repeats' : `repeats, at most ${formatNumber(repeat.max)} times`],
    status === 'active' ? null : ['bad', status],
  ]
  const shown = tags.filter((tag) => tag !== null)
  if (shown.length === 0) return null
  return (
    <span class="row tags">
      {shown.map(([tone, text]) => (
        <Badge key={text} tone={tone}>
          {text}
        </Badge>
      ))}
    </span>
  )
}
