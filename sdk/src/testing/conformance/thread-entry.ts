import { parentPort, workerData } from 'node:worker_threads'
import type { Adapter } from '../../adapter.ts'
import { ShapeError } from '../../host/describe.ts'
import { guardGlobals } from '../../host/globals.ts'
import { importAdapter } from '../../host/import-adapter.ts'
import { createExperimenter, type Experimenter } from './experimenter.ts'
import type { Experiment, FromThread, ImportReport, RunReport, ThreadData, ToThread } from './protocol.ts'
import { watchAllGlobals, watchConnections, watchEnvironment, watchHandles, watchListeners } from './watch-import.ts'

// The thread in which the suite runs the adapter under test. Load all of the suite first: only then
// can it observe what the import does.

delete process.env.NODE_COMPILE_CACHE

const port = parentPort
if (port === null) throw new Error('this module is the entry of a worker thread')
const data = workerData as ThreadData
const send = (message: FromThread): void => {
  port.postMessage(message)
}

const environment = watchEnvironment(data.directory)
let definition: Adapter | undefined
let experimenter: Experimenter | undefined
const looks = new Map<string, () => void>()

async function load (): Promise<ImportReport> {
  const globals = watchAllGlobals()
  const listeners = watchListeners()
  const handles = watchHandles()
  const imported = await tryImport()
  // A resource that ends by itself ends within one turn of the loop, and its end is visible after
  // another.
  await turn()
  await turn()
  return { ...imported, environment: environment(), handles: handles(), globals: globals(), listeners: listeners() }
}

async function tryImport (): Promise<Pick<ImportReport, 'failure' | 'description'>> {
  try {
    const imported = await importAdapter(data.entry)
    definition = imported.definition
    return { description: imported.description }
  } catch (error) {
    return {
      failure: {
        message: error instanceof Error ? error.message : String(error),
        isShape: error instanceof Error && 'code' in error && error.code === ShapeError.code
      }
    }
  }
}

async function run (experiments: readonly Experiment[]): Promise<RunReport> {
  if (definition === undefined) throw new Error('the adapter is not loaded')
  const foreign = watchConnections(new Set(experiments.map(({ origin }) => new URL(origin).host)))
  const before = new Set(environment())
  const guard = guardGlobals()
  const globals: RunReport['globals'] = []
  // Restore at once, so that the next look finds only new changes.
  const look = (callId?: string): void => {
    globals.push(...guard.restore('thorough').map(({ name }) => ({ name, callId })))
  }
  const running = createExperimenter({
    adapter: data.adapter,
    definition,
    manifest: data.manifest,
    settleMs: data.settleMs,
    onCall (id) {
      look()
      send({ kind: 'begun', id })
    },
    onOwnTurn: look,
    onSettled (experiment) {
      const { promise, resolve } = Promise.withResolvers<void>()
      looks.set(experiment, resolve)
      send({ kind: 'settled', experiment })
      return promise
    }
  })
  experimenter = running
  const results = await running.run(experiments)
  look()
  return {
    results,
    globals,
    foreignConnections: foreign(),
    environment: environment().filter(name => !before.has(name))
  }
}

function turn (): Promise<void> {
  return new Promise(resolve => {
    setImmediate(resolve)
  })
}

port.on('message', async (message: ToThread) => {
  switch (message.kind) {
    case 'load':
      return send({ kind: 'loaded', report: await load() })
    case 'run':
      return send({ kind: 'finished', report: await run(message.experiments) })
    case 'abort':
      return experimenter?.abort(message.id)
    case 'looked':
      return looks.get(message.experiment)?.()
    // From here on, only resources that the adapter left running hold the thread.
    case 'release':
      port.close()
  }
})
