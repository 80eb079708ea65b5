import type { Level, PointsSystem } from './game.ts'

/** The highest level that a points total reaches, null below every level. */
export function levelFor(system: PointsSystem, total: number): Level | null {
  let reached: Level | null = null
  for (const level of system.levels) {
    if (level.points > total) break
    reached = level
  }
  return reached
}
