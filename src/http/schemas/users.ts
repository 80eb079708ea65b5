import { z } from 'zod'
import type { ExportPage } from '../../engine/answers/wire/export-lines.ts'
import type { User } from '../../engine/answers/wire/user.ts'
import type {
  DeletedUser,
  ListedUser,
  LogEntry,
  LoggedProfile,
  MergeResponse,
  SuspendedUser,
  UserEventsResponse,
  UserSuspension,
  UsersResponse,
} from '../../engine/answers/wire/users.ts'
import { count, damagedUsers, date, instant, record, type ShapeOf } from './parts.ts'

const suspension = z
  .strictObject({
    from: z.array(z.enum(['leaderboards'])),
    reason: z.string().nullable(),
    since: instant,
  } satisfies ShapeOf<UserSuspension>)
  .meta({ id: 'UserSuspension', description: 'What a user is left out of, why, and since when.' })

const userFields: ShapeOf<User> = {
  id: z.string(),
  email: z.string().nullable(),
  name: z.string().nullable(),
  tz: z.string().nullable(),
  deviceTokens: z.array(z.string()).nullable(),
  subscribedToEmails: z.boolean(),
  subscribeToEmails: z.boolean(),
  attributes: record(z.string()),
  control: z.boolean(),
  created: instant,
  updated: instant,
}

const listedUser: z.ZodType<ListedUser> = z
  .strictObject({
    ...userFields,
    suspended: suspension.nullable(),
    mergedInto: z.string().nullable(),
  } satisfies ShapeOf<ListedUser>)
  .meta({ id: 'ListedUser', description: 'A user, and whether it is suspended.' })

export const usersResponseSchema: z.ZodType<UsersResponse> = z
  .strictObject({
    users: z.array(listedUser),
    damaged: damagedUsers.describe('Users of the page whose row cannot be read.'),
    after: z.string().nullable().describe('To be sent as `after` for the next page; null: there are no more.'),
  } satisfies ShapeOf<UsersResponse>)
  .meta({ id: 'UsersResponse', description: 'A page of the users, in order of id.' })

const loggedProfile: z.ZodType<LoggedProfile> = z.strictObject({
  email: z.string().nullable().exactOptional(),
  name: z.string().nullable().exactOptional(),
  tz: z.string().nullable().exactOptional(),
  subscribedToEmails: z.boolean().exactOptional(),
  deviceTokens: z.array(z.string()).nullable().exactOptional(),
  attributes: record(z.string()).exactOptional(),
})

const loggedStreak: z.ZodType<NonNullable<LogEntry['streak']>> = z.strictObject({
  enabled: z.boolean().exactOptional(),
  evaluationMode: z.enum(['OR', 'AND']).exactOptional(),
  metrics: record(z.number().nullable()).exactOptional(),
})

const grantedPoints = z.strictObject({ system: z.string(), trigger: z.string(), points: z.number() })

const logEntry: z.ZodType<LogEntry> = z
  .strictObject({
    id: z.string(),
    seq: count,
    kind: z.string(),
    at: instant,
    recordedAt: instant,
    zone: z.string(),
    localDate: date,
    localTime: z.string(),
    epoch: count,
    profile: loggedProfile.nullable(),
    by: z.string().exactOptional(),
    metric: z.string().exactOptional(),
    value: z.number().exactOptional(),
    attributes: record(z.string()).exactOptional(),
    idempotencyKey: z.string().nullable().exactOptional(),
    voidedBy: z.string().describe('Id of the entry that voided an event.').exactOptional(),
    held: z.literal(true).describe('A limit holds the event back.').exactOptional(),
    achievement: z.string().exactOptional(),
    count: count.exactOptional(),
    start: date.exactOptional(),
    end: date.nullable().exactOptional(),
    system: z.string().exactOptional(),
    boost: z.string().exactOptional(),
    name: z.string().exactOptional(),
    multiplier: z.number().exactOptional(),
    rounding: z.enum(['down', 'up', 'nearest']).exactOptional(),
    pause: z.string().exactOptional(),
    event: z.string().exactOptional(),
    revokes: z.boolean().exactOptional(),
    reason: z.string().nullable().exactOptional(),
    from: z.array(z.enum(['leaderboards'])).exactOptional(),
    into: z.string().exactOptional(),
    achievements: z.array(z.string()).exactOptional(),
    points: z.array(grantedPoints).exactOptional(),
    notifications: record(z.array(z.string())).exactOptional(),
    streak: loggedStreak.nullable().exactOptional(),
  })
  .meta({ id: 'LogEntry', description: "An entry of a user's log. What belongs to other kinds is absent." })

export const userEventsResponseSchema: z.ZodType<UserEventsResponse> = z
  .strictObject({
    entries: z.array(logEntry),
    before: z.string().nullable().describe('To be sent as `before` for what is older; null: there is nothing.'),
  } satisfies ShapeOf<UserEventsResponse>)
  .meta({ id: 'UserEventsResponse', description: "A page of a user's log, the newest entry first." })

export const exportPageSchema: z.ZodType<ExportPage> = z
  .strictObject({
    lines: z.array(z.looseObject({ laurels: z.string() }) as unknown as z.ZodType<ExportPage['lines'][number]>),
    after: z.string().nullable().describe('To be sent as `after` for the next page; null: this is the last.'),
  } satisfies ShapeOf<ExportPage>)
  .meta({ id: 'ExportPage', description: "Some lines of a user's export; `laurels` says what each of them is." })

export const deletedUserSchema: z.ZodType<DeletedUser> = z
  .strictObject({
    id: z.string(),
    anonymousId: z.string().nullable().describe('Under which id what was done stays; null: nothing stays.'),
  } satisfies ShapeOf<DeletedUser>)
  .meta({ id: 'DeletedUser', description: 'A user who has been deleted.' })

export const suspendedUserSchema: z.ZodType<SuspendedUser> = z
  .strictObject({ id: z.string(), suspended: suspension.nullable() } satisfies ShapeOf<SuspendedUser>)
  .meta({ id: 'SuspendedUser', description: 'Whether a user is suspended now.' })

export const mergeResponseSchema: z.ZodType<MergeResponse> = z
  .strictObject({
    from: z.string(),
    into: z.string(),
    merged: z.boolean(),
    entries: z.int(),
    repeated: z.int(),
  } satisfies ShapeOf<MergeResponse>)
  .meta({
    id: 'MergeResponse',
    description: 'What a merge did: how many entries were moved, and how many events repeat.',
  })
