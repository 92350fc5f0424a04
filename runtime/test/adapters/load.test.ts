import { transform } from 'esbuild'
import { createHash } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import type { AdapterRecord } from '../../src/adapters/load.ts'
import { loadFrom, makeDirectory } from './load-from.ts'

interface Package {
  name: string
  isolation?: 'inline' | 'worker'
  before?: string
  /** The report of the conformance suite. */
  report?: object
  /** The format of its module. Default: an ES module. */
  format?: 'cjs'
}

/**
 * Installs an adapter whose configuration schema names the thread that first imported its module.
 */
async function install (directory: string, { name, before = '', report, format }: Package): Promise<void> {
  const folder = join(directory, 'node_modules', name)
  await mkdir(folder, { recursive: true })
  await writeFile(
    join(folder, 'package.json'),
    JSON.stringify({
      name,
      version: '1.0.0',
      type: format === 'cjs' ? 'commonjs' : 'module',
      exports: './index.js',
      engines: { linker: '^0.1.0' },
      linker: { adapterKey: `${name}.api.v1`, platformType: name, displayName: name, capabilities: [], permissions: {} }
    })
  )
  if (report !== undefined) await writeFile(join(folder, 'linker.conformance-report.json'), JSON.stringify(report))
  const text = moduleText(before)
  const { code } = format === undefined ? { code: text } : await transform(text, { format })
  await writeFile(join(folder, 'index.js'), code)
}

const moduleText = (before: string): string => `
    import { defineAdapter } from '@linker/sdk'
    import { threadId } from 'node:worker_threads'
    ${before}
    export default defineAdapter({
      config: { type: 'object', title: String(threadId) }, credentials: { type: 'null' },
      account: async () => undefined,
      connect: () => null, capabilities: {}
    })
  `

async function load (t: Test, packages: readonly Package[]): Promise<AdapterRecord[]> {
  const directory = await makeDirectory(t)
  await Promise.all(packages.map(each => install(directory, each)))
  return loadFrom(t, directory, packages.map(({ name, isolation = 'inline' as const }) => ({ use: name, isolation })))
}

const threadOf = ({ adapter }: AdapterRecord): unknown => Object(adapter?.description.config).title

t.test('an adapter that was compiled to CommonJS is loaded inline and in a thread', async t => {
  const records = await load(t, [
    { name: 'required', format: 'cjs' },
    { name: 'required-in-thread', format: 'cjs', isolation: 'worker' }
  ])

  t.strictSame(records.map(({ problem, adapter }) => problem?.message ?? adapter?.packageName), [
    'required',
    'required-in-thread'
  ])
})

t.test('an adapter has the level of its report while its files are those that were tested', async t => {
  const directory = await makeDirectory(t)
  const names = ['tested', 'changed', 'untested']
  const report = {
    suite: '0.1.0',
    level: 2,
    passed: [],
    failed: [],
    exempt: [],
    skipped: [],
    files: { 'index.js': `sha256-${createHash('sha256').update(moduleText('')).digest('base64')}` }
  }
  await install(directory, { name: 'tested', report })
  await install(directory, { name: 'changed', report, before: 'export const changed = true' })
  await install(directory, { name: 'untested' })
  const records = await loadFrom(t, directory, names.map(name => ({ use: name, isolation: 'inline' })))

  t.strictSame(records.map(({ tested }) => tested), [
    { level: 2, suite: '0.1.0', exempt: [] },
    { level: null, suite: null, exempt: [], reason: 'index.js has changed since the test' },
    undefined
  ])
  t.ok(records.every(({ adapter }) => adapter !== undefined))
})

t.test('adapters that run in this process are tried in one thread, which is not this one', async t => {
  const threadedOne = { name: 'threaded', isolation: 'worker' } as const
  const records = await load(t, [{ name: 'one' }, { name: 'two' }, threadedOne, { name: 'three' }])

  t.strictSame(records.map(({ problem }) => problem), [undefined, undefined, undefined, undefined])
  const [one, two, threaded, three] = records.map(threadOf)
  t.not(one, '0')
  t.strictSame([two, three], [one, one])
  t.not(threaded, one)
})

for (
  const [fault, before, code] of [
    ['throws', 'throw new Error("no")', 'LNK_ADAPTER_IMPORT_FAILED'],
    ['ends its thread', 'process.exit(3)', 'LNK_ADAPTER_EXITED'],
    ['leaves a promise that rejects', 'Promise.reject(new Error("no"))', 'LNK_ADAPTER_EXITED'],
    ['replaces a global', 'globalThis.structuredClone = () => null', 'LNK_ADAPTER_GLOBALS_PATCHED']
  ] as const
) {
  t.test(`an adapter that ${fault} on import is named, and the adapters tried beside it serve`, async t => {
    const records = await load(t, [{ name: 'first' }, { name: 'bad', before }, { name: 'last' }])

    const codes = records.map(({ packageName, problem }) => [packageName, problem?.code])
    t.strictSame(codes, [['first', undefined], ['bad', code], ['last', undefined]])
    const [first, , last] = records.map(threadOf)
    t.not(first, last, 'each was tried alone')
    t.notOk([first, last].includes('0'))
  })
}
