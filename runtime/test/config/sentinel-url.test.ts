import t from 'tap'
import { readSentinelUrl } from '../../src/config/sentinel-url.ts'

const ofSentinels = 'sentinelUsername=watch&sentinelPassword=a%26b'

t.test('an address of Sentinels names them, the primary, its database number and the accounts', async t => {
  t.strictSame(
    readSentinelUrl(`redis+sentinel://hub:p%40ss@one:26380,two,[::1]:1/main?db=3&${ofSentinels}`),
    {
      sentinels: [{ host: 'one', port: 26_380 }, { host: 'two', port: 26_379 }, { host: '::1', port: 1 }],
      name: 'main',
      db: 3,
      username: 'hub',
      password: 'p@ss',
      sentinelUsername: 'watch',
      sentinelPassword: 'a&b',
      usesTls: false
    }
  )
  t.strictSame(readSentinelUrl('rediss+sentinel://:secret@one/main'), {
    sentinels: [{ host: 'one', port: 26_379 }],
    name: 'main',
    db: 0,
    password: 'secret',
    usesTls: true
  })
  t.equal(readSentinelUrl('redis://one:6379/1'), undefined)
})

t.test('an address of another form is refused with the form, without its password', async t => {
  for (
    const rest of [
      'one,two',
      'one/',
      '/main',
      'one,,two/main',
      'one:port/main',
      'one/main/1',
      'one/main?db=x',
      'one/main?d=1',
      ':secret%@one/main',
      'a:secret@b@one/main'
    ]
  ) {
    try {
      t.fail(JSON.stringify(readSentinelUrl(`redis+sentinel://${rest}`)))
    } catch (error) {
      t.match(error, { code: 'LNK_CONFIG_INVALID', message: /redis\+sentinel:\/\/\[user:password@\]host/ }, rest)
      t.notMatch(String(error), /secret/)
    }
  }
})
