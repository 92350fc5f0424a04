import type { AdapterErrorCode } from '@linker/sdk'
import type { Command } from 'commander'
import type { Invocation, SentRequest } from '../connections/invocation/schemas.ts'
import { print } from '../terminal/print.ts'
import { formatTable } from '../terminal/table.ts'
import { findConnection } from './connection-name.ts'
import { withHub } from './connections.ts'
import { createHubClient, HubError, parseJsonOption, type HubClient, type HubOptions } from './hub-client.ts'
import { inputOf, readInput } from './read-input.ts'

interface InvokeOptions extends HubOptions {
  connection: string
  dryRun?: boolean
  json?: boolean
}

export function addInvoke (program: Command): void {
  withHub(program.command('invoke')
    .description('call one method of a capability, as the adapter of a connection implements it; exits with 1 when ' +
      'the call fails')
    .argument('<method>', 'such as ProductMaster.getProduct')
    .argument('[arguments...]', 'texts; one that begins with {, [ or " is JSON, @file and - read JSON')
    .requiredOption('--connection <connection>', 'name or id of the connection, or the beginning of the id')
    .option('--dry-run', 'send only GET and HEAD requests, and show those that could change something')
    .option('--json', 'print JSON'))
    .action(async (called: string, given: string[], options: InvokeOptions) => {
      const call = await readCall(called, given)
      const hub = await createHubClient(process.env, process.cwd(), options)
      const id = await findConnection(hub, options.connection)
      const invocation = await invokeMethod(hub, id, { ...call, dryRun: options.dryRun === true })
      if (!invocation.success && !endedAtWrite(invocation)) process.exitCode = 1
      print(options.json === true ? JSON.stringify(invocation, null, 2) : describeInvocation(called, invocation))
    })
}

interface Call {
  capability: string
  method: string
  args: unknown[]
}

/** Reads a call as somebody typed it. */
export async function readCall (called: string, given: readonly string[]): Promise<Call> {
  return { ...targetOf(called), args: await Promise.all(given.map(readArgument)) }
}

export async function invokeMethod (
  hub: HubClient,
  id: string,
  call: Call & { dryRun: boolean }
): Promise<Invocation> {
  return await hub.call('POST', `/connections/${id}/invoke`, call) as Invocation
}

/** Splits at the last dot: the capabilities of others have names such as `acme.de/Labels`. */
export function targetOf (called: string): { capability: string, method: string } {
  const dot = called.lastIndexOf('.')
  if (dot < 1 || dot === called.length - 1) {
    throw new HubError(`'${called}' names no method: write the capability, a dot and the method, such as ` +
      'ProductMaster.getProduct')
  }
  return { capability: called.slice(0, dot), method: called.slice(dot + 1) }
}

/** A number stays a text, because the ids of platforms are texts. */
export async function readArgument (given: string, index: number): Promise<unknown> {
  const name = `argument ${index + 1}`
  const path = inputOf(name, given)
  if (path === undefined) return /^[{["]/.test(given) ? parseJsonOption(name, given) : given
  const { text, source } = await readInput(path, { holds: 'JSON', option: name })
  return parseJsonOption(source, text)
}

const rejected: AdapterErrorCode = 'LNK_ADAPTER_REJECTED'

/** Whether a dry run ended because a request was not sent. */
function endedAtWrite ({ requests, error }: Invocation): boolean {
  return error?.code === rejected && requests.some(({ sent }) => !sent)
}

export function describeInvocation (called: string, invocation: Invocation): string {
  const { adapter, latencyMs, requests, effects } = invocation
  const parts = [`${called} of ${adapter}, ${latencyMs} ms`, describeEnd(invocation)]
  if (requests.length > 0) parts.push(formatRequests(requests))
  parts.push(...requests.filter(({ sent }) => !sent).map(describeUnsent))
  if (effects !== undefined && effects.jobs.length + Object.keys(effects.cursors).length > 0) {
    parts.push(`Not stored, because this is a dry run:\n${JSON.stringify(effects, null, 2)}`)
  }
  return parts.join('\n\n')
}

function describeEnd (invocation: Invocation): string {
  const { success, value, error } = invocation
  if (success) return value === undefined ? 'It returned nothing.' : JSON.stringify(value, null, 2)
  const fields = error?.fields === undefined ? '' : `\n${JSON.stringify(error.fields, null, 2)}`
  if (endedAtWrite(invocation)) return 'It ended at a request that the dry run did not send.'
  return `It failed with ${error?.code}: ${error?.message}${fields}`
}

function formatRequests (requests: readonly SentRequest[]): string {
  return formatTable(
    ['method', 'path', 'status', 'ms'],
    requests.map(({ method, path, status, ms, error, sent }) => [
      method,
      path,
      sent ? String(status ?? error ?? 'no answer') : 'not sent',
      sent ? String(ms) : ''
    ])
  )
}

function describeUnsent ({ method, path, query = '', body }: SentRequest): string {
  return [`Not sent, because this is a dry run: ${method} ${path}${query}`, ...body === undefined ? [] : [body]]
    .join('\n')
}
