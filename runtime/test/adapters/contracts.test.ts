import { contractVersion } from '@linker/sdk'
import { readFile } from 'node:fs/promises'
import t from 'tap'
import { copyProblem, lineOf, rangeProblem, served, servedBeside } from '../../src/adapters/contracts.ts'

const first = servedBeside('0.1.3', ['0.1'])
const later = servedBeside('1.4.2', ['0.1', '1'])

t.test('the range of the package has to contain the contract of the hub', async t => {
  for (const range of ['^1.2.0', '1.x', '>=1.0.0 <2', '*', '1.4.2', '^0.9.0 || ^1.4.0']) {
    t.equal(rangeProblem(range, later), undefined, range)
  }
  for (const range of ['^1.5.0', '~1.3.0', '^2.0.0', '^0.2.0', '1.4.1']) {
    t.equal(rangeProblem(range, later), `needs contract ${range}; this hub has contract 1.4.2, and those of 0.1`, range)
  }
  t.equal(rangeProblem('^0.1.4', first), 'needs contract ^0.1.4; this hub has contract 0.1.3')
  t.equal(rangeProblem(`^${contractVersion}`), undefined)
})

t.test('or any version of a former line, because nothing is added to it', async t => {
  for (const range of ['^0.1.0', '^0.1.4', '~0.1.9', '0.1.2']) t.equal(rangeProblem(range, later), undefined, range)
})

t.test('a range that is missing or is none is named, with an example', async t => {
  t.equal(rangeProblem(undefined, later), 'engines.linker is missing: name the contract that it needs, such as ^1.4.2')
  t.equal(
    rangeProblem('latest please', later),
    'engines.linker is "latest please", which is not a SemVer range such as ^1.4.2'
  )
  t.match(rangeProblem(5, later), /^engines\.linker is 5, which is not a SemVer range/)
})

t.test('a copy of the SDK has to be of a line that the hub serves', async t => {
  for (const made of ['1.0.0', '1.4.2', '1.9.0', '0.1.0', '0.1.7']) t.equal(copyProblem(made, later), undefined, made)

  t.match(copyProblem('2.0.0', later), /contract 2\.0\.0; this hub has contract 1\.4\.2.*, or update the hub$/)
  t.match(copyProblem('0.2.0', later), /contract 1\.4\.2, and those of 0\.1\. Declare .* peer dependency$/)
  t.match(copyProblem('0.2.0', first), /update the hub$/, 'before 1.0, each minor version changes the contract')
  t.match(copyProblem('', later), /no version/)
})

t.test('UPGRADING.md has a row for every line that is served', async t => {
  const text = await readFile(new URL('../../../UPGRADING.md', import.meta.url), 'utf8')
  const rows = [...text.matchAll(/^ {2}\| ([\d.]+) \|/gm)].map(match => match[1] ?? '')

  t.strictSame([served.present, ...served.former].map(lineOf).filter(line => !rows.includes(line)), [])
})
