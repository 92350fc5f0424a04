import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { repository } from '../support/project.ts'
import { describeFailures, describeSkipped, describeSlowest } from './report.ts'
import { tally, type FileResult } from './results.ts'
import { runBatch } from './run-batch.ts'

/** Runs test files with the given content, in this order and in one process. */
async function run (
  t: Test,
  files: Record<string, string>,
  lingerMs?: number
): Promise<{ results: FileResult[], ended: string[] }> {
  const directory = await mkdtemp(join(tmpdir(), 'linker-runner-'))
  t.teardown(() => rm(directory, { recursive: true, force: true }))
  await symlink(join(repository, 'node_modules'), join(directory, 'node_modules'))
  for (const [name, content] of Object.entries(files)) {
    await writeFile(join(directory, name), `import t from 'tap'\n${content}\n`)
  }

  const nameOf = (file: string): string => file.slice(directory.length + 1)
  const ended: string[] = []
  const found = await runBatch({ files: Object.keys(files).map(name => join(directory, name)) }, {
    environment: process.env,
    signal: new AbortController().signal,
    ...(lingerMs === undefined ? {} : { lingerMs }),
    onBegin: () => undefined,
    onEnd ({ file }) {
      ended.push(nameOf(file))
    }
  })
  return { results: found.map(result => ({ ...result, file: nameOf(result.file) })), ended }
}

const passes = "t.test('it passes', async t => { t.pass('one'); t.equal(1, 1) })"

t.test('the runner counts assertions by file and gives each file its own t', async t => {
  const { results, ended } = await run(t, {
    'a.test.ts': `let hooks = 0
      t.beforeEach(() => { hooks += 1; globalThis.hooks = hooks })
      ${passes}`,
    'b.test.ts': "t.test('the hook of the file before ran once', async t => { t.equal(globalThis.hooks, 1) })"
  })

  t.strictSame(ended, ['a.test.ts', 'b.test.ts'])
  t.match(results, [
    { file: 'a.test.ts', passed: 2, failures: { length: 0 } },
    { file: 'b.test.ts', passed: 1, failures: { length: 0 } }
  ])
  for (const { durationMs, cpuMs = 0 } of results) t.ok(durationMs > 0 && cpuMs > 0, `${durationMs} ms, ${cpuMs} ms`)
  t.match(describeSlowest(results), /^The slowest files.*\n +[\d.]+ s +[\d.]+ s {2}[ab]\.test\.ts$/m)
})

t.test('the report names what was skipped, with the reason', async t => {
  const { results } = await run(t, {
    'partly.test.ts': `
      t.test('outer', async t => {
        t.test('inner', { skip: 'needs a printer' }, async () => undefined)
        t.pass('it prints', { skip: 'needs paper' })
      })
      ${passes}`
  })

  t.equal(
    describeSkipped(results),
    'Skipped: partly.test.ts > inner: needs a printer\nSkipped: partly.test.ts > it prints: needs paper'
  )
})

t.test('a test without assertions counts when it passes', async t => {
  const { results } = await run(t, {
    'contract.test.ts': "t.test('one', async () => undefined)\nt.test('another', async () => undefined)"
  })

  t.match(results, [{ passed: 2, failures: { length: 0 } }])
})

t.test('the report of a failure has its file, tests, difference, place and output', async t => {
  const { results } = await run(t, {
    'bad.test.ts': `
      t.test('outer', async t => {
        t.test('inner', async t => {
          console.log('on its way')
          console.error('a warning')
          t.strictSame({ a: 1 }, { a: 2 }, 'the same')
        })
      })`,
    'good.test.ts': `console.log('not asked for')\n${passes}`
  })
  const text = describeFailures(results)

  t.match(text, /^Failed: bad\.test\.ts > outer > inner > the same$/m)
  t.match(text, /bad\.test\.ts:7:\d+/)
  t.match(text, /-\s+"a": 2,\n\s+\+\s+"a": 1,/)
  t.match(text, /The last output of bad\.test\.ts:\n[\s\S]*on its way\n\s+a warning/)
  t.notMatch(text, /not asked for/)
  t.strictSame(tally(results), { passed: 2, failed: 1 })
})

