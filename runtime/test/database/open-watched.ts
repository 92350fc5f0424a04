import { registerHooks } from 'node:module'
import { parentPort, workerData } from 'node:worker_threads'

// A thread that opens the database of the place in `workerData`, and posts the addresses of all
// modules that it loaded. It watches from its first import on.

const loaded: string[] = []
registerHooks({
  load (url, context, next) {
    loaded.push(url)
    return next(url, context)
  }
})
const { openDatabase } = await import('../../src/database/database.ts')
const { entities } = await import('../../src/entities.ts')

try {
  const database = await openDatabase(workerData, { warn: () => undefined }, entities)
  await database.close()
  parentPort?.postMessage({ loaded })
} catch (error) {
  parentPort?.postMessage({ loaded, error })
}
