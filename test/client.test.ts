import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import t from 'tap'
import { literalsOf, queryMember, readReadmeRequests } from './client/readme-requests.ts'
import { generateTypes, readDescription, schemaFile } from './client/schema.ts'
import { cheapestMode } from './support/modes.ts'
import { repository } from './support/project.ts'

interface Operation {
  parameters?: { name: string, in: string, required?: boolean }[]
  requestBody?: { content: Record<string, { example?: unknown }> }
}

const description = await readDescription(t, cheapestMode(process.env))
const { paths } = JSON.parse(description) as { paths: Record<string, Record<string, Operation>> }
const shapeOf = (path: string): string => path.replaceAll(/\{[^}]*\}/g, '{}')
const pathOfShape = new Map(Object.keys(paths).map(path => [shapeOf(path), path]))

t.test('the types of the client are those of the API: `npm run client` writes them', async t => {
  t.equal(await readFile(schemaFile, 'utf8'), await generateTypes(description))
})

/** A call of the client as code. `anything` stands for a value of any type. */
function callOf (method: string, path: string, members: readonly string[]): string {
  const needed = (place: string): string[] =>
    paths[path]?.[method]?.parameters?.filter(({ in: of, required }) => of === place && required === true)
      .map(({ name }) => `'${name}': anything`) ?? []
  const inPath = needed('path')
  const inQuery = members.some(member => member.startsWith('query:')) ? [] : needed('query')
  const all = [
    ...inPath.length === 0 ? [] : [`path: { ${inPath.join(', ')} }`],
    ...inQuery.length === 0 ? [] : [`query: { ${inQuery.join(', ')} }`],
    ...members
  ]
  return `hub.${method}('${path}', { ${all.join(', ')} })`
}

t.test('the types accept every request of the READMEs, and every example of the description', async t => {
  const calls: string[] = []
  const unknown: string[] = []
  for (const { file, method, path, query, body } of await readReadmeRequests()) {
    const name = method.toLowerCase()
    const described = pathOfShape.get(shapeOf(path)) ?? ''
    if (paths[described]?.[name] === undefined) unknown.push(`${file}: ${method} ${path}`)
    else {
      const inQuery = query.length === 0 ? [] : [`query: { ${query.map(queryMember).join(', ')} }`]
      const bodies = body === undefined ? [] : literalsOf(body).map(literal => `body: ${literal}`)
      if (bodies.length > 0) calls.push(...bodies.map(one => callOf(name, described, [...inQuery, one])))
      else if (inQuery.length > 0) calls.push(callOf(name, described, inQuery))
    }
  }
  const fromReadmes = calls.length
  for (const [path, methods] of Object.entries(paths)) {
    for (const [method, { requestBody }] of Object.entries(methods)) {
      const { example } = requestBody?.content['application/json'] ?? {}
      if (example !== undefined) calls.push(callOf(method, path, [`body: ${JSON.stringify(example)}`]))
    }
  }
  t.strictSame(unknown, [], 'the READMEs name operations of the hub')
  t.ok(fromReadmes > 25 && calls.length > fromReadmes + 25, 'the requests are found')
  const folder = t.testdir({
    'package.json': '{ "type": "module" }',
    'calls.ts': [
      "import { createClient } from '@linker/client'",
      'declare const anything: any',
      "const hub = createClient({ url: 'http://127.0.0.1' })",
      ...calls
    ].join('\n')
  })

  t.equal(await compile(folder), '')
})

t.test('the compiler names a wrong path, and the paths that begin like it', async t => {
  const folder = t.testdir({
    'package.json': '{ "type": "module" }',
    'calls.ts': [
      "import { createClient } from '@linker/client'",
      "const hub = createClient({ url: 'http://127.0.0.1' })",
      "hub.get('/job')",
      "hub.get('/jobz', { path: { id: '1' } })",
      "hub.request('post', '/redrive/{id}/stop')",
      "hub.delete('/tokens')",
      "hub.list('/job', { query: { status: 'dead' } })",
      "hub.open('get', '/job')",
      "hub.patch('/jobs')"
    ].join('\n')
  })
  const wrong = (place: string, path: string): string =>
    `(${place}): error TS2345: Argument of type '"${path}"' is not assignable to parameter of type `
  const gets = '\'"/jobs" | "/jobs/groups" | "/jobs/{id}"\'.'

  const faults = (await compile(folder)).trimEnd().split('\n').map(line => line.replace('calls.ts', ''))

  t.strictSame(faults.slice(0, 6), [
    `${wrong('3,9', '/job')}${gets}`,
    `${wrong('4,9', '/jobz')}${gets}`,
    `${wrong('5,21', '/redrive/{id}/stop')}'"/redrives/{id}/continue" | "/redrives/{id}/stop"'.`,
    `${wrong('6,12', '/tokens')}'"/tokens/{id}"'.`,
    `${wrong('7,10', '/job')}'"/jobs"'.`,
    `${wrong('8,17', '/job')}${gets}`
  ])
  // No path of the method begins like it: the compiler names as many as it has room for.
  t.equal(faults.length, 7)
  t.match(faults[6], /^\(9,11\): error TS2345: Argument of type '"\/jobs"' .* '"\/connections\/\{id\}" \|/)
})

/** Returns the faults that the compiler finds in `calls.ts`. */
async function compile (folder: string): Promise<string> {
  const options = '--noEmit --strict --skipLibCheck --module nodenext --target es2024 --types node ' +
    '--allowImportingTsExtensions --customConditions @linker/source --pretty false'
  const compiler = join(repository, 'node_modules/typescript/lib/tsc.js')
  return promisify(execFile)(process.execPath, [compiler, ...options.split(' '), 'calls.ts'], { cwd: folder })
    .then(() => '', (error: { stdout: string }) => error.stdout)
}
