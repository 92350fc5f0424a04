import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import t from 'tap'
import { sourceOf } from '../../../src/adapters/isolation/function-source.ts'

t.test('a function is traced to the module that it was written in', async t => {
  const path = join(t.testdir({}), 'index.mjs')
  await writeFile(path, 'export function patch () { return () => 7 }')
  const url = pathToFileURL(path).href
  const { patch } = await import(url) as { patch(): () => number }

  t.equal(sourceOf(patch), url)
  t.equal(sourceOf(patch()), url, 'an inner function, too')
})

t.test('what is no function, or was not written in a module, has no source', async t => {
  t.equal(sourceOf('text'), undefined)
  t.equal(sourceOf(Math.hypot), undefined)
})

t.test('asking leaves nothing behind', async t => {
  const before = Reflect.ownKeys(globalThis)
  sourceOf(() => 7)

  t.strictSame(Reflect.ownKeys(globalThis), before)
})
