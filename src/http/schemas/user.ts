import { z } from 'zod'
import type { User } from '../../engine/answers/wire/user.ts'
import { instant, record, type ShapeOf } from './parts.ts'

export const userSchema: z.ZodType<User> = z
  .strictObject({
    id: z.string().describe("The user's id in the client's own database, chosen by the client."),
    email: z.string().nullable(),
    name: z.string().nullable(),
    tz: z.string().nullable().describe('IANA time zone name, as it was sent.'),
    deviceTokens: z.array(z.string()).nullable().describe('Tokens of the devices that take push notifications.'),
    subscribedToEmails: z.boolean().describe('Whether the user receives emails.'),
    subscribeToEmails: z.boolean().describe('The same as `subscribedToEmails`.'),
    attributes: record(z.string()).describe('User attributes as key-value pairs.'),
    control: z.boolean().describe('Whether the user is in the control group.'),
    created: instant,
    updated: instant,
  } satisfies ShapeOf<User>)
  .meta({ id: 'User', description: 'A user. Every field is there, null where it is unset.' })
