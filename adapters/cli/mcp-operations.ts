import { z } from 'zod'
import type { Endpoint, Tool } from '../../src/api/endpoint.ts'
import { eachOperation, methodOf, type Operation, type Operations } from '../../src/api/operation.ts'
import { OPERATIONS } from '../../src/api/operations.ts'
import { REQUEST_TEXTS } from '../../src/http/request-texts.ts'
import { parse } from '../../src/runtime/input.ts'
import { type AgentTool, callsBy, type Toolbox } from './mcp-tool.ts'

/** The tools of the operations that name one. They take what the routes take. */
export function operationTools(toolbox: Toolbox): readonly AgentTool[] {
  return [...eachOperation(OPERATIONS as Operations)].flatMap(([name, operation]) => {
    const { endpoint } = operation
    return endpoint?.tool === undefined ? [] : [toTool(name, operation, endpoint, endpoint.tool, toolbox)]
  })
}

function toTool(
  name: string,
  { kind, takes }: Operation,
  { at, summary, querySchema, bodySchema, toArguments }: Endpoint,
  { name: tool, isDestructive = true, isIdempotent = false, personal = [] }: Tool,
  toolbox: Toolbox,
): AgentTool {
  const params = [...at.matchAll(/\{(\w+)\}/g)].map(([, param = '']) => param)
  const ofPath = takes.slice(0, params.length)
  const schema = querySchema ?? bodySchema ?? takes[params.length]?.schema
  const members = schema === undefined ? {} : membersOf(name, schema, toolbox.showsContacts ? [] : personal)
  const described = ofPath.map((each) => [each.name, z.string().describe(each.label)] as const)
  return {
    name: tool,
    description: `${summary}.`,
    effect: kind === 'read' ? null : { destructiveHint: isDestructive, idempotentHint: isIdempotent },
    input: { ...Object.fromEntries(described), ...members },
    run: async (input) => {
      const request = { ...input }
      const given = ofPath.map((each) => {
        delete request[each.name]
        return input[each.name]
      })
      const read = schema === undefined ? undefined : parse(schema, request, 'input')
      const ofParams = Object.fromEntries(params.map((param, place) => [param, String(given[place])]))
      const call = { params: ofParams, query: request, body: request, read, idempotencyKey: null }
      const all = toArguments?.(call) ?? [...given, ...(schema === undefined ? [] : [request])]
      return methodOf(kind === 'read' ? toolbox.opened.api : callsBy(toolbox), name)(...all)
    },
  }
}

/** The members of a request. The call parses them, so their schemas here only describe. */
function membersOf(name: string, schema: z.ZodType, without: readonly string[]): z.ZodRawShape {
  const { properties = {}, required = [] } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })
  const members = Object.entries(properties).flatMap(([member, property]): [string, z.ZodType][] => {
    if (typeof property === 'boolean' || property.inQuery === false || without.includes(member)) return []
    const description = property.description ?? REQUEST_TEXTS[name]?.[member]
    const given = required.includes(member) ? z.unknown() : z.unknown().optional()
    return [[member, given.meta({ ...property, ...(description === undefined ? {} : { description }) })]]
  })
  return Object.fromEntries(members)
}
