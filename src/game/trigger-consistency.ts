import type { Json } from './json.ts'
import { propertyOf } from './json-access.ts'
import type { Mistakes, Path } from './mistakes.ts'

/** Whether the parts of a trigger fit together. */
export function checkTrigger(trigger: Json, path: Path, mistakes: Mistakes): void {
  if (propertyOf(trigger, 'type') === 'time') checkTimeTrigger(trigger, path, mistakes)
  else checkRestraints(trigger, path, mistakes)
}

/** What takes points away is never held back, so a cap on it would do nothing. */
function checkRestraints(trigger: Json, path: Path, mistakes: Mistakes): void {
  const points = propertyOf(trigger, 'points')
  if (typeof points !== 'number' || points >= 0) return
  for (const property of ['cap', 'cooldown']) {
    if (propertyOf(trigger, property) === undefined) continue
    mistakes.add([...path, property], `holds nothing back where points are taken away (points is ${points}); remove it`)
  }
}

function checkTimeTrigger(trigger: Json, path: Path, mistakes: Mistakes): void {
  const every = propertyOf(trigger, 'every')
  if (typeof every !== 'object' || every === null || Array.isArray(every)) return
  const units = ['hours', 'days'].filter((unit) => propertyOf(every, unit) !== undefined)
  if (units.length === 1) return
  const what = units.length === 0 ? 'says neither hours nor days' : 'says both hours and days'
  mistakes.add([...path, 'every'], `${what}; give one of them, as { hours: 6 }`)
}