t.test('the report shows the first of many failures and lines, and counts the others', async t => {
  const { results } = await run(t, {
    'many.test.ts': `t.test('each', async t => {
      t.strictSame(Array.from({ length: 500 }, (_, index) => index), [])
      for (let index = 0; index < 100; index++) t.equal(index, -1)
    })`
  })
  const text = describeFailures(results)

  t.match(text, /\(4\d\d more lines\)/)
  t.match(text, /many\.test\.ts:\d+:\d+/)
  t.equal(text.match(/^Failed: many\.test\.ts > each/gm)?.length, 5)
  t.match(text, /^Failed: 96 more in many\.test\.ts$/m)
  t.ok(text.split('\n').length < 200)
  t.strictSame(tally(results), { passed: 0, failed: 101 })
})

t.test('a file fails when it throws or has no test, and the other files still run', async t => {
  const { results: [throws, empty, good] } = await run(t, {
    'throws.test.ts': "throw new Error('no such thing')",
    'empty.test.ts': "t.comment('nothing')",
    'good.test.ts': passes
  })

  t.equal(throws?.failures.length, 1)
  t.match(throws?.failures[0]?.path.join(), /no such thing/)
  t.match(empty, { failures: [{ detail: 'it has no test' }] })
  t.match(good, { passed: 2, failures: { length: 0 } })
})

t.test('an error that nobody catches fails the test that runs, not one that waits, and others go on', async t => {
  const { results } = await run(t, {
    'timer.test.ts': `
      t.test('outer', async t => {
        t.test('it throws later', async () => {
          setTimeout(() => { throw new Error('too late') }, 1)
          await new Promise(resolve => setTimeout(resolve, 500))
        })
        t.test('it waits', async t => { t.pass('fine') })
      })
      t.test('it waits too', async t => { t.pass('fine') })`,
    'promise.test.ts': `
      t.test('it rejects', async () => {
        void Promise.reject(new Error('unheard'))
        await new Promise(resolve => setTimeout(resolve, 500))
      })
      t.test('it waits', async t => { t.pass('fine') })`,
    'good.test.ts': passes
  })

  t.match(results, [
    { passed: 2, failures: [{ path: ['outer', 'it throws later', 'too late'] }] },
    { passed: 1, failures: [{ path: ['it rejects', 'unheard'] }] },
    { passed: 2, failures: { length: 0 } }
  ])
})

t.test('a process that ends early fails its current file and the files after it', async t => {
  const { results: [good, exits, later] } = await run(t, {
    'good.test.ts': passes,
    'exits.test.ts': "t.test('it exits', async () => { process.exit(3) })",
    'later.test.ts': passes
  })
  const { results: [killed] } = await run(t, {
    'killed.test.ts': "t.test('it is killed', async () => { process.kill(process.pid, 'SIGKILL') })"
  })

  t.match(good, { passed: 2, failures: { length: 0 } })
  t.ok((exits?.failures.length ?? 0) > 0)
  t.match(later, { passed: 0, failures: [{ detail: /did not reach its end/ }] })
  t.match(killed, { failures: [{ detail: 'its process ended with SIGKILL' }] })
})

t.test('something left open that keeps the process alive is a failure, also beside a failed test', async t => {
  const { results: [fails, holds] } = await run(t, {
    'fails.test.ts': "t.test('it fails', async t => { t.equal(1, 2) })",
    'holds.test.ts': `setInterval(() => undefined, 1_000)\n${passes}`
  }, 500)

  t.match(fails, { failures: { length: 1 } })
  t.match(holds, { passed: 2, failures: [{ detail: /left something open that kept the process alive/ }] })
  t.match(holds?.output.join('\n'), /keeps the process alive: .*Timeout/)
})
