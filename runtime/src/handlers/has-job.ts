import type { Registry } from '../adapters/registry.ts'
import { coreJobTypes } from './core-jobs.ts'

/** Where a connection's adapter is found. */
export interface AdapterOfConnection {
  adapterKey: string
  adapterVersion: string | null
}

/**
 * Whether jobs of a type run on a connection. While its adapter is away they may: they wait for it.
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
