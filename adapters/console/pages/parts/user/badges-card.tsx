import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { UserAchievementWithStats } from '../../../../../src/engine/answers/wire/achievement.ts'
import { toGroups } from '../../../../elements/badges/groups.ts'
import { Card } from '../card.tsx'
import { Dialog } from '../dialog.tsx'
import { Element } from '../element.tsx'
import { Empty } from '../empty.tsx'
import { ExplainNow } from './explanation.tsx'
import type { UserProgress } from './progress-of-user.ts'

type BadgesCardProps = Pick<UserProgress, 'achievements' | 'metrics' | 'streak'>

/** Whose pictures are at addresses of others gets initials. */
const WITHOUT_PICTURES = { images: 'off' }

/** All achievements: which the user has, how far it is to the others, and why. */
export function BadgesCard({ achievements, metrics, streak }: BadgesCardProps): JSX.Element {
  // The tiers of one achievement are one badge.
  const groups = toGroups(achievements)
  const done = groups.filter(({ shown }) => shown.achievedAt !== null)
  if (achievements.length === 0) {
    return (
      <Card title="Achievements" padded={false}>
        <Empty title="The game has no active achievement." />
      </Card>
    )
  }
  return (
    <Card title="Achievements" actions={<span class="muted">{`${done.length} of ${groups.length}`}</span>}>
      <div class="stack">
        <Element
          name="laurels-badges"
          data={achievements}
          with={{ standing: { metrics, streak: streak && { length: streak.length } } }}
          attributes={WITHOUT_PICTURES}
        />
        <ExplainOne achievements={achievements} />
      </div>
    </Card>
  )
}

/** Why the user has an achievement, or not. */
function ExplainOne({ achievements }: Pick<BadgesCardProps, 'achievements'>): JSX.Element {
  const [key, setKey] = useState(achievements[0]?.key ?? '')
  const [explained, setExplained] = useState<UserAchievementWithStats | null>(null)
  return (
    <form
      class="row"
      onSubmit={(event) => {
        event.preventDefault()
        setExplained(achievements.find((achievement) => achievement.key === key) ?? null)
      }}
    >
      <label class="row">
        <span class="muted">Explain</span>
        <select value={key} onChange={(event) => setKey(event.currentTarget.value)}>
          {achievements.map((achievement) => (
            <option key={achievement.key} value={achievement.key}>
              {achievement.name}
            </option>
          ))}
        </select>
      </label>
      <button type="submit">Explain</button>
      {explained !== null && (
        <Dialog title={explained.name} isForReading close={() => setExplained(null)}>
          <ExplainNow query={{ achievement: explained.key }} words={['The user has it', 'The user does not have it']} />
        </Dialog>
      )}
    </form>
  )
}
