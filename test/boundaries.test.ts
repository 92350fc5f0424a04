import { glob, readFile } from 'node:fs/promises'
import { dirname, join, relative, resolve } from 'node:path'
import t from 'tap'
import { adapterPackages, repository } from './support/project.ts'

interface Import {
  file: string
  specifier: string
}

async function importsBelow (pattern: string): Promise<Import[]> {
  const imports: Import[] = []
  for await (
    const file of glob(pattern, {
      cwd: repository,
      exclude: path => path.includes('node_modules') || path.includes('dist')
    })
  ) {
    const text = await readFile(join(repository, file), 'utf8')
    for (const match of text.matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g)) {
      imports.push({ file, specifier: match[1] ?? '' })
    }
  }
  return imports
}

function describe (found: readonly Import[]): string[] {
  return found.map(({ file, specifier }) => `${file} imports ${specifier}`)
}

const packageOf = (path: string): string => /^(sdk|runtime|test|plugins\/[^/]+|examples\/[^/]+)/.exec(path)?.[0] ?? path

t.test('a package imports another by its name, never by a path', async t => {
  const all = (await Promise
    .all(['sdk', 'runtime', 'plugins', 'examples', 'test'].map(folder => importsBelow(`${folder}/**/*.ts`)))).flat()
  t.ok(all.length > 100, 'the imports are found')

  const crossing = all.filter(({ file, specifier }) => {
    if (!specifier.startsWith('.')) return false
    const target = relative(repository, resolve(repository, dirname(file), specifier))
    return packageOf(target) !== packageOf(file)
  })
  const deep = all.filter(({ specifier }) => /^@linker\/[^/]+\/(src|dist)/.test(specifier))

  t.strictSame(describe([...crossing, ...deep]), [])
})

t.test('the sdk and the adapters import neither the runtime nor an adapter', async t => {
  const found = [...await importsBelow('sdk/src/**/*.ts'), ...await importsBelow('plugins/*/src/**/*.ts')]
  const allowed = ({ specifier }: Import): boolean => !specifier.startsWith('@linker/') || specifier === '@linker/sdk'

  t.strictSame(describe(found.filter(item => !allowed(item))), [])
})

t.test('the runtime imports no adapter and names no platform', async t => {
  const imports = await importsBelow('runtime/src/**/*.ts')
  t.strictSame(describe(imports.filter(({ specifier }) => adapterPackages.includes(specifier))), [])

  const named: string[] = []
  for await (const file of glob('runtime/src/**/*.ts', { cwd: repository })) {
    const code = (await readFile(join(repository, file), 'utf8')).replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '')
    // Texts for people may show an example; what decides may not.
    const withoutTexts = code.replaceAll(/'[^'\n]*(?:such as|for instance)[^'\n]*'/g, '')
    if (/\b(?:shopa|mkta|mktb)\b/i.test(withoutTexts)) named.push(file)
  }
  t.strictSame(named, [])
})
