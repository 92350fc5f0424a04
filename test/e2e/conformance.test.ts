import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { zoo } from '../fixtures/zoo/index.ts'
import { refused } from '../support/command.ts'
import { runLinker } from '../support/hub-process.ts'
import { repository } from '../support/project.ts'

const marketplace = join(repository, 'plugins/adapter-mktb-v1')

t.test('an adapter that conforms ends the command with 0, in the current folder without another', async t => {
  const file = join(t.testdir(), 'report.xml')
  const { code, stdout } = await runLinker(['conformance', '--junit', file], marketplace)

  t.equal(code, 0)
  t.match(
    stdout.trimEnd(),
    /^@linker\/adapter-mktb-v1@.*ok +L1-MAN-01 .*ok +L2-PRM-05 .*passed, 0 failed, 0 exempt, 6 skipped; warnings: 1$/s
  )
  t.match(await readFile(file, 'utf8'), /<testsuites tests="\d+" failures="0" skipped="6">/)
})

t.test('an adapter that does not conform ends the command with 1, and the reasons are printed', async t => {
  const bad = zoo.find(({ name }) => name === '@zoo/patches-json')?.directory ?? ''
  const only = ['--only', 'L1-IMP-01', 'L1-IMP-03']
  const [text, json] = await Promise.all([
    runLinker(['conformance', bad, ...only], repository),
    runLinker(['conformance', bad, '--json', ...only], repository)
  ])

  t.match(text, {
    code: 1,
    stdout: /ok +L1-IMP-01 .*\nFAILED +L1-IMP-03 .*\n +JSON\.parse .*\n +It prevents that .*\n1 passed, 1 failed/
  })
  t.equal(json.code, 1)
  t.match(JSON.parse(json.stdout), {
    name: '@zoo/patches-json',
    isPassed: false,
    checks: [{ id: 'L1-IMP-01', status: 'passed' }, { id: 'L1-IMP-03', status: 'failed' }]
  })
})

t.test('a report for hubs is written on request, and only of all checks', async t => {
  const bad = zoo.find(({ name }) => name === '@zoo/patches-json')?.directory ?? ''

  refused(t, await runLinker(['conformance', bad, '--report', '--only', 'L1-IMP-01'], repository), /--report needs all/)
  t.notOk(existsSync(join(bad, 'linker.conformance-report.json')))
})

t.test('a check that does not exist is named', async t => {
  refused(
    t,
    await runLinker(['conformance', marketplace, '--only', 'L9-XXX-01'], repository),
    /there is no check 'L9-XXX-01'/
  )
})
