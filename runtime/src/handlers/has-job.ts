import type { LoadedAdapter } from '../adapters/load.ts'
import type { Registry } from '../adapters/registry.ts'
import { isCoreJobType } from './core-jobs.ts'

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
  return adapterHasJob(registry.find(adapterKey, adapterVersion), jobType)
}

/** Whether jobs of a type can run with an adapter version, which is undefined while it is away. */
export function adapterHasJob (adapter: LoadedAdapter | undefined, jobType: string): boolean {
  return isCoreJobType(jobType) || adapter === undefined || Object.hasOwn(adapter.description.jobs, jobType)
}
