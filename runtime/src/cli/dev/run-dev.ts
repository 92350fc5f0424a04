import { escapeUnprintable } from '@linker/sdk/host/text'
import { realpath } from 'node:fs/promises'
import { relative } from 'node:path'
import { discoverAdapters } from '../../adapters/discover.ts'
import { describeState, runServer, type StartedHub } from '../../server.ts'
import { print } from '../../terminal/print.ts'
import { createProgress } from '../../terminal/progress.ts'
import { createHubClient, HubError } from '../hub-client.ts'
import { openActions } from './actions.ts'
import { readDevSettings } from './connection-settings.ts'
import { openDevConnections } from './connection.ts'
import { exitOnSignals } from './exit-on-signals.ts'
import { readHubSettings, secretNameOf, webhookSecretOf } from './hub-settings.ts'
import { describeKeys, listenForKeys } from './keys.ts'
import { runSuite } from './run-suite.ts'
import { openSession } from './session.ts'
import { startSimulator } from './simulator.ts'
import { findDevEntry, type DevEntry } from './source-entry.ts'
import { watchFolder } from './watch-folder.ts'
import { isRelevant, isUnwatched } from './watched-files.ts'

export interface DevOptions {
  port?: string
  upstream?: string
  simulator?: string
  with?: string[]
  build?: boolean
  dataDir?: string
}

/** Runs a hub with the adapter of a folder until a signal or the key `q`. */
export async function runDev (folder: string, options: DevOptions): Promise<void> {
  // The errors of a module name its real path.
  const directory = await realpath(folder).catch(() => {
    throw new HubError(`${folder} is no folder`)
  })
  const { build: builds = false, port, dataDir: dataDirectory } = options
  const platformType = await readPlatformType(directory)
  if (options.upstream !== undefined && !/^https?:\/\/[^/]/.test(options.upstream)) {
    throw new HubError(`--upstream '${options.upstream}' is not an address such as http://127.0.0.1:4700`)
  }
  // A wrong file must be told before anything starts.
  await readDevSettings(directory, undefined)
  const handOver = exitOnSignals()
  const progress = createProgress(process.stderr)
  const upstream = options.upstream ?? await simulate(options.simulator, directory)
  const { platform } = await readDevSettings(directory, upstream)
  const config = await readHubSettings({
    environment: process.env,
    directory,
    workingDirectory: process.cwd(),
    platformType,
    port,
    dataDirectory,
    more: options.with ?? [],
    platform
  })
  const entry = await findDevEntry(directory, builds)
  const hub = await runServer({
    config,
    environment: process.env,
    progress,
    announce (started) {
      // The server has its own handlers now.
      handOver()
      print(describeStart(started, { directory, entry, builds, platformType }))
    }
  })
  const client = await createHubClient({}, directory, { url: hub.url, token: hub.admin.token })
  const connections = openDevConnections(client, platform)
  const session = openSession({
    directory,
    builds,
    swap: discovered => hub.app.adapters.swap(discovered),
    follow: async adapter => connections.follow(adapter, await readDevSettings(directory, upstream)),
    now: () => new Date(),
    say: print
  })
  await watchFolder(directory, {
    ignores: path => isUnwatched(path, entry.output),
    onChange (paths, atMs) {
      if (paths.some(isRelevant)) session.reload(atMs)
    }
  })
  session.reload(performance.now())
  await session.settled()
  if (!process.stdin.isTTY || !process.stdout.isTTY) return
  const keys = openActions({
    hub: client,
    adapter: () => session.serving(),
    webhookSecret: type => webhookSecretOf(config, type),
    runSuite: () => runSuite(directory),
    say: print,
    quit
  })
  print(`\nKeys:\n${describeKeys(keys)}`)
  const { close } = listenForKeys({
    terminal: { input: process.stdin, output: process.stdout },
    keys,
    say: print,
    onInterrupt: quit
  })
  // The shell gets its terminal back as it was.
  process.once('exit', close)
}

/** Ends the process as a signal does, so that there is one way to stop. */
function quit (): void {
  process.kill(process.pid, 'SIGINT')
}

/** The platform of the adapter, which decides the names of settings. Throws for other folders. */
async function readPlatformType (directory: string): Promise<string> {
  const [discovered] = await discoverAdapters(directory, { adapters: [{ path: directory }] })
  const { found, problem } = discovered ?? {}
  if (found !== undefined) return found.manifest.platformType
  throw new HubError(problem === undefined || problem.code === 'LNK_ADAPTER_NOT_INSTALLED'
    ? `${directory} has no package.json: name the folder of an adapter; npm create @linker/adapter makes one`
    : escapeUnprintable(problem.message))
}

async function simulate (command: string | undefined, directory: string): Promise<string | undefined> {
  return command === undefined ? undefined : (await startSimulator(command, directory)).origin
}

interface Trial {
  directory: string
  entry: DevEntry
  builds: boolean
  platformType: string
}

function describeStart (
  { url, config, admin, consoleLine }: StartedHub,
  { directory, entry, builds, platformType }: Trial
): string {
  const runs = entry.source === undefined
    ? `the module that package.json exports${builds ? ', after npm run build' : ''}`
    : `${relative(directory, entry.source)}, which Node runs without a build`
  return [
    `Linker listens on ${url}  (${describeState(config)}, role ${config.role})`,
    ...consoleLine === undefined ? [] : [consoleLine],
    `Token      ${admin.path === undefined ? admin.token : `in ${admin.path}`}`,
    ...config.docs ? [`API        ${url}/api/docs`] : [],
    `Commands   in another terminal: export LINKER_URL=${url} LINKER_TOKEN=${admin.token}`,
    `Webhooks   export ${secretNameOf(platformType)}=${webhookSecretOf(config, platformType)}`,
    `Adapter    ${runs}`,
    ''
  ].map(escapeUnprintable).join('\n')
}
