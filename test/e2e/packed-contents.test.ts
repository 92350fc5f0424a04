import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core'
import { execFile } from 'node:child_process'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { publint } from 'publint'
import t from 'tap'
import { packProject, type PackedProject } from '../fixtures/packed.ts'
import { temporaryFolder } from '../support/npm-project.ts'
import { repository } from '../support/project.ts'
import { findPublished, packPackages, type Tarball } from '../support/tarballs.ts'

const run = promisify(execFile)

interface PackageJson {
  name: string
  description?: string
  license?: string
  type?: string
  engines?: Record<string, string>
  exports: Record<string, string | Record<string, string>>
  bin?: Record<string, string>
  publishConfig?: Record<string, string>
}

/** The files that some packages have beside those of every package. */
const extra: Readonly<Record<string, RegExp>> = {
  '@linker/sdk': /^(?:CONFORMANCE\.md|docs\/[\w-]+\.md)$/,
  '@linker/runtime': /^(?:WEBHOOKS\.md|bin\/[\w-]+\.js|docs\/[\w-]+\.md|blank-database\/.+|dist\/browser\.json\.br)$/,
  '@linker/create-adapter': /^(?:bin\/create-adapter\.js|template\/.+)$/,
  '@linker/adapter-shopa-v1': /^(?:linker\.conformance\.json|icon\.svg)$/,
  '@linker/adapter-mkta-v1': /^(?:linker\.conformance\.json|icon\.svg|fixtures\/[\w-]+\.json)$/,
  '@linker/adapter-mktb-v1': /^(?:linker\.conformance\.json|icon\.svg|fixtures\/[\w-]+\.json)$/
}
const always =
  /^(?:package\.json|README\.md|CHANGELOG\.md|LICENSE|dist\/(?:.+\.(?:js|js\.map|d\.ts)|THIRD-PARTY-NOTICES\.txt))$/
const never = /^dist\/(?:.+\/)?test\/|^dist\/.*\.test\./

interface Packed {
  tarball: Tarball
  manifest: PackageJson
  licence: string
}

/** Unpacks package.json and the licence of each tarball. */
async function readPacked (): Promise<Packed[]> {
  return Promise.all((await packPackages()).map(async tarball => {
    const read = async (file: string): Promise<string> =>
      (await run('tar', ['-xzOf', tarball.path, `package/${file}`])).stdout
    return {
      tarball,
      manifest: JSON.parse(await read('package.json')) as PackageJson,
      licence: await read('LICENSE').catch(() => '')
    }
  }))
}

/** The entries of a package that code imports, each with its conditions. */
function entriesOf ({ exports }: PackageJson): [entry: string, conditions: Record<string, string>][] {
  return Object.entries(exports).flatMap(([entry, target]) => typeof target === 'string' ? [] : [[entry, target]])
}

