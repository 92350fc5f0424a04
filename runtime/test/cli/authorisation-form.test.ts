import { Type } from '@sinclair/typebox'
import t from 'tap'
import { canAuthoriseAgain, fillForm, type Given } from '../../src/cli/authorisation-form.ts'

const form = Type.Object({
  clientId: Type.String({ description: 'Of the\n  application' }),
  clientSecret: Type.String({ secret: true, title: 'Its secret' }),
  environment: Type.Union([Type.Literal('sandbox'), Type.Literal('production')]),
  language: Type.String({ default: 'pl-PL' }),
  retries: Type.Optional(Type.Integer()),
  scopes: Type.Optional(Type.Array(Type.String())),
  connectionName: Type.String(),
  connectionId: Type.Optional(Type.String())
})

const fill = (given: Partial<Given>) =>
  fillForm(form, {
    texts: new Map(),
    secrets: new Set(),
    canAsk: false,
    known: { connectionName: 'Ours' },
    ...given
  })
const texts = (values: Record<string, string>) => new Map(Object.entries(values))

t.test('values get the type of their member', async t => {
  const { values, asked } = fill({
    texts: texts({ clientId: '17', environment: 'sandbox', retries: '3', scopes: '["a","b"]' }),
    secrets: new Set(['clientSecret'])
  })

  t.strictSame(values, {
    connectionName: 'Ours',
    clientId: '17',
    environment: 'sandbox',
    retries: 3,
    scopes: ['a', 'b']
  })
  t.strictSame(asked, [])
  t.throws(() => fill({ texts: texts({ retries: 'many' }) }), { message: /^--set retries is not JSON/ })
})

t.test('members of the config of the connection are taken over, and --set replaces them', async t => {
  const known = { connectionName: 'Ours', connectionId: 'c-1', environment: 'sandbox', clientId: 'old', other: 1 }
  const { values } = fill({ known, texts: texts({ clientId: 'new' }), secrets: new Set(['clientSecret']) })

  t.strictSame(values, { connectionName: 'Ours', connectionId: 'c-1', environment: 'sandbox', clientId: 'new' })
})

t.test('missing members are named together, as the options that give them', async t => {
  t.throws(() => fill({}), {
    message: [
      'the form lacks members; add:',
      '  --set clientId=<value>  Of the application',
      '  --secret clientSecret=<file>  Its secret',
      '  --set environment=sandbox|production'
    ].join('\n')
  })
})

t.test('a missing secret is asked for on a terminal, when nothing else is missing', async t => {
  const given = { canAsk: true, texts: texts({ clientId: '17', environment: 'sandbox' }) }

  t.strictSame(fill(given).asked, ['clientSecret'])
  t.throws(() => fill({ ...given, texts: new Map() }), { message: /^the form lacks members; add:\n {2}--set clientId/ })
})

t.test('an unknown member is refused, and the members are listed', async t => {
  for (const name of ['clientID', 'connectionName', 'toString']) {
    t.throws(() => fill({ texts: texts({ [name]: 'x' }) }), {
      message: new RegExp(
        `^the form has no member '${name}' to set; it has:\\n {2}--set clientId=.*scopes=<value>$`,
        's'
      )
    })
  }
  t.throws(() => fill({ secrets: new Set(['clientSecert']) }), { message: /no member 'clientSecert'/ })
})

t.test('a secret is not accepted as an argument', async t => {
  t.throws(() => fill({ texts: texts({ clientSecret: 'hush' }) }), {
    message: /^'clientSecret' is a secret, .*--secret clientSecret=<file>$/
  })
})

t.test('only a form with the id of a connection serves for an authorisation again', async t => {
  t.equal(canAuthoriseAgain(form), true)
  t.equal(canAuthoriseAgain(Type.Object({ connectionName: Type.String() })), false)
})
