import { execFileSync } from 'node:child_process'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import t, { type Test } from 'tap'
import { parse } from 'yaml'
import { Refusal, type Given } from '../src/answers.ts'
import { create } from '../src/create.ts'
import { roleNames } from '../src/roles.ts'
import { writeProject } from '../src/write.ts'

const now = new Date('2026-01-31T10:00:00Z')
const makeIn = (cwd: string, given: Given): Promise<string> => create(given, { cwd, isTerminal: false, now })

async function filesOf (directory: string): Promise<string[]> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true })
  return entries.filter(entry => entry.isFile()).map(({ name }) => name)
}

async function readJson (...path: string[]): Promise<Record<string, unknown>> {
  return JSON.parse(await readFile(join(...path), 'utf8')) as Record<string, unknown>
}

t.test('an adapter of every role compiles in strict mode, and has ten files', async t => {
  const cwd = t.testdir()
  for (const role of roleNames) {
    await makeIn(cwd, { folder: `my-${role}`, role })
    t.equal((await filesOf(join(cwd, `my-${role}`))).length, 10)
  }
  const compiler = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'lib', 'tsc.js')
  await writeFile(
    join(cwd, 'tsconfig.json'),
    JSON.stringify({
      extends: './my-shop/tsconfig.json',
      compilerOptions: { noEmit: true, rootDir: '/', customConditions: ['@linker/source'] },
      include: ['*/src']
    })
  )

  t.doesNotThrow(() => execFileSync(process.execPath, [compiler, '-p', cwd], { encoding: 'utf8', timeout: 600_000 }))
})

t.test('the CI runs only scripts that the package has, and publishes tags alone', async t => {
  const cwd = t.testdir()
  await makeIn(cwd, { folder: 'my-shop', role: 'shop' })
  const { scripts } = await readJson(cwd, 'my-shop', 'package.json') as { scripts: Record<string, string> }
  const workflow = parse(await readFile(join(cwd, 'my-shop/.github/workflows/ci.yml'), 'utf8')) as {
    jobs: Record<'test' | 'publish', { if?: string, steps: { run?: string }[] }>
  }
  const { test, publish } = workflow.jobs
  const commands = [...test.steps, ...publish.steps].flatMap(({ run }) => run ?? [])
  const named = commands.flatMap(command => /^npm (?:run )?(\w+)$/.exec(command)?.[1] ?? [])

  t.strictSame(named.filter(name => name !== 'ci' && scripts[name] === undefined), [])
  t.ok(named.includes('conformance'))
  t.equal(publish.if, "startsWith(github.ref, 'refs/tags/v')")
  t.notOk(test.steps.some(({ run = '' }) => run.includes('publish')))
})

t.test('the package says who it is, and takes the versions that it was tested with', async t => {
  const cwd = t.testdir()
  const displayName = 'Say "hi" {{platform}} \\ ${1}'
  const told = await makeIn(cwd, { folder: 'code', role: 'carrier', platform: 'parcelo', displayName })
  const made = await readJson(cwd, 'code', 'package.json')
  const { version } = await readJson(import.meta.dirname, '../../../sdk/package.json')
  const root = await readJson(import.meta.dirname, '../../../package.json') as {
    devDependencies: Record<string, string>
  }

  t.match(made, {
    name: 'linker-adapter-parcelo-v1',
    description: `Linker adapter for ${displayName}`,
    linker: {
      adapterKey: 'parcelo.api.v1',
      platformType: 'parcelo',
      displayName,
      capabilities: ['linker/Carrier'],
      permissions: { http: ['${config.baseUrl}'] }
    },
    dependencies: { '@sinclair/typebox': root.devDependencies['@sinclair/typebox'] },
    peerDependencies: { '@linker/sdk': `^${version}` },
    devDependencies: {
      '@linker/runtime': `^${version}`,
      '@linker/sdk': `^${version}`,
      '@types/node': `^${root.devDependencies['@types/node']}`,
      'typescript': `^${root.devDependencies.typescript}`
    }
  })
  t.match(await readFile(join(cwd, 'code', 'LICENSE'), 'utf8'), '(c) 2026 the authors of linker-adapter-parcelo-v1')
  t.match(await readFile(join(cwd, 'code', '.gitignore'), 'utf8'), 'node_modules/')
  t.strictSame([...told.matchAll(/^ {2}(.+)$/gm)].map(([, command]) => command), ['cd code', 'npm install', 'npm test'])
})

t.test('an adapter is made in a new repository, and a terminal asks nothing when all is given', async t => {
  const cwd = t.testdir({ 'my-shop': { '.git': { HEAD: '' } } })
  const options = { cwd: join(cwd, 'my-shop'), isTerminal: true, now }
  const told = await create({ folder: '.', role: 'shop' }, options)

  t.match(told, '\n  npm install\n  npm test\n  npm run conformance\n')
  t.match(await readJson(cwd, 'my-shop', 'package.json'), { linker: { platformType: 'my-shop' } })
})

/** Expects a refusal that changes nothing. */
async function refused (t: Test, cwd: string, given: Given, reason: RegExp): Promise<void> {
  const before = await readdir(cwd, { recursive: true })
  const error: unknown = await makeIn(cwd, given).catch((failure: unknown) => failure)

  t.ok(error instanceof Refusal)
  t.match(error, { message: reason })
  t.strictSame(await readdir(cwd, { recursive: true }), before)
}

t.test('a folder that has something, or is none, stays as it is', async t => {
  const cwd = t.testdir({ 'my-shop': { 'notes.txt': '' }, file: '' })

  await refused(t, cwd, { folder: 'my-shop', role: 'shop' }, /my-shop is not empty: choose another folder$/)
  await refused(t, cwd, { folder: 'file', role: 'shop' }, /file is no folder$/)
  await refused(t, cwd, { folder: 'file/my-shop', role: 'shop' }, /my-shop is no folder$/)
})

t.test('a wrong or missing answer leaves no folder behind', async t => {
  const cwd = t.testdir()

  await refused(t, cwd, { folder: 'my-shop' }, /^--role is missing/)
  await refused(t, cwd, { folder: 'master', role: 'shop' }, /^'master' cannot be the platform/)
  await refused(t, cwd, { folder: 'My Shop', role: 'shop' }, /--platform$/)
})

t.test('a file that cannot be written takes the others with it', async t => {
  const cwd = t.testdir({ existing: {} })
  const files = new Map([['src/index.ts', 'x'], ['src', 'y']])

  for (const folder of ['existing', 'new/deep']) {
    await t.rejects(writeProject(join(cwd, folder), files), { message: /cannot be written/ })
  }
  t.strictSame(await readdir(cwd, { recursive: true }), ['existing'])
})

t.test('the roles differ in their platforms alone: the rest is the same code', async t => {
  const template = join(import.meta.dirname, '..', 'template')
  const shared = { 'src/index.ts': ['createClient'], 'src/test/platform.ts': ['startPlatform'] }
  for (const [file, names] of Object.entries(shared)) {
    const texts = await Promise.all(roleNames.map(role => readFile(join(template, role, file), 'utf8')))
    for (const name of names) {
      const bodies = texts.map(text => new RegExp(`function ${name}\\b.*?^}`, 'ms').exec(text)?.[0])
      t.notOk(bodies.includes(undefined), `${name} is found`)
      t.equal(new Set(bodies).size, 1, name)
    }
  }
})
