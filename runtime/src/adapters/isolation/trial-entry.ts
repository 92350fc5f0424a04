import { encodeError, importAdapter, watchGlobals } from '@linker/sdk/host/trial'
import { parentPort, workerData } from 'node:worker_threads'
import type { ImportReport, Outcome } from './protocol.ts'

// The thread of a trial: imports one adapter after the other and says what each did.

delete process.env.NODE_COMPILE_CACHE

async function importAll (entries: readonly string[]): Promise<Outcome<ImportReport[]>> {
  const reports: ImportReport[] = []
  try {
    for (const entry of entries) {
      const changedGlobals = watchGlobals()
      const { description } = await importAdapter(entry)
      reports.push({ description, patched: changedGlobals() })
    }
    return { value: reports }
  } catch (error) {
    return { error: encodeError(error) }
  }
}

parentPort?.postMessage(await importAll(workerData as string[]))
