import type { CurrentGameResponse } from '../../../../../src/engine/answers/wire/games.ts'
import type { StoredDefinition } from '../../../../../src/game/stored.ts'
import { definitionOf } from './definition.ts'
import type { GameNode } from './game-node.ts'
import { achievementNodes, leaderboardNodes, metricNodes, sourceNodes, streakNodes } from './nodes.ts'
import { pointsNodes } from './points-nodes.ts'

/** The game as parts that lead to each other, those without a cause first. */
export interface GameGraph {
  readonly nodes: readonly GameNode[]
  readonly byId: ReadonlyMap<string, GameNode>
  /** Ids of what each part leads to. */
  readonly to: ReadonlyMap<string, readonly string[]>
}

export function toGraph(game: CurrentGameResponse): GameGraph {
  const definition: StoredDefinition = definitionOf(game)
  const nodes = [
    ...sourceNodes(definition),
    ...metricNodes(definition),
    ...streakNodes(definition, game.sentences),
    ...achievementNodes(definition, game.sentences),
    ...pointsNodes(definition, game.sentences),
    ...leaderboardNodes(definition, game.sentences),
  ]
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const to = new Map<string, string[]>()
  for (const { id, from } of nodes) {
    for (const cause of from) to.set(cause, [...(to.get(cause) ?? []), id])
  }
  return { nodes, byId, to }
}

/** A part with everything that leads to it, and everything that it leads to. */
export function relatedTo(graph: GameGraph, id: string): ReadonlySet<string> {
  const related = new Set([id])
  for (const next of [(each: string) => graph.byId.get(each)?.from ?? [], (each: string) => graph.to.get(each) ?? []]) {
    const waiting = [id]
    for (let each = waiting.pop(); each !== undefined; each = waiting.pop()) {
      for (const other of next(each)) {
        if (related.has(other)) continue
        related.add(other)
        waiting.push(other)
      }
    }
  }
  return related
}
