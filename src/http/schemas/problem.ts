import { z } from 'zod'
import type { Issue } from '../../errors.ts'
import type { ShapeOf } from './parts.ts'

/** The body of every error answer of every route. */
export interface Problem {
  /** For people: what is wrong, and how to mend it. */
  readonly error: string
  /** For programs; stable. */
  readonly code: string
  /** On a schema violation: the first 20 mistakes. */
  readonly issues?: readonly Issue[]
}

const issueSchema: z.ZodType<Issue> = z
  .strictObject({
    path: z.string().describe('Where, as `user.attributes.plan`. Empty for the whole.'),
    message: z.string(),
  } satisfies ShapeOf<Issue>)
  .meta({ id: 'Issue', description: 'One mistake in a request.' })

export const problemSchema: z.ZodType<Problem> = z
  .strictObject({
    error: z.string().describe('What is wrong, and how to mend it.'),
    code: z.string().describe('Stable, for programs.'),
    issues: z.array(issueSchema).max(20).describe('On a schema violation: the first 20 mistakes.').exactOptional(),
  } satisfies ShapeOf<Problem>)
  .meta({ id: 'Problem', description: 'The body of every error.' })
