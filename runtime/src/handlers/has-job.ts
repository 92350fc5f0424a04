import type { Registry } from '../adapters/registry.ts'
import { coreJobTypes } from './core-jobs.ts'

/** The members of a connection that say which adapter serves it. */
export interface AdapterOfConnection {
  adapterKey: string
  adapterVersion: string | null
}

/**
 * Whether jobs of a type can run on a connection. True while its adapter is away, because the jobs
 * then wait for the adapter.
 */
export function hasJob (
  registry: Registry,
  { adapterKey, adapterVersion }: AdapterOfConnection,
  jobType: string
): boolean {
  if (coreJobTypes.includes(jobType)) return true
  const adapter = registry.find(adapterKey, adapterVersion)
  return adapter === undefined || Object.hasOwn(adapter.description.jobs, jobType)
}
