import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import type { ToolAnnotations } from '@modelcontextprotocol/sdk/types.js'
import { z } from 'zod'
import type { DefinedGame } from '../../src/game/define-game.ts'
import type { GamificationApi } from '../../src/index.ts'
import type { Opened } from './database.ts'
import { toAdvice, toResult } from './mcp-answers.ts'

export interface Toolbox {
  readonly opened: Opened
  readonly tenant: string
  readonly game: string | null
  readonly isWriter: boolean
  /** The actor for the log. */
  readonly by: string
  /** If true, answers contain the emails and device tokens of users, and may reveal anonymous users. */
  readonly showsContacts: boolean
}

/** Hints for a client before it calls. A tool that takes something away is destructive. */
export type Effect = Required<Pick<ToolAnnotations, 'destructiveHint' | 'idempotentHint'>>

/** A tool that an agent can call. */
export interface AgentTool {
  readonly name: string
  readonly description: string
  /** Null if it only reads. */
  readonly effect: Effect | null
  readonly input: z.ZodRawShape
  /** Gets input that has been parsed. */
  run(input: { readonly [name: string]: unknown }, signal: AbortSignal): Promise<unknown>
}

/** A tool whose input is typed. */
export function defineTool<Shape extends z.ZodRawShape>(
  tool: Omit<AgentTool, 'input' | 'run'> & {
    readonly input: Shape
    readonly run: (input: z.output<z.ZodObject<Shape, z.core.$strict>>, signal: AbortSignal) => Promise<unknown>
  },
): AgentTool {
  return tool as unknown as AgentTool
}

const fromByte = z.int().min(0).default(0).describe('to read on in an answer that was cut: the number that it named')

/** Adds a tool. An answer is JSON; a refusal is its message, with `isError`. */
export function addTool(
  server: McpServer,
  { showsContacts }: Pick<Toolbox, 'showsContacts'>,
  { name, description, effect, input, run }: AgentTool,
): void {
  const title = `${name.charAt(0).toUpperCase()}${name.slice(1).replaceAll('_', ' ')}`
  const hints = effect ?? { destructiveHint: false, idempotentHint: true }
  const annotations = { readOnlyHint: effect === null, ...hints, openWorldHint: false }
  const inputSchema: z.ZodObject = z.strictObject(effect === null ? { ...input, fromByte } : input)
  server.registerTool(name, { title, description, inputSchema, annotations }, async (given, { signal }) => {
    const { fromByte: start, ...rest } = given
    const answer = await run(rest, signal).catch((error: unknown) => {
      throw toAdvice(error)
    })
    return toResult(answer, { showsContacts, from: Number(start ?? 0) })
  })
}

/** The calls of one tool call, which the log names by who acts. */
export function callsBy({ opened: { gamification }, tenant, by }: Toolbox): GamificationApi<DefinedGame> {
  const calls = gamification.forRequest(performance.now(), { by })
  return tenant === '' ? calls : calls.tenant(tenant)
}
