import { z } from 'zod'
import type { Context, CurrentGame } from '../engine/types.ts'
import { SUBSCRIPTION } from './stored-subscription.ts'

const types = z.looseObject({ types: z.array(z.string()) })

/** Has the types of messages written from now on that subscriptions ask for, webhooks among them, and no others. */
export function storeWantedTypes({ storage, games }: Pick<Context, 'storage' | 'games'>): Promise<CurrentGame> {
  return games.changeMessages(async () => {
    const documents = await storage.documents(SUBSCRIPTION)
    return documents.flatMap(({ text }) => types.parse(JSON.parse(text)).types)
  })
}
