import { expect, test } from 'vitest'
import { nodeProblem, requireNode } from '../../src/game/node-version.ts'
import { isGamificationError } from '../../src/index.ts'

test.each(['18.20.8', '20.20.0', '22.12.0'])('Node %s is too old', (version) => {
  const problem = `This is Node ${version}, and laurels needs 22.13 or newer: update Node.`
  expect(nodeProblem(version)).toBe(problem)
  try {
    requireNode(version)
    expect.unreachable()
  } catch (error) {
    expect(isGamificationError(error) && [error.code, error.message]).toEqual(['invalid_request', problem])
  }
})

test.each(['22.13.0', '22.20.1', '23.0.0', '24.1.0', undefined])('Node %s is not', (version) => {
  expect(nodeProblem(version)).toBe(null)
  requireNode(version)
})
