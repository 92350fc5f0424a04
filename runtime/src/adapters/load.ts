import { adapterTag, requiredMethods, type Adapter } from '@linker/sdk'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { compileSchema, type SchemaValidator } from '../http/json-schema.ts'
import type { AdapterPackage, AdapterProblem, AdapterState, Discovered } from './discover.ts'

/** An adapter that serves: its identity, its code and its compiled schemas. */
export interface LoadedAdapter extends AdapterPackage {
  definition: Adapter
  validateConfig: SchemaValidator
  validateCredentials: SchemaValidator
  supportedCapabilities: string[]
}

/** What the start table and `GET /adapters` show of every adapter, serving or not. */
export interface AdapterRecord { packageName: string, directory?: string, state: AdapterState, problem?: AdapterProblem, adapter?: LoadedAdapter }

const importTimeoutMs = 5_000

/** Imports and checks each discovered adapter. One that fails is recorded with its reason; the others are not touched by it. */
export async function loadAdapters (projectDirectory: string, discovered: readonly Discovered[]): Promise<AdapterRecord[]> {
  return Promise.all(discovered.map(async item => {
    if (item.found === undefined) return failed(item, item.problem ?? { state: 'failed', code: 'LNK_ADAPTER_NOT_INSTALLED', message: `'${item.packageName}' was not found` })
    try {
      const definition = await importAdapter(projectDirectory, item.found)
      return { packageName: item.packageName, directory: item.found.directory, state: 'ready' as const, adapter: validateAdapter(item.found, definition) }
    } catch (error) {
      return failed(item, describeFailure(item.found, error))
    }
  }))
}

function failed (item: Discovered, problem: AdapterProblem): AdapterRecord {
  return { packageName: item.packageName, state: problem.state, problem, ...(item.directory === undefined ? {} : { directory: item.directory }) }
}

class ShapeError extends Error {}

function describeFailure (adapter: AdapterPackage, error: unknown): AdapterProblem {
  const message = error instanceof Error ? error.message : String(error)
  return error instanceof ShapeError
    ? { state: 'invalid', code: 'LNK_ADAPTER_SHAPE_INVALID', message: `'${adapter.packageName}': ${message}` }
    : { state: 'failed', code: 'LNK_ADAPTER_IMPORT_FAILED', message: `'${adapter.packageName}' could not be imported from ${adapter.directory}: ${message}` }
}

async function importAdapter (projectDirectory: string, adapter: AdapterPackage): Promise<unknown> {
  // Resolved from the operator's project, so that its package manager decides which copy is meant, aliases included.
  const entry = createRequire(join(projectDirectory, 'package.json')).resolve(adapter.packageName)
  const timeout = AbortSignal.timeout(importTimeoutMs)
  const expired = new Promise<never>((_resolve, reject) => {
    timeout.addEventListener('abort', () => { reject(new Error(`its import did not finish in ${importTimeoutMs} ms`)) })
  })
  const module = await Promise.race([import(pathToFileURL(entry).href), expired]) as { default?: unknown }
  return module.default
}

function validateAdapter (adapter: AdapterPackage, exported: unknown): LoadedAdapter {
  if (!isAdapter(exported)) throw new ShapeError('its default export is not the result of defineAdapter()')
  const supportedCapabilities = Object.keys(exported.capabilities)
  const missing = adapter.manifest.capabilities.filter(name => !supportedCapabilities.includes(name))
  const undeclared = supportedCapabilities.filter(name => !adapter.manifest.capabilities.includes(name))
  if (missing.length > 0) throw new ShapeError(`the manifest declares ${missing.join(', ')} and the code does not implement it`)
  if (undeclared.length > 0) throw new ShapeError(`the code implements ${undeclared.join(', ')} and the manifest does not declare it`)
  const foreignJobs = Object.keys(exported.jobs ?? {}).filter(name => !name.startsWith(`${adapter.manifest.platformType}.`))
  if (foreignJobs.length > 0) throw new ShapeError(`job ${foreignJobs.join(', ')} does not start with '${adapter.manifest.platformType}.'`)
  return {
    ...adapter,
    definition: exported,
    validateConfig: compile(exported.config, 'config'),
    validateCredentials: compile(exported.credentials, 'credentials'),
    supportedCapabilities
  }
}

function isAdapter (value: unknown): value is Adapter {
  return typeof value === 'object' && value !== null && adapterTag in value && 'capabilities' in value && 'connect' in value
}

function compile (schema: object, name: string): SchemaValidator {
  try {
    return compileSchema(schema)
  } catch (error) {
    throw new ShapeError(`its ${name} schema does not compile: ${error instanceof Error ? error.message : ''}`, { cause: error })
  }
}

/** Names of the required methods that a capability object lacks. */
export function missingMethods (capability: string, implementation: object): string[] {
  const required = new Map<string, readonly string[]>(Object.entries(requiredMethods)).get(capability) ?? []
  const members = new Map<string, unknown>(Object.entries(implementation))
  return required.filter(method => typeof members.get(method) !== 'function')
}
