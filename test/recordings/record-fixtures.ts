import { AdapterErrorCode } from '@linker/sdk'
import {
  createTestHost,
  type ConformanceSettings,
  type ConnectionCalls,
  type TestHost,
  type TestHostOptions
} from '@linker/sdk/testing'
import { rejects } from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

export interface RecordedPlatform {
  connection: Pick<ConnectionCalls<unknown, unknown, unknown, unknown>, 'call'>
  close(): Promise<void>
}

export interface RecordOptions {
  /** The content of linker.conformance.json. */
  settings: ConformanceSettings
  /** The folder of the package, or a copy. */
  folder: string
  redact?: TestHostOptions['redact']
  /** Opens a connection on the host, to a platform with the clock of the host. */
  open(host: TestHost): Promise<RecordedPlatform>
}

export async function readSettings (folder: string): Promise<ConformanceSettings> {
  return JSON.parse(await readFile(join(folder, 'linker.conformance.json'), 'utf8')) as ConformanceSettings
}

/** Records every fixture of an adapter, each with a platform of its own. */
export async function recordFixtures ({ settings, folder, redact, open }: RecordOptions): Promise<void> {
  for (const { call, arguments: args = [], recording, runs = 1, whileOpen } of settings.fixtures ?? []) {
    const host = createTestHost({ record: join(folder, recording), redact })
    const { connection, close } = await open(host)
    try {
      const [capability = '', method = ''] = call.split('.')
      const target = { kind: 'capability' as const, capability, method }
      for (let run = 0; run < runs; run += 1) await walk(given => connection.call(target, given), args)
      if (whileOpen !== undefined) {
        await rejects(connection.call(target, whileOpen), { code: AdapterErrorCode.writeUnderWay })
        await runJobs(host, connection)
        await connection.call(target, whileOpen)
      }
    } finally {
      await close()
      await host.close()
    }
  }
}

/** Runs the jobs of the host, each at its time, until none is left. */
async function runJobs (host: TestHost, connection: RecordedPlatform['connection']): Promise<void> {
  // A job may add others to the list.
  for (const { id, jobType, payload, delayMs = 0 } of host.jobs) {
    host.clock.advance(delayMs)
    await connection.call({ kind: 'job', jobType }, [{ id, type: jobType, payload }])
  }
}

/** Calls, and follows the cursors of a listing to its end. */
async function walk (call: (args: readonly unknown[]) => Promise<unknown>, args: readonly unknown[]): Promise<void> {
  const { nextCursor } = Object(await call(args)) as { nextCursor?: string }
  if (nextCursor === undefined) return
  await walk(call, [{ ...Object(args[0]) as object, cursor: nextCursor }, ...args.slice(1)])
}
