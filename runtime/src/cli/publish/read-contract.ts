import { Manifest } from '@linker/sdk'
import { manifestProblems, withoutWrongPresentation } from '@linker/sdk/host'
import { Value } from '@sinclair/typebox/value'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { tryTogether } from '../../adapters/isolation/trial.ts'
import type { AdapterContract } from './compare-contracts.ts'
import type { Installed } from './installed.ts'

const importMs = 10_000
const sdk = '@linker/sdk'

/**
 * Reads the contract of an installed adapter. Imports it in a thread. Returns undefined when the
 * hub could not load it: the conformance suite says why.
 */
export async function readContract ({ project, content }: Installed): Promise<AdapterContract | undefined> {
  // As the hub loads it: a wrong link must not hide what else has changed since that version.
  const { manifest } = withoutWrongPresentation(content.linker)
  if (manifestProblems(manifest).length > 0) return undefined
  const entry = findEntry(project, content.name ?? '')
  const report = entry === undefined ? undefined : (await tryTogether([entry], importMs)).get(entry)
  if (report === undefined) return undefined
  const { engines = {}, peerDependencies = {} } = content
  const ranges = [
    ...Object.entries(engines).map(([name, range]) => [`engines.${name}`, range]),
    ...Object.entries(peerDependencies).filter(([name]) => name === sdk)
  ]
  return {
    manifest: Value.Decode(Manifest, manifest),
    ranges: Object.fromEntries(ranges) as Record<string, string>,
    description: report.description
  }
}

export function findEntry (project: string, name: string): string | undefined {
  try {
    return pathToFileURL(createRequire(join(project, 'package.json')).resolve(name)).href
  } catch {
    return undefined
  }
}
