import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { installZoo, zoo, type ZooPackage } from '../fixtures/zoo/index.ts'
import { openProject, refused } from '../support/command.ts'
import { runLinker } from '../support/hub-process.ts'
import { cheapestMode, openMode } from '../support/modes.ts'
import { pattern } from '../support/pattern.ts'

interface Summary {
  packageName: string
  state: string
  error: { code: string, message: string } | null
}

async function openZoo (
  t: Test,
  packages: readonly ZooPackage[],
  config: (names: readonly string[]) => object
): Promise<string> {
  const directory = await openProject(t)
  const names = await installZoo(directory, packages)
  await writeFile(join(directory, 'linker.config.json'), JSON.stringify(config(names)))
  return directory
}

const some = (...folders: string[]): ZooPackage[] =>
  zoo.filter(({ name }) => folders.includes(name.slice('@zoo/'.length)))

t.test(
  'linker adapters comes to the end of the whole zoo, whatever isolation it asks for, and names each by code ' +
    'and place',
  async t => {
    const directory = await openZoo(
      t,
      zoo,
      names => ({
        adapters: [
          '@linker/adapter-shopa-v1',
          ...names.map((use, index) => ({ use, isolation: index % 2 === 0 ? 'inline' : 'worker' }))
        ],
        strict: true
      })
    )
    const { code, stdout, stderr } = await runLinker(['adapters', '--json'], directory)
    const summaries = new Map((JSON.parse(stdout) as Summary[]).map(summary => [summary.packageName, summary]))

    t.equal(code, 1)
    t.equal(stderr, '')
    t.match(summaries.get('@linker/adapter-shopa-v1'), { state: 'ready', error: null })
    t.equal(summaries.size, zoo.length + 1)
    for (const { name, expected } of zoo) {
      const { state, error } = summaries.get(name) ?? {}
      t.strictSame({ state, code: error?.code }, expected, `${name}: ${error?.message}`)
      t.match(error?.message, join('node_modules', name), 'where it is')
    }
  }
)

t.test('the hub does not start without an adapter that is required', async t => {
  const place = await openMode(cheapestMode(process.env), process.env)
  t.teardown(() => place.close())
  const start = (directory: string) =>
    runLinker(['start'], directory, { ...place.variables, PORT: '0', LOG_LEVEL: 'fatal' })
  const bad = some('throws-at-import', 'wrong-engines')
  const strict = await openZoo(t, bad, adapters => ({ adapters, strict: true }))
  const required = await openZoo(
    t,
    bad,
    names => ({ adapters: names.map(use => ({ use, required: use === '@zoo/wrong-engines' })) })
  )
  const excepted = await openZoo(
    t,
    bad,
    names => ({ adapters: [...names.map(use => ({ use, required: false })), { use: '@acme/nowhere' }], strict: true })
  )

  const [ofStrict, ofRequired, ofExcepted] = [await start(strict), await start(required), await start(excepted)]
  refused(
    t,
    ofStrict,
    pattern(
      /required adapters do not load: @zoo\/wrong-engines \(LNK_ADAPTER_INCOMPATIBLE: /,
      /.*\); @zoo\/throws-at-import \(LNK_ADAPTER_IMPORT_FAILED: .*\)\n/,
      /$/
    )
  )
  refused(
    t,
    ofRequired,
    /required adapters do not load: @zoo\/wrong-engines \(LNK_ADAPTER_INCOMPATIBLE: .*needs contract/
  )
  t.notMatch(ofRequired.stderr, 'throws-at-import')
  refused(t, ofExcepted, /required adapters do not load: @acme\/nowhere \(LNK_ADAPTER_NOT_INSTALLED: .*\)\n$/)
  t.notMatch(ofExcepted.stderr, '@zoo')
})

t.test('an adapter for another contract loads, with a warning, when the operator says so', async t => {
  const directory = await openZoo(t, some('wrong-engines'), ([use]) => ({ adapters: [{ use, ignoreEngines: true }] }))
  const { code, stdout } = await runLinker(['adapters'], directory)

  t.equal(code, 0)
  t.match(stdout, /zoowrongengines\.api\.v1 +1\.0\.0 +ready/)
  t.match(stdout, /needs contract \^99\.0\.0; .* ignoreEngines is set/)
})
