import { createHook } from 'node:async_hooks'
import { registerHooks } from 'node:module'
import t, { type Test } from 'tap'

const loaded: string[] = []
registerHooks({
  load (url, context, next) {
    loaded.push(url)
    return next(url, context)
  }
})

/** The loaded modules that only an open console needs. */
function ofConsole (): string[] {
  return loaded.filter(url => url.includes('/node_modules/esbuild/') || url.includes('/runtime/console/'))
}

/** The ids of the timers that were set since and have not ended. */
function watchTimers (t: Test): ReadonlySet<number> {
  const live = new Set<number>()
  const hook = createHook({
    init (id, type) {
      if (type === 'Timeout') live.add(id)
    },
    destroy (id) {
      live.delete(id)
    }
  }).enable()
  t.teardown(() => hook.disable())
  return live
}

t.test('a hub whose console nobody opens loads nothing for it, and sets no timer', async t => {
  await import('../../src/app.ts')
  t.strictSame(ofConsole(), [], 'when the hub is loaded')

  const { createConsoleFiles } = await import('../../src/console/files.ts')
  const timers = watchTimers(t)
  const load = createConsoleFiles()
  t.strictSame(ofConsole(), [], 'before the first request')
  t.equal(timers.size, 0)

  const files = await load()
  t.ok(files.has('index.html'))
  t.ok(ofConsole().some(url => url.endsWith('/runtime/console/build.ts')), 'the first request loads the bundler')
  t.equal(await load(), files, 'the next one bundles nothing')
})
