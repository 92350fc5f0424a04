import { contractVersion } from '@linker/sdk'
import { readFile } from 'node:fs/promises'
import t from 'tap'
import {
  describeContracts,
  servedBeside,
  servedContracts,
  servesContract,
  servesRange
} from '../../src/adapters/contracts.ts'

const afterTheFirst = servedBeside('1.2.0', ['0.1.0'])

t.test('the hub serves its own contract and the first one', t => {
  t.equal(servedContracts[0], contractVersion)
  t.ok(servesRange(`^${contractVersion}`))
  t.ok(servesRange('^0.1.0'))
  t.strictSame(servedContracts, [...new Set(servedContracts)])
  t.end()
})

t.test('an adapter that was written for a former contract is served, one for a later contract is not', t => {
  const serves = (range: string) => servesRange(range, afterTheFirst)

  t.strictSame(['^1.0.0', '^1.2.0', '^0.1.0', '^0.1.0 || ^2.0.0'].map(serves), [true, true, true, true])
  t.strictSame(['^1.3.0', '^2.0.0', '^0.2.0', 'not a range'].map(serves), [false, false, false, false])
  t.end()
})

t.test('an adapter with its own copy of the SDK is served in the same way', t => {
  const serves = (made: string) => servesContract(made, afterTheFirst)

  t.strictSame(['1.0.0', '1.2.0', '1.9.0', '0.1.0', '0.1.7'].map(serves), [true, true, true, true, true])
  t.strictSame(['2.0.0', '0.2.0'].map(serves), [false, false])
  t.end()
})

t.test('a refusal names every contract that is served', t => {
  t.equal(describeContracts(afterTheFirst), 'contract 1.2.0 and 0.1.0')
  t.end()
})

t.test('UPGRADING.md has a row for every contract that is served', async t => {
  const text = await readFile(new URL('../../../UPGRADING.md', import.meta.url), 'utf8')
  const rows = [...text.matchAll(/^ {2}\| ([\d.]+) \|/gm)].map(match => match[1] ?? '')

  // `^0.1.0` takes 0.1 only, `^1.2.0` all of 1.
  const lines = servedContracts.map(contract => /^0\.\d+|^\d+/.exec(contract)?.[0] ?? '')
  t.strictSame(lines.filter(line => !rows.includes(line)), [])
})
