import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { findForgottenState } from '../../src/backup/forgotten-state.ts'
import { noteMoved } from '../../src/backup/moved-state.ts'
import type { Query } from '../../src/database/database.ts'

const databaseUrl = 'postgres://db.example/linker'

async function makeDirectory (t: Test, ...folders: string[]): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'linker-forgotten-'))
  t.teardown(() => rm(directory, { recursive: true, force: true }))
  for (const folder of folders) await mkdir(join(directory, folder))
  return directory
}

/** A database whose tables are there, with or without connections. */
const databaseWith = (isFilled: boolean): Query => async <Row>() => [{ areThere: true, isFilled }] as Row[]

t.test('an embedded state that nobody moved is to be transferred, or deleted', async t => {
  const dataDirectory = await makeDirectory(t, 'database')

  t.match(await findForgottenState({ databaseUrl, dataDirectory }, databaseWith(false)), /`linker transfer`/)
})

t.test('a state that was moved is not to be transferred again: the note says where it is', async t => {
  const dataDirectory = await makeDirectory(t, 'database')
  await noteMoved(dataDirectory, 'postgres://moved.example/linker', new Date('2026-01-31T10:00:00.000Z'))
  const found = await findForgottenState({ databaseUrl, dataDirectory }, databaseWith(false))

  t.match(found, /postgres:\/\/moved\.example\/linker at 2026-01-31T10:00:00\.000Z\. .*DATABASE_URL.*`linker restore`/)
  t.notMatch(found, /transfer/)
})

t.test('nothing is forgotten with connections, without an embedded state, or when the hub uses it', async t => {
  const [used, none] = [await makeDirectory(t, 'database'), await makeDirectory(t)]

  t.equal(await findForgottenState({ databaseUrl, dataDirectory: used }, databaseWith(true)), undefined)
  t.equal(await findForgottenState({ databaseUrl, dataDirectory: none }, databaseWith(false)), undefined)
  t.equal(
    await findForgottenState({ databaseUrl: undefined, dataDirectory: used }, databaseWith(false)),
    undefined
  )
})
