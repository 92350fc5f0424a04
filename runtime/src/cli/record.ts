import type { Recording } from '@linker/sdk/host'
import type { Command } from 'commander'
import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Invocation, InvocationBody } from '../connections/invocation/schemas.ts'
import { print } from '../terminal/print.ts'
import { findConnection } from './connection-name.ts'
import { withHub } from './connections.ts'
import { createHubClient, HubError, type HubClient, type HubOptions } from './hub-client.ts'
import { readArgument, targetOf } from './invoke.ts'
import { parseCount } from './parse-count.ts'

interface RecordOptions extends HubOptions {
  connection: string
  to: string
  pages: number
  twice?: boolean
  allowWrites?: boolean
  replace?: boolean
}

export function addRecord (program: Command): void {
  withHub(program.command('record')
    .description('call one method of a capability and write its requests and their answers to a file, without ' +
      'secrets and with made-up personal data, for tests of the adapter')
    .argument('<method>', 'such as ProductMaster.listProducts')
    .argument('[arguments...]', 'texts; one that begins with {, [ or " is JSON, @file and - read JSON')
    .requiredOption('--connection <connection>', 'name or id of the connection, or the beginning of the id')
    .requiredOption('--to <folder>', 'folder for the file, which is named after the method')
    .option('--pages <count>', 'follow the cursors of a listing for this many pages', parseCount, 1)
    .option('--twice', 'call again with the same arguments, as the hub repeats a job')
    .option('--allow-writes', 'also call a method that may change something on the platform')
    .option('--replace', 'replace an existing file'))
    .action(async (called: string, given: string[], options: RecordOptions) => {
      const target = targetOf(called)
      await refuseWrites(called, target, options)
      const file = join(options.to, `${called.replaceAll('/', '-')}.json`)
      if (existsSync(file) && options.replace !== true) {
        throw new HubError(`${file} is there already: --replace writes it again`)
      }
      const args = await Promise.all(given.map(readArgument))
      const hub = await createHubClient(process.env, process.cwd(), options)
      const id = await findConnection(hub, options.connection)
      const recording = await recordCalls(hub, id, { ...target, args }, options)
      await mkdir(options.to, { recursive: true })
      const { formatRecording } = await import('@linker/sdk/host')
      await writeFile(file, formatRecording(recording))
      print(describeRecording({ file, called, args, recording, isTwice: options.twice === true }))
    })
}

type Target = Pick<InvocationBody, 'capability' | 'method'>

/** Refuses a method that may write. Only its author knows this of a method of a third party. */
async function refuseWrites (
  called: string,
  { capability, method }: Target,
  { allowWrites = false }: RecordOptions
): Promise<void> {
  if (allowWrites) return
  // The testing kit brings the conformance suite along.
  const { isReading } = await import('@linker/sdk/testing')
  const isRead = isReading(capability, method)
  if (isRead === true) return
  throw new HubError(isRead === undefined
    ? `the SDK does not know whether ${called} writes: --allow-writes calls it, and what it changes stays changed`
    : `${called} writes to the platform: --allow-writes calls it, and what it changes stays changed`)
}

/** The hub makes all calls for one recording: only it knows which values of them are secrets. */
async function recordCalls (
  hub: HubClient,
  connectionId: string,
  called: Pick<InvocationBody, 'capability' | 'method' | 'args'>,
  { pages, twice = false }: Pick<RecordOptions, 'pages' | 'twice'>
): Promise<Recording> {
  const body = { ...called, record: { pages, twice } }
  const asked = await hub.call('POST', `/connections/${connectionId}/invoke`, body)
  const { success, error, recording } = asked as Invocation
  if (success && recording !== undefined) return recording
  throw new HubError(`the call failed, and nothing is written: ${error?.code}: ${error?.message}`)
}

interface Written {
  file: string
  called: string
  args: readonly unknown[]
  recording: Recording
  isTwice: boolean
}

function describeRecording ({ file, called, args, recording, isTwice }: Written): string {
  const { length } = recording.exchanges
  const fixture = {
    call: called,
    ...(args.length === 0 ? {} : { arguments: args }),
    recording: file,
    ...(isTwice ? { runs: 2 } : {})
  }
  return `${file}: ${length} ${
    length === 1 ? 'request' : 'requests'
  }. Read the file before you commit it: only you know ` +
    `what else is personal.\nAs a fixture of linker.conformance.json, with the path from there:\n${
      JSON.stringify(fixture, null, 2)
    }`
}
