import { z } from 'zod'

/** A reason has more, by its type. */
const reason = z.looseObject({
  type: z.string().describe('What kind of reason it is; what else it has depends on it.'),
  sentence: z.string().describe('The same for people.'),
})

export const explanationSchema: z.ZodType = z
  .strictObject({
    subject: z.looseObject({}).describe('What was asked for.'),
    holds: z.boolean().describe('Whether the user has the achievement, the event counts, or the streak went on.'),
    reasons: z.array(reason),
  })
  .meta({ id: 'Explanation', description: 'Why something is so.' })
