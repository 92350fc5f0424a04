import { writeFile } from 'node:fs/promises'
import { generateTypes, readDescription, schemaFile } from './schema.ts'

// `npm run client` writes the types of `@linker/client` after a change of the API.

const cleanUps: (() => unknown)[] = []
try {
  const description = await readDescription({ teardown: cleanUp => cleanUps.push(cleanUp) }, 'embedded')
  await writeFile(schemaFile, await generateTypes(description))
} finally {
  for (const cleanUp of cleanUps.toReversed()) await cleanUp()
}
