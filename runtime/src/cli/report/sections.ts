import { arch, cpus, platform, release, totalmem } from 'node:os'
import type { AttentionItem } from '../../attention/schemas.ts'
import { explainEnvironment, readConfig } from '../../config.ts'
import type { ConnectionView } from '../../connections/schemas.ts'
import type { Diagnostics } from '../../diagnostics/schemas.ts'
import type { ShownJob } from '../../jobs/show-jobs.ts'
import { packageJson } from '../../package-folder.ts'
import type { System } from '../../system/schemas.ts'
import type { HubClient } from '../hub-client.ts'
import {
  attentionFacts,
  connectionFacts,
  diagnosticsFacts,
  failureFacts,
  jobFacts,
  systemFacts,
  withoutValues
} from './facts.ts'

/** A file of the report, and how to learn what goes into it. */
export interface Section {
  name: string
  read(): Promise<unknown>
}

const mostConnections = 200
const mostJobs = 100
const daysBack = 3

/** Makes the sections about this machine, which need no hub. */
export function ownSections (environment: NodeJS.ProcessEnv, workingDirectory: string): Section[] {
  return [
    {
      name: 'versions.json',
      read: async () => ({
        linker: packageJson.version,
        node: process.version,
        platform: `${platform()} ${release()} ${arch()}`,
        processors: cpus().length,
        memoryBytes: totalmem()
      })
    },
    {
      name: 'settings.json',
      read: async () => ({
        environment: variablesIn(environment),
        file: withoutValues(readConfig(environment, workingDirectory).file)
      })
    }
  ]
}

/** Returns the names of the hub's variables that are set. */
function variablesIn (environment: NodeJS.ProcessEnv): string[] {
  const known = new Set(explainEnvironment().map(line => line.split(/[= ]/, 1)[0]))
  return Object.keys(environment)
    .filter(name => environment[name] !== '' && (known.has(name) || name.startsWith('LINKER_WEBHOOK_SECRET__')))
    .toSorted()
}

/** Makes the sections that a running hub fills. */
export function hubSections (hub: HubClient, connections: readonly ConnectionView[], now: Date): Section[] {
  const from = new Date(now.getTime() - daysBack * 86_400_000).toISOString()
  return [
    { name: 'system.json', read: async () => systemFacts(await hub.call('GET', '/system') as System) },
    { name: 'connections.json', read: async () => connections.map(connectionFacts) },
    {
      name: 'attention.json',
      read: async () => attentionFacts(await hub.call('GET', '/attention') as AttentionItem[])
    },
    { name: 'figures.json', read: () => hub.call('GET', `/figures?${new URLSearchParams({ from, step: '3600' })}`) },
    {
      name: 'dead-jobs.json',
      read: async () => (await hub.list('/jobs', { status: 'dead' }, mostJobs) as ShownJob[]).map(jobFacts)
    },
    ...connections.slice(0, mostConnections).map(({ id }) => ({
      name: `diagnostics/${id}.json`,
      read: async () => diagnosticsFacts(await hub.call('GET', `/connections/${id}/diagnostics`) as Diagnostics)
    }))
  ]
}

/** Reads a section. One that fails must not keep the others from the report. */
export async function readSection ({ read }: Section): Promise<unknown> {
  try {
    return await read()
  } catch (error) {
    return failureFacts(error)
  }
}
