import {
  createTestHost,
  type ConformanceSettings,
  type ConnectionCalls,
  type TestHost,
  type TestHostOptions
} from '@linker/sdk/testing'
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

/** Records every fixture of an adapter, each with a platform of its own. */
export async function recordFixtures ({ settings, folder, redact, open }: RecordOptions): Promise<void> {
  for (const { call, arguments: args = [], recording, runs = 1 } of settings.fixtures ?? []) {
    const host = createTestHost({ record: join(folder, recording), redact })
    const { connection, close } = await open(host)
    try {
      const [capability = '', method = ''] = call.split('.')
      const target = { kind: 'capability' as const, capability, method }
      for (let run = 0; run < runs; run += 1) await walk(given => connection.call(target, given), args)
    } finally {
      await close()
      await host.close()
    }
  }
}

/** Calls, and follows the cursors of a listing to its end. */
async function walk (call: (args: readonly unknown[]) => Promise<unknown>, args: readonly unknown[]): Promise<void> {
  const { nextCursor } = Object(await call(args)) as { nextCursor?: string }
  if (nextCursor === undefined) return
  await walk(call, [{ ...Object(args[0]) as object, cursor: nextCursor }, ...args.slice(1)])
}
