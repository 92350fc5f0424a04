import { readdir } from 'node:fs/promises'
import { enableCompileCache, getCompileCacheDir } from 'node:module'
import { join } from 'node:path'
import t from 'tap'
import { createChecked, openChecked } from '../../src/adapters/checked.ts'

t.test('a subject is remembered by the next process, another subject and other checks are not', async t => {
  const folder = t.testdir()
  createChecked(folder, 'checks').add({ schema: { pattern: '^a$' } })

  t.ok(createChecked(folder, 'checks').has({ schema: { pattern: '^a$' } }))
  t.notOk(createChecked(folder, 'checks').has({ schema: { pattern: '^b$' } }))
  t.notOk(createChecked(folder, 'checks').has({ schema: { pattern: /^a$/ } }), 'JSON would not tell them apart')
  t.notOk(createChecked(folder, 'newer checks').has({ schema: { pattern: '^a$' } }))
  t.equal((await readdir(folder)).length, 1)
})

t.test('a folder that cannot be used is no error', async t => {
  const checked = createChecked(join(t.testdir(), 'missing'), 'checks')

  checked.add({})
  t.notOk(checked.has({}))
})

t.test('a checkout remembers nothing: its checks can change at any time', async t => {
  enableCompileCache(t.testdir())
  t.not(getCompileCacheDir(), undefined, 'Node has a folder')
  t.equal(openChecked(), undefined)
})
