import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import t, { type Test } from 'tap'
import { watchAdapterGlobals, type ReplacedGlobals } from '../../../src/adapters/isolation/globals-watch.ts'

function watch (
  t: Test,
  running: readonly string[],
  owners: Readonly<Record<string, string>> = {}
): { look(): void, found: ReplacedGlobals[] } {
  const found: ReplacedGlobals[] = []
  const { look, close } = watchAdapterGlobals({
    suspects: { any: () => running.length > 0, list: () => running, forget: () => undefined },
    adapterOf: url => Object.entries(owners).find(([folder]) => url.startsWith(folder))?.[1],
    onReplaced (replaced) {
      found.push(replaced)
    }
  })
  t.teardown(close)
  return { look, found }
}

/** Writes a module of an adapter; its `patch` replaces `Math.hypot`. */
async function patchFrom (t: Test): Promise<{ folder: string, patch(): void }> {
  const directory = await mkdtemp(join(tmpdir(), 'linker-globals-'))
  t.teardown(() => rm(directory, { recursive: true, force: true }))
  await writeFile(join(directory, 'index.mjs'), 'export function patch () { Math.hypot = () => 7 }')
  const { patch } = await import(pathToFileURL(join(directory, 'index.mjs')).href) as { patch(): void }
  return { folder: pathToFileURL(directory).href, patch }
}

t.test('when several adapters ran, the hub names the one whose module holds the function', async t => {
  const { hypot } = Math
  const { folder, patch } = await patchFrom(t)
  const { look, found } = watch(t, ['one@1.0.0', 'two@1.0.0', 'three@1.0.0'], { [folder]: 'two@1.0.0' })
  patch()
  look()

  t.strictSame(found, [{ adapters: ['two@1.0.0'], names: ['Math.hypot'], stay: [] }])
  t.equal(Math.hypot, hypot)
})

t.test('when nothing shows the author of a function, the watch names every adapter that ran', async t => {
  const { patch } = await patchFrom(t)
  const { look, found } = watch(t, ['one@1.0.0', 'two@1.0.0'])
  patch()
  look()

  t.match(found, [{ adapters: ['one@1.0.0', 'two@1.0.0'], names: ['Math.hypot'] }])
})

t.test('a global that was replaced while no adapter ran stays, and nobody is blamed', async t => {
  const { hypot } = Math
  t.teardown(() => {
    Math.hypot = hypot
  })
  const { patch } = await patchFrom(t)
  const { look, found } = watch(t, [])
  patch()
  look()

  t.strictSame(found, [])
  t.not(Math.hypot, hypot)
})

t.test('after calls in quick succession the watch looks a moment later at the latest', async t => {
  const { patch } = await patchFrom(t)
  const { look, found } = watch(t, ['one@1.0.0'])
  look()
  patch()
  look()
  for (let turn = 0; found.length === 0 && turn < 1_000; turn += 1) {
    await new Promise(resolve => {
      setTimeout(resolve, 1)
    })
  }

  t.strictSame(found.map(({ names }) => names), [['Math.hypot']])
})