t.test('each package says what it is, brings its licence and everything that it names, and nothing else', async t => {
  const packages = await readPacked()
  t.ok(packages.length >= 7, 'the packages are found')
  const licence = await readFile(join(repository, 'LICENSE'), 'utf8')

  for (const { tarball: { name, files }, manifest, ...packed } of packages) {
    t.match(manifest, {
      name,
      license: 'MIT',
      type: 'module',
      description: /^.{20,}$/,
      engines: { node: '>=22.19' },
      publishConfig: { access: 'public' }
    })
    t.equal(packed.licence, licence, `${name}: the licence is that of the project`)

    const isExpected = (path: string): boolean =>
      !never.test(path) && (always.test(path) || extra[name]?.test(path) === true)
    t.strictSame(files.filter(path => !isExpected(path)), [], `${name}: no other files`)

    const targets = [
      ...entriesOf(manifest).flatMap(([, conditions]) => Object.values(conditions)),
      ...Object.values(manifest.exports).filter(target => typeof target === 'string'),
      ...Object.values(manifest.bin ?? {})
    ]
    const named = ['README.md', ...targets.map(target => target.replace(/^\.\//, ''))]
    t.strictSame(named.filter(path => !files.includes(path)), [], `${name}: everything that it names`)
    t.strictSame(
      entriesOf(manifest).map(([, conditions]) => Object.keys(conditions)),
      entriesOf(manifest).map(() => ['types', 'default']),
      `${name}: types of each entry`
    )
  }
})

/** The error of a command that failed. */
interface Refusal {
  code?: number
  stdout: string
  stderr: string
}

t.test('npm refuses a folder whose package.json names the sources', async t => {
  const refusing = []
  for (const [name, folder] of await findPublished(repository)) {
    const { exports, scripts } = JSON.parse(await readFile(join(repository, folder, 'package.json'), 'utf8')) as {
      exports: Record<string, unknown>,
      scripts?: Record<string, string>
    }
    if (!JSON.stringify(exports).includes('@linker/source')) continue
    t.match(scripts?.prepublishOnly, /^echo Publish the tarball that npm run pack makes.* && exit 1$/, name)
    refusing.push(name)
  }

  const [name = ''] = refusing
  const attempt = run('npm', ['publish', '--dry-run', '--workspace', name], { cwd: repository })
  const { code, stdout, stderr } = await attempt.catch((error: Refusal) => error) as Refusal
  t.equal(code, 1, name)
  // npm prints the words of the script, then an error. A busy machine may lose the error.
  t.match(stdout + stderr, /Publish the tarball that npm run pack makes/, name)
})

/** Other ways to resolve a package: from CommonJS, and without knowledge of `exports`. */
const otherSystems: readonly unknown[] = ['node10', 'node16-cjs']

t.test('the linters of packages find nothing', async t => {
  for (const { name, path } of await packPackages()) {
    const tarball = new Uint8Array(await readFile(path))
    const { messages } = await publint({ pack: { tarball: tarball.buffer }, strict: true })
    t.strictSame(messages, [], `publint ${name}`)

    const result = await checkPackage(createPackageFromTarballData(tarball))
    t.ok(result.types, `${name} has types`)
    const problems = result.types === false ? [] : result.problems
    t.strictSame(
      problems.filter(problem => !('resolutionKind' in problem && otherSystems.includes(problem.resolutionKind))),
      [],
      `are the types wrong ${name}`
    )
  }
})

const compiler = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'lib', 'tsc.js')

/** Compiles a module in a project with the settings of a careful user. */
async function compile ({ directory }: PackedProject, source: string): Promise<string> {
  await writeFile(join(directory, 'consumer.mts'), source)
  const settings = {
    compilerOptions: {
      target: 'es2024',
      lib: ['es2024'],
      module: 'nodenext',
      types: ['node'],
      strict: true,
      noUncheckedIndexedAccess: true,
      exactOptionalPropertyTypes: true,
      noEmit: true,
      skipLibCheck: false
    },
    files: ['consumer.mts']
  }
  await writeFile(join(directory, 'tsconfig.json'), JSON.stringify(settings))
  return run(process.execPath, [compiler, '-p', directory], { maxBuffer: 16 * 1024 * 1024 })
    .then(() => '', ({ stdout }: { stdout: string }) => stdout)
}

t.test('a strict consumer compiles with every entry of every package, its declarations included', async t => {
  const project = await packProject({ others: ['@types/node'] })
  t.teardown(() => project.remove())
  const entries = (await readPacked()).flatMap(({ manifest }) =>
    entriesOf(manifest).map(([entry]) => `${manifest.name}${entry.slice(1)}`)
  )
  t.ok(entries.length >= 10, 'the entries are found')
  const uses = `
    import shop from '@linker/adapter-shopa-v1'
    import { createClient } from '@linker/client'
    import { startServer } from '@linker/runtime'
    import { adapterTag } from '@linker/sdk'
    export const made: string = shop[adapterTag]
    export const { url }: { url: string } = await startServer({ PORT: '0' }, '.')
    for await (const { name } of createClient({ url }).list('/connections')) name.trim()
    // @ts-expect-error A mistake is one only when the declarations were found.
    export const wrong: number = shop[adapterTag]`

  t.equal(await compile(project, [uses, ...entries.map(entry => `export {} from '${entry}'`)].join('\n')), '')
})

t.test('the image of the deployment gets the hub and all adapters', async t => {
  const place = await temporaryFolder(t)
  await run(join(repository, 'examples/deploy/pack.sh'), [place])
  const published = (await packPackages()).filter(({ name }) => /\/(?:sdk|runtime|adapter-.*)$/.test(name))

  t.strictSame((await readdir(place)).toSorted(), published.map(({ path }) => basename(path)).toSorted())
})
