import t from 'tap'
import { adviseVersion } from '../../../src/cli/publish/advise-version.ts'
import type { Step } from '../../../src/cli/publish/change.ts'

const advise = (published: string, version: string, ...found: Step[]) =>
  adviseVersion(published, version, found.map(step => ({ step, place: '', message: '' })))

t.test('the gravest change decides the step', t => {
  t.strictSame(advise('1.2.3', '2.0.0', 'patch', 'major', 'minor'), { step: 'major', least: '2.0.0', fits: true })
  t.strictSame(advise('1.2.3', '1.3.0', 'minor', 'patch'), { step: 'minor', least: '1.3.0', fits: true })
  t.strictSame(advise('1.2.3', '1.2.4'), { step: 'patch', least: '1.2.4', fits: true })
  t.end()
})

t.test('a version with a smaller step does not fit, one with a larger step does', t => {
  t.match(advise('1.2.3', '1.3.0', 'major'), { least: '2.0.0', fits: false })
  t.match(advise('1.2.3', '1.2.4', 'minor'), { least: '1.3.0', fits: false })
  t.match(advise('1.2.3', '3.0.0', 'minor'), { fits: true })
  t.end()
})

t.test('a version that is published, or below it, does not fit', t => {
  t.match(advise('1.2.3', '1.2.3'), { fits: false })
  t.match(advise('1.2.3', '1.1.9'), { fits: false })
  t.end()
})

t.test('below 1.0.0 the second number counts the major steps', t => {
  t.strictSame(advise('0.1.0', '0.2.0', 'major'), { step: 'major', least: '0.2.0', fits: true })
  t.match(advise('0.1.0', '0.1.1', 'major'), { fits: false })
  t.strictSame(advise('0.1.0', '0.1.1', 'minor'), { step: 'minor', least: '0.1.1', fits: true })
  t.end()
})

t.test('a prerelease announces its version', t => {
  t.match(advise('1.2.3', '2.0.0-rc.1', 'major'), { least: '2.0.0', fits: true })
  t.match(advise('2.0.0-rc.1', '2.0.0-rc.2', 'minor'), { least: '2.0.0', fits: true })
  t.match(advise('2.0.0', '2.0.0-rc.2'), { fits: false })
  t.end()
})
