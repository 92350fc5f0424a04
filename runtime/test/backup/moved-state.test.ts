import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { noteMoved } from '../../src/backup/moved-state.ts'
import { transferState } from '../../src/backup/transfer.ts'
import { lockDirectory } from '../../src/database/directory-lock.ts'

async function makeDirectory (t: Test): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'linker-moved-'))
  t.teardown(() => rm(directory, { recursive: true, force: true }))
  return directory
}

t.test('a state that was moved is not moved to a second database', async t => {
  const dataDirectory = await makeDirectory(t)
  await noteMoved(dataDirectory, 'postgres://first.example/linker', new Date())

  await t.rejects(
    transferState({ dataDirectory }, { dataDirectory, databaseUrl: 'postgres://second.example/linker' }, new Date()),
    { code: 'LNK_STATE_MOVED', message: /postgres:\/\/first\.example\/linker.*`linker restore`.*moved\.txt/ }
  )
})

t.test('a transfer of a directory in use only advises to stop the process that uses it', async t => {
  const dataDirectory = await makeDirectory(t)
  const release = await lockDirectory(dataDirectory)
  t.teardown(release)

  await t.rejects(
    transferState({ dataDirectory }, { dataDirectory, databaseUrl: 'postgres://first.example/linker' }, new Date()),
    {
      code: 'LNK_DATA_DIRECTORY_LOCKED',
      message: `The data directory '${dataDirectory}' is in use by process ${process.pid}. ` +
        'Stop that process, then transfer the state'
    }
  )
})
