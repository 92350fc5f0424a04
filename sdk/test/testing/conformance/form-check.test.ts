import t, { type Test } from 'tap'
import { checks } from '../../../src/testing/conformance/checks.ts'
import { runChecks, type CheckResult } from '../../../src/testing/conformance/run-conformance.ts'
import { createSubject } from '../../../src/testing/conformance/subject.ts'
import { limits } from './find-faults.ts'
import { goodAdapter, writeAdapter } from './good-adapter.ts'
import { here } from './run-here.ts'

/** Judges the good adapter with another schema of its config. */
async function judge (t: Test, config: object): Promise<CheckResult | undefined> {
  const good = goodAdapter()
  const source = good.source.replace(/const config = \{.*?\n\}\n/s, `const config = ${JSON.stringify(config)}\n`)
  const { directory, remove } = await writeAdapter({ ...good, source })
  t.teardown(remove)
  const subject = await createSubject(directory, new Set(), limits, here)
  const [result] = await runChecks(subject, checks.filter(({ id }) => id === 'L1-SHP-11'))
  return result
}

const objectOf = (properties: Record<string, object>): object => ({ type: 'object', properties })
const named = (schema: object): object => ({ ...schema, title: 'A name' })
const text = named({ type: 'string' })

t.test('members of members and of items need words, too', async t => {
  const result = await judge(
    t,
    objectOf({
      baseUrl: { type: 'string', description: 'where the shop is' },
      blank: { type: 'string', title: ' ' },
      prices: named(objectOf({ country: { type: 'string' }, currency: text })),
      carriers: named({ type: 'array', items: objectOf({ method: { type: 'string' } }) })
    })
  )

  t.equal(result?.status, 'failed')
  t.strictSame(result?.findings.map(({ message }) => message.split(' ')[0]), [
    'config.blank',
    'config.prices.country',
    'config.carriers[].method'
  ])
})

t.test('a form has fields for texts, choices, lists of texts, tables and one level of objects', async t => {
  const result = await judge(
    t,
    objectOf({
      text,
      number: named({ type: 'integer', unit: 'minutes', group: 'Times' }),
      switch: named({ type: 'boolean' }),
      choice: named({ anyOf: [{ const: 'a' }, { const: 'b' }] }),
      texts: named({ type: 'array', items: { type: 'string' } }),
      choices: named({ type: 'array', items: { enum: ['a', 'b'] } }),
      table: named({ type: 'array', items: objectOf({ method: text }) }),
      object: named(objectOf({ inner: text, texts: named({ type: 'array', items: { type: 'string' } }) }))
    })
  )

  t.match(result, { status: 'passed', findings: [] })
  t.notOk(Object.hasOwn(result ?? {}, 'warnings'))
})

t.test('any other member is a warning, and the check passes', async t => {
  const result = await judge(
    t,
    objectOf({
      mixed: named({ anyOf: [{ type: 'string' }, { type: 'integer' }] }),
      any: named({}),
      map: named({ type: 'object', patternProperties: { '^.*$': { type: 'string' } } }),
      open: named({ ...objectOf({ inner: text }), additionalProperties: { type: 'string' } }),
      numbers: named({ type: 'array', items: { type: 'number' } }),
      pair: named({ type: 'array', items: [{ type: 'string' }, { type: 'string' }] }),
      table: named({ type: 'array', items: objectOf({ texts: named({ type: 'array', items: { type: 'string' } }) }) }),
      object: named(objectOf({ deep: named(objectOf({ deeper: text })), table: named({ type: 'array', items: {} }) }))
    })
  )

  t.equal(result?.status, 'passed')
  t.strictSame(result?.warnings?.map(({ message }) => /show (\S+) as/.exec(message)?.[1]), [
    'config.mixed',
    'config.any',
    'config.map',
    'config.open',
    'config.numbers',
    'config.pair',
    'config.table',
    'config.object.deep',
    'config.object.table'
  ])
})

t.test('without members there is nothing to judge', async t => {
  const good = goodAdapter()
  const source = good.source.replace(/const config = \{.*?\n\}\n/s, "const config = { type: 'object' }\n").replace(
    /const credentials = \{.*?\n\}\n/s,
    "const credentials = { type: 'null' }\n"
  )
  const { directory, remove } = await writeAdapter({ ...good, source })
  t.teardown(remove)
  const subject = await createSubject(directory, new Set(), limits, here)

  t.match(await runChecks(subject, checks.filter(({ id }) => id === 'L1-SHP-11')), [{ status: 'skipped' }])
})
