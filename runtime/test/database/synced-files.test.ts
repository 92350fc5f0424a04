import { PGlite } from '@electric-sql/pglite'
import { fsyncSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { openSyncedFiles, syncParameters } from '../../src/database/synced-files.ts'
import { copyEmbeddedDatabase } from '../databases.ts'

t.test('every commit syncs the log of PostgreSQL to the disk', async t => {
  const directory = await mkdtemp(join(tmpdir(), 'linker-synced-'))
  t.teardown(() => rm(directory, { recursive: true, force: true }))
  copyEmbeddedDatabase(directory)
  let syncs = 0
  const files = openSyncedFiles(join(directory, 'database'), descriptor => {
    syncs += 1
    fsyncSync(descriptor)
  })
  const database = await PGlite.create({ fs: files, startParams: [...PGlite.defaultStartParams, ...syncParameters] })
  t.teardown(() => database.close())
  await database.exec('create table counted (number integer)')

  const before = syncs
  for (let number = 0; number < 5; number += 1) await database.query('insert into counted values ($1)', [number])

  t.ok(syncs - before >= 5)
})
