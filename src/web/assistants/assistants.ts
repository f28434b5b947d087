/** `/-/mcp`: the application for assistants, over the Model Context Protocol, with the rights of a key. One question, one answer: nothing is kept. */
import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import {
  CallToolRequestSchema,
  type JSONRPCMessage,
  JSONRPCMessageSchema,
  ListToolsRequestSchema,
} from '@modelcontextprotocol/sdk/types.js'
import { z } from 'zod'
import { wordsIn } from '../../run/problems/words.ts'
import { problem } from '../api/problem.ts'
import { parseJson } from '../form-body.ts'
import type { RequestContext } from '../request-context.ts'
import { type HttpResponse, json } from '../response.ts'
import { type ToolResult, tools } from './tools.ts'

/** What a message is answered with; null: it asks nothing. */
export async function answerAssistant(arrived: RequestContext): Promise<HttpResponse> {
  const body = parseJson(arrived.headers['content-type'], arrived.body)
  if ('status' in body) return problem(arrived, body.status, { detail: body.why })
  const message = JSONRPCMessageSchema.safeParse(body.value)
  if (!message.success)
    return problem(arrived, 400, { detail: 'The body is no message of JSON-RPC 2.0, one at a time.' })
  const answer = await ask(serverFor(asAssistant(arrived)), message.data)
  return answer === null ? { status: 202, headers: {}, cookies: [], body: '' } : json(answer as never)
}

/** The history says that it was not the person's own program. */
function asAssistant(context: RequestContext): RequestContext {
  const { request, site } = context
  const { assistant } = wordsIn(site.app.language)
  return { ...context, request: { ...request, key: `${request.key ?? ''} (${assistant})`.trim() } }
}

function serverFor(context: RequestContext): Server {
  const { name, version, product } = context.site.app
  const server = new Server(
    { name, version },
    {
      capabilities: { tools: {} },
      instructions: [
        `${name}: ${product.prose[0]?.text ?? 'an application'}.`.replace(/\.\.$/, '.'),
        `You act as ${context.request.actor.name}, and may what they may in the role of this key. Call describe first. A refusal says why, and what to do; why tells what may be done with a record.`,
      ].join(' '),
    },
  )
  server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: Object.entries(tools).map(([name, { title, description, takes, reads, ends }]) => ({
      name,
      title,
      description,
      inputSchema: { ...z.toJSONSchema(takes), type: 'object' as const },
      annotations: { readOnlyHint: reads === true, destructiveHint: ends === true, openWorldHint: false },
    })),
  }))
  server.setRequestHandler(CallToolRequestSchema, async ({ params: { name, arguments: given = {} } }) => {
    const { text, isError } = await called(context, name, given)
    return { content: [{ type: 'text', text }], isError }
  })
  return server
}

async function called(
  context: RequestContext,
  name: string,
  given: Readonly<Record<string, unknown>>,
): Promise<ToolResult> {
  const tool = Object.hasOwn(tools, name) ? tools[name] : undefined
  if (tool === undefined) return { text: `There is no tool ${name}.`, isError: true }
  const { data, error } = tool.takes.safeParse(given)
  if (data !== undefined) return tool.run(context, data)
  return {
    text: `${name} takes ${Object.keys(tool.takes.shape).join(', ')}.\n${z.prettifyError(error)}`,
    isError: true,
  }
}

/** Gives a server one message. */
async function ask(server: Server, message: JSONRPCMessage): Promise<JSONRPCMessage | null> {
  const asks = 'id' in message && 'method' in message
  const answered = Promise.withResolvers<JSONRPCMessage | null>()
  const transport = {
    start: async () => {},
    send: async (answer: JSONRPCMessage) => answered.resolve(answer),
    close: async () => {},
    onmessage: undefined as ((message: JSONRPCMessage) => void) | undefined,
  }
  await server.connect(transport)
  const { onmessage } = transport
  onmessage?.(message)
  return asks ? answered.promise : null
}
