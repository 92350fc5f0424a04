import { join } from 'node:path'
import type { Test } from 'tap'
import { buildTestHub } from '../support/hub.ts'
import type { Mode } from '../support/modes.ts'
import { repository } from '../support/project.ts'

/** The types of `@linker/client` that are made from the description of the hub. */
export const schemaFile = join(repository, 'sdk/client/src/schema.ts')

/** Reads the description of a hub without adapters: it has the operations that every hub has. */
export async function readDescription (t: Pick<Test, 'teardown'>, mode: Mode): Promise<string> {
  const hub = await buildTestHub(t, { mode, config: { adapters: [] } })
  return (await hub.call('GET', '/openapi.json')).text
}

const header = `// Generated from the description that a hub without adapters serves at /openapi.json.
// After a change of the API, \`npm run client\` writes this file again.

`

/** Makes the types from a description. */
export async function generateTypes (description: string): Promise<string> {
  // Loaded when it is needed: it contains a compiler.
  const { default: generate, astToString } = await import('openapi-typescript')
  // A client may leave out what has a default; the description says what it must send.
  return header + astToString(await generate(description, { defaultNonNullable: false }))
}
