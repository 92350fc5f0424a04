import {
  createCallSecrets,
  explainMovedExport,
  importAdapter,
  ShapeError,
  withThreadTimeLimit,
  type HostServices
} from '@linker/sdk/host'
import { createRequire, findPackageJSON } from 'node:module'
import { dirname, join, sep } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import pTimeout from 'p-timeout'
import type { AdapterCarrier, CarrierHost } from './carriers.ts'
import type { AdapterPackage } from './discover.ts'
import type { ImportReport, ThreadData } from './isolation/protocol.ts'
import { describeEnd, type CarrierThread } from './isolation/thread.ts'
import { unwrap } from './isolation/worker-carrier.ts'
import { LoadError, type Fail } from './states.ts'

/**
 * Resolves the module from the operator's project, so that the project's package manager decides
 * which copy is meant, aliases included.
 */
export function findEntry (found: AdapterPackage, projectDirectory: string): string | Error {
  if (found.source !== undefined) return pathToFileURL(found.source).href
  try {
    const { resolve } = createRequire(join(found.isLocal ? found.directory : projectDirectory, 'package.json'))
    return pathToFileURL(resolve(found.isLocal ? found.selfName : found.packageName)).href
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error))
  }
}

/** Imports an adapter in a thread of its own, where its module cannot harm the hub. */
export async function importInThread (
  thread: CarrierThread,
  entry: string,
  importMs: number,
  fail: Fail
): Promise<ImportReport> {
  try {
    return unwrap(await withThreadTimeLimit(
      thread,
      importMs,
      thread.functions.load(),
      () => fail('failed', 'LNK_ADAPTER_IMPORT_TIMEOUT', `its import did not finish in ${importMs} ms`)
    ))
  } catch (error) {
    const end = thread.endedWith()
    if (end !== undefined) throw fail('failed', 'LNK_ADAPTER_EXITED', `its import failed: ${describeEnd(end)}`)
    throw describeImportFailure(error, fail, entry)
  }
}

/** Imports an adapter in this process, after its import passed in a thread. */
export async function importInline (
  data: ThreadData,
  services: HostServices,
  host: CarrierHost,
  importMs: number,
  fail: Fail,
  onLeft: (error: Error) => void
): Promise<AdapterCarrier> {
  try {
    const call = { target: { kind: 'init' as const }, args: [], signal: new AbortController().signal }
    // Import as a call of this adapter, so that blame finds the adapter for everything that the
    // import starts.
    const imported = host.currentCall.run({
      adapter: data.adapter,
      call,
      effects: { cursors: {}, jobs: [] },
      secrets: createCallSecrets(),
      breakOff: onLeft
    }, () => importAdapter(data.entry))
    const { definition } = await pTimeout(imported, {
      milliseconds: importMs,
      fallback () {
        throw fail('failed', 'LNK_ADAPTER_IMPORT_TIMEOUT', `its import did not finish in ${importMs} ms`)
      }
    })
    return host.inline(data, definition, services)
  } catch (error) {
    throw describeImportFailure(error, fail, data.entry)
  }
}

function describeImportFailure (error: unknown, fail: Fail, entry: string): unknown {
  if (error instanceof LoadError) return error
  const message = error instanceof Error ? error.message : String(error)
  const isShape = error instanceof Error && 'code' in error && error.code === ShapeError.code
  if (isShape) return fail('invalid', 'LNK_ADAPTER_SHAPE_INVALID', message)
  const moved = explainMovedExport(message)
  return moved === undefined
    ? fail('failed', 'LNK_ADAPTER_IMPORT_FAILED', `its import failed${placeOf(error, entry)}: ${message}`)
    : fail('incompatible', 'LNK_ADAPTER_INCOMPATIBLE', `${moved}; it was made for an earlier version of the SDK`)
}

/**
 * Names the line of the package where an import failed, such as ` at /srv/feed/src/index.ts:12`.
 * Empty when the error does not tell. Node begins the stack of a syntax error with its place.
 */
function placeOf (error: unknown, entry: string): string {
  const packageJson = findPackageJSON(entry)
  if (!(error instanceof Error) || packageJson === undefined) return ''
  const folder = dirname(packageJson)
  for (const [, place = '', line = ''] of (error.stack ?? '').matchAll(/(file:[^\s()]+?|\/[^\s():]+):(\d+)/g)) {
    const path = place.startsWith('file:') ? fileURLToPath(place) : place
    if (path.startsWith(folder + sep) && !path.includes(`${sep}node_modules${sep}`)) return ` at ${path}:${line}`
  }
  return ''
}
