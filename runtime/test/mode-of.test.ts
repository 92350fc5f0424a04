import t from 'tap'
import { refusePartialRole } from '../src/mode-of.ts'

for (const role of ['http', 'worker'] as const) {
  t.test(`an embedded hub with the role ${role} starts outside production only, with a warning`, async t => {
    const warned: object[] = []
    const log = { warn: (fields: object) => void warned.push(fields) }

    t.throws(() => {
      refusePartialRole({ role, isProduction: true }, log)
    }, { code: 'LNK_CONFIG_INVALID' })
    t.strictSame(warned, [])
    refusePartialRole({ role, isProduction: false }, log)
    t.strictSame(warned, [{ role }])
  })
}

t.test('the role all, and every role with PostgreSQL, is left alone', async t => {
  const log = {
    warn () {
      t.fail('a warning')
    }
  }

  refusePartialRole({ role: 'all', isProduction: true }, log)
  refusePartialRole({ role: 'http', databaseUrl: 'postgres://127.0.0.1/hub', isProduction: true }, log)
  t.pass('nothing was said')
})
