import { nameOf, type AdapterRecord, type LoadedAdapter } from './load.ts'
import type { Pinned } from './view.ts'

/** The records after a swap, and the adapters of the former records that it leaves out. */
export interface Swapped {
  records: AdapterRecord[]
  left: LoadedAdapter[]
}

/**
 * Puts the record of a package that was loaded while the hub runs into the list of records. It
 * takes the place of the same version from the same folder. Another version from this folder stays
 * as long as connections pin it; its code is that of its last load.
 */
export function swapRecord (
  records: readonly AdapterRecord[],
  loaded: AdapterRecord,
  pins: readonly Pick<Pinned, 'adapterKey' | 'adapterVersion'>[]
): Swapped {
  const stays = (record: AdapterRecord): boolean => {
    if (record.directory !== loaded.directory) return true
    return record.adapter !== undefined && !isSameVersion(record, loaded) && isPinned(record.adapter, pins)
  }
  const kept = records.filter(stays)
  return {
    records: [...kept, loaded],
    left: records.flatMap(record => kept.includes(record) || record.adapter === undefined ? [] : [record.adapter])
  }
}

/** The other folder that has the same version of the same adapter; nobody could say who serves. */
export function findConflict (
  records: readonly AdapterRecord[],
  loaded: Pick<AdapterRecord, 'directory' | 'found'>
): string | undefined {
  return records.find(record => record.directory !== loaded.directory && isSameVersion(record, loaded))?.directory
}

function isSameVersion (one: Pick<AdapterRecord, 'found'>, other: Pick<AdapterRecord, 'found'>): boolean {
  return one.found !== undefined && other.found !== undefined && nameOf(one.found) === nameOf(other.found)
}

function isPinned (
  adapter: LoadedAdapter,
  pins: readonly Pick<Pinned, 'adapterKey' | 'adapterVersion'>[]
): boolean {
  return pins.some(({ adapterKey, adapterVersion }) =>
    adapterKey === adapter.manifest.adapterKey && adapterVersion === adapter.version
  )
}
