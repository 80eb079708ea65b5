import type { AttributeDiffers, Inactive, Locked } from './facts.ts'
import { nameRule, tellDifference } from './words.ts'

/** Why a rule takes no part, whoever asks. */
export function ruleSentence(fact: Inactive | Locked | AttributeDiffers): string {
  const name = nameRule(fact.rule)
  switch (fact.type) {
    case 'inactive':
      return fact.rule.kind === 'achievement'
        ? `${name} is inactive: nobody can complete it, and it is not shown.`
        : `${name} is inactive: it pays nothing.`
    case 'locked':
      return `${name} is locked: nobody can newly complete it.`
    case 'attribute_differs': {
      const subjects = fact.whose === 'user' ? 'users' : 'events'
      return `${name} is for ${subjects} with other attributes: ${tellDifference(fact)}.`
    }
    default:
      return fact satisfies never
  }
}
