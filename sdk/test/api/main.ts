import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describeApi, entries, reportOf } from './report.ts'

// `npm run api` writes `sdk/api` after a change of the SDK's public declarations.

const directory = await mkdtemp(join(tmpdir(), 'linker-api-'))
try {
  for (const entry of entries) {
    await writeFile(reportOf(entry.name), await describeApi(entry, join(directory, entry.name)))
  }
} finally {
  await rm(directory, { recursive: true, force: true })
}
