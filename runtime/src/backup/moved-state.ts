import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../config.ts'
import { MovedStateError } from '../errors.ts'

const fileName = 'moved.txt'

/**
 * Notes in a data directory that its state went elsewhere. `to` is an address without a password.
 */
export async function noteMoved (dataDirectory: string, to: string, at: Date): Promise<void> {
  const note = `${to} at ${at.toISOString()}`
  await writeFile(join(dataDirectory, fileName), `The state of this hub was moved to ${note}.\n`, { mode: 0o600 })
}

/**
 * Throws `LNK_STATE_MOVED` when a hub would use an embedded database whose state was moved to
 * another one: two hubs would write to the same shops and marketplaces.
 */
export async function refuseMoved ({ databaseUrl, dataDirectory }: Config): Promise<void> {
  if (databaseUrl !== undefined) return
  await refuseNoted(
    dataDirectory,
    path => `To go on with the embedded database, which does not know what happened since, delete '${path}'`
  )
}

/**
 * Throws `LNK_STATE_MOVED` when the state of a data directory was moved already: a second target
 * would be a second hub for the same shops and marketplaces.
 */
export async function refuseSecondMove (dataDirectory: string): Promise<void> {
  await refuseNoted(
    dataDirectory,
    path =>
      'To use another database, restore a backup of that hub into it (`linker backup`, `linker restore`). If no hub ' +
      `has started with that database, delete '${path}' to move the state again`
  )
}

async function refuseNoted (dataDirectory: string, remedyOf: (path: string) => string): Promise<void> {
  const note = await readNote(dataDirectory)
  if (note !== undefined) throw new MovedStateError(note, remedyOf(join(dataDirectory, fileName)))
}

/** Returns the sentence that says where the state of a data directory went, if it was moved. */
export async function readNote (dataDirectory: string): Promise<string | undefined> {
  const note = await readFile(join(dataDirectory, fileName), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  return note?.trim()
}
