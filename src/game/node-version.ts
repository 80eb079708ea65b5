import { GamificationError } from '../errors.ts'

const OLDEST = { major: 22, minor: 13 }

/** Says that a version of Node is too old. Returns `null` if laurels runs on it, or if the runtime names none. */
export function nodeProblem(version: string | undefined): string | null {
  if (version === undefined) return null
  const [major = 0, minor = 0] = version.split('.').map(Number)
  if (major > OLDEST.major || (major === OLDEST.major && minor >= OLDEST.minor)) return null
  return `This is Node ${version}, and laurels needs ${OLDEST.major}.${OLDEST.minor} or newer: update Node.`
}

/** Throws `invalid_request` on a Node that is too old. Without this, the first missing function of Node would be named. */
export function requireNode(version: string | undefined = globalThis.process?.versions?.node): void {
  const problem = nodeProblem(version)
  if (problem !== null) throw new GamificationError('invalid_request', problem)
}
