import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import t, { type Test } from 'tap'
import { openPackageManager, parsePackageSpec } from '../../src/cli/package-manager.ts'

const manifest = '{"name":"shop","private":true}\n'

/**
 * Makes a project without a lock file, and an `npm` that writes a lock file but installs nothing.
 */
async function openProject (t: Test): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'linker-packages-'))
  const path = process.env.PATH
  t.teardown(async () => {
    process.env.PATH = path
    await rm(directory, { recursive: true, force: true })
  })
  const [project, commands] = [join(directory, 'project'), join(directory, 'bin')]
  await Promise.all([mkdir(project), mkdir(commands)])
  await writeFile(join(project, 'package.json'), manifest)
  await writeFile(join(commands, 'npm'), '#!/bin/sh\necho "{}" > package-lock.json\n')
  await chmod(join(commands, 'npm'), 0o755)
  process.env.PATH = `${commands}${delimiter}${path}`
  return project
}

t.test('an install that is undone leaves no lock file where there was none', async t => {
  const project = await openProject(t)
  const packages = await openPackageManager(project)
  t.equal(await packages.add(parsePackageSpec('@acme/adapter', project)), '@acme/adapter')
  t.strictSame((await readdir(project)).toSorted(), ['package-lock.json', 'package.json'])

  await packages.undo()
  t.strictSame(await readdir(project), ['package.json'])
})

t.test('an install that the project does not have afterwards is undone', async t => {
  const project = await openProject(t)
  const packages = await openPackageManager(project)

  await t.rejects(packages.add(parsePackageSpec(project, project)), { message: /npm did not add .*project/ })
  t.strictSame(await readdir(project), ['package.json'])
  t.equal(await readFile(join(project, 'package.json'), 'utf8'), manifest)
})
