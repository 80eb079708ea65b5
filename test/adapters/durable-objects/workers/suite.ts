// Runs in workerd: each case of the storage suite in an object of its own.

import { DurableObject } from 'cloudflare:workers'
import { durableObject } from 'laurels/durable-objects'
import { storageSuite } from 'laurels/testing/storage'
import { queryCases } from '../../../sql/cases/query-cases.ts'
import { type Namespace, textOf } from './objects.ts'

export class Game extends DurableObject {
  /** Resolves with what went wrong, or with null. */
  async runCase(id: string): Promise<string | null> {
    const storage = durableObject(this.ctx)
    try {
      await storage.migrate()
      await [...storageSuite, ...queryCases].find((one) => one.id === id)?.run(storage)
      return null
    } catch (error) {
      return textOf(error)
    } finally {
      await storage.close()
    }
  }
}

// biome-ignore lint/style/noDefaultExport: the form of a Worker
export default {
  fetch: async (request: Request, env: { readonly GAME: Namespace<Game> }): Promise<Response> => {
    const id = new URL(request.url).searchParams.get('case') ?? ''
    return Response.json(await env.GAME.getByName(id).runCase(id))
  },
}
