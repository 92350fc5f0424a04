import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { checkpoint } from '../../src/database/checkpoints.ts'
import { openDatabase } from '../../src/database/database.ts'
import { copyEmbeddedDatabase } from '../databases.ts'

t.test('an embedded database makes a checkpoint once its log has grown', async t => {
  const dataDirectory = await mkdtemp(join(tmpdir(), 'linker-checkpoints-'))
  copyEmbeddedDatabase(dataDirectory)
  const { query, close } = await openDatabase({ dataDirectory }, { warn: () => undefined })
  t.teardown(async () => {
    await close()
    await rm(dataDirectory, { recursive: true, force: true })
  })
  await checkpoint(query, 0)

  const before = await checkpoint(query, 1_000_000)
  await query("create table filled as select repeat('x', 1000) from generate_series(1, 2000)")

  t.equal(before, false)
  t.equal(await checkpoint(query, 1_000_000), true)
  t.equal(await checkpoint(query, 1_000_000), false)
})
