import { z } from 'zod'
import type { StreamLine, StreamProgress } from '../../engine/answers/wire/streams.ts'
import type { ApplyReport } from '../../engine/calls/operate/apply-game.ts'
import type { AuditReport } from '../../engine/calls/operate/verify.ts'
import type {
  WhatIfAchievement,
  WhatIfLeaderboard,
  WhatIfLevels,
  WhatIfPoints,
  WhatIfReport,
  WhatIfTrigger,
  WhatIfUser,
} from '../../engine/calls/operate/what-if.ts'
import { count, damagedUsers, record, type ShapeOf } from './parts.ts'
import { problemSchema } from './problem.ts'

const progress: z.ZodType<StreamProgress> = z
  .strictObject({
    users: count.describe('How many users were looked at.'),
    entries: count.describe('How many entries their logs have.'),
    last: z
      .strictObject({ tenant: z.string(), user: z.string() })
      .nullable()
      .describe('The user looked at last; null: none yet, or all have been.'),
    of: count.nullable().describe('How many users there are to look at; null: it is not known.'),
  } satisfies ShapeOf<StreamProgress>)
  .meta({ id: 'StreamProgress', description: 'How far a walk over the users is.' })

/** The schema of each line; the last has something else than progress. */
export function streamOf<Report>(report: z.ZodType<Report>): z.ZodType<StreamLine<Report>> {
  return z.union([z.strictObject({ progress }), z.strictObject({ report }), z.strictObject({ error: problemSchema })])
}

const damaged = damagedUsers.describe(
  'Users of whom a row cannot be read, or lines of the log are missing: the first 1,000 of them.',
)

const driftRow = record(z.union([z.string(), z.number(), z.boolean(), z.null()]))

export const auditReportSchema: z.ZodType<AuditReport> = z
  .strictObject({
    users: count,
    entries: count,
    drift: z.array(
      z.strictObject({
        table: z.string(),
        key: driftRow,
        stored: driftRow.nullable(),
        expected: driftRow.nullable(),
      }),
    ),
    damaged,
  } satisfies ShapeOf<AuditReport>)
  .meta({ id: 'AuditReport', description: 'The rows that are not what the logs say: the first 10,000 of them.' })

export const applyReportSchema: z.ZodType<ApplyReport> = z
  .strictObject({
    epoch: count,
    policy: z.enum(['forward', 'grant', 'recompute']),
    users: count.describe('How many users were looked at; none with `forward`.'),
    changed: count.describe('How many of them were written.'),
    damaged,
  } satisfies ShapeOf<ApplyReport>)
  .meta({ id: 'ApplyReport', description: 'What applying a game did.' })

const change = { gains: count, minted: z.number(), loses: count, gone: z.number() }

export const whatIfReportSchema: z.ZodType<WhatIfReport> = z
  .strictObject({
    users: count,
    changed: count,
    achievements: z.array(
      z.strictObject({ key: z.string(), gained: count, lost: count } satisfies ShapeOf<WhatIfAchievement>),
    ),
    points: z.array(z.strictObject({ system: z.string(), ...change } satisfies ShapeOf<WhatIfPoints>)),
    triggers: z.array(
      z.strictObject({ system: z.string(), trigger: z.string(), ...change } satisfies ShapeOf<WhatIfTrigger>),
    ),
    levels: z.array(z.strictObject({ system: z.string(), up: count, down: count } satisfies ShapeOf<WhatIfLevels>)),
    leaderboards: z.array(
      z.strictObject({
        key: z.string(),
        ...{ entered: count, left: count, up: count, down: count },
      } satisfies ShapeOf<WhatIfLeaderboard>),
    ),
    largest: z.array(
      z.strictObject({
        tenant: z.string(),
        user: z.string(),
        gained: z.array(z.string()),
        lost: z.array(z.string()),
        points: record(z.number()),
      } satisfies ShapeOf<WhatIfUser>),
    ),
    damaged,
  } satisfies ShapeOf<WhatIfReport>)
  .meta({ id: 'WhatIfReport', description: 'What would be different if another game had always been there.' })
