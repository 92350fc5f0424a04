import t from 'tap'
import { compareVersions, newerVersion, versionsOf } from '../../console/rules/versions.ts'

const loaded = (version: string, isolation: string | null = 'inline') => ({ adapterKey: 'a', version, isolation })

t.test('versions are ordered as SemVer orders them', async t => {
  const ordered = [
    '0.9.0',
    '1.0.0-alpha',
    '1.0.0-alpha.1',
    '1.0.0-alpha.beta',
    '1.0.0-beta.2',
    '1.0.0-beta.11',
    '1.0.0',
    '1.2.0',
    '1.10.0'
  ]

  t.strictSame(ordered.toReversed().toSorted(compareVersions), ordered)
  t.equal(compareVersions('1.0.0+build', '1.0.0'), 0)
})

t.test('a newer version is one that is loaded and released', async t => {
  const adapters = [loaded('1.0.0'), loaded('1.1.0'), loaded('1.2.0'), loaded('1.3.0-rc.1'), loaded('1.4.0', null)]

  t.equal(newerVersion({ adapterKey: 'a', version: '1.0.0' }, adapters), '1.2.0')
  t.equal(newerVersion({ adapterKey: 'a', version: '1.2.0' }, adapters), undefined)
  t.equal(newerVersion({ adapterKey: 'b', version: '1.0.0' }, adapters), undefined)
  t.equal(newerVersion({ adapterKey: 'a', version: null }, adapters), undefined, 'it follows the newest')
  t.strictSame(versionsOf('a', adapters), ['1.3.0-rc.1', '1.2.0', '1.1.0', '1.0.0'])
})
