import { rm, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { isOutdated } from './bundle.ts'

t.test('a file is outdated when it is missing, or when a source was changed or removed after it', async t => {
  const directory = t.testdir({ 'bundle.js': '', src: { deep: { 'kept.ts': '', 'removed.ts': '' } } })
  const [bundle, src] = [join(directory, 'bundle.js'), join(directory, 'src')]
  const old = new Date(1_000)
  for (const path of ['deep/kept.ts', 'deep/removed.ts', 'deep', '']) await utimes(join(src, path), old, old)
  await utimes(bundle, new Date(2_000), new Date(2_000))

  t.notOk(await isOutdated(bundle, [src]))
  t.ok(await isOutdated(join(directory, 'missing.js'), [src]))
  await rm(join(src, 'deep', 'removed.ts'))
  t.ok(await isOutdated(bundle, [src]), 'a source was removed')
  await utimes(join(src, 'deep'), old, old)
  t.notOk(await isOutdated(bundle, [src]))
  await utimes(join(src, 'deep', 'kept.ts'), new Date(3_000), new Date(3_000))
  t.ok(await isOutdated(bundle, [src]), 'a source was changed')
})
