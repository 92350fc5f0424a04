import t from 'tap'
import { readConfig } from '../../src/config.ts'

t.test('trusted proxies are addresses and networks', async t => {
  const read = (list: string) => readConfig({ LINKER_TRUSTED_PROXIES: list }, '/project').trustedProxies
  t.strictSame(read(''), [])
  t.strictSame(read('10.0.0.0/8, 192.0.2.1,fd00::/8'), ['10.0.0.0/8', '192.0.2.1', 'fd00::/8'])
  for (const wrong of ['proxy.example', '10.0.0.0/33', '10.0.0.0/0', 'fd00::/129', '1.2.3.4/8/9', '10.0.0']) {
    t.throws(() => read(`192.0.2.1,${wrong}`), {
      code: 'LNK_CONFIG_INVALID',
      message: `LINKER_TRUSTED_PROXIES: '${wrong}'`
    })
  }
})
