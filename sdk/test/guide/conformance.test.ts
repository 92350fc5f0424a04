import { defineAdapter, type Adapter } from '@linker/sdk'
import { describeAdapter } from '@linker/sdk/host'
import { conformanceChecks, type Check } from '@linker/sdk/testing'
import { Type } from '@sinclair/typebox'
import { execFileSync } from 'node:child_process'
import t from 'tap'
import { codeOf, importExample } from './guide.ts'

const page = 'CONFORMANCE.md'
const settings = JSON.parse(codeOf(page, 'json', 1))

t.test('the command of the page prints the signature of its delivery', async t => {
  const [, script = ''] = /^node -p "(.*)"\n$/.exec(codeOf(page, 'sh')) ?? []

  const printed = execFileSync(process.execPath, ['-p', script], { encoding: 'utf8' }).trim()

  t.equal(printed, settings.deliveries[0].headers['X-Feed-Signature'])
})

t.test('the suite accepts the signed form, its event and the signed ping of the page, and no others', async t => {
  const { webhooks } = await importExample(t, codeOf('docs/webhooks.md')) as { webhooks: Adapter['webhooks'] }
  const { verify, source, challenges: [{ isProved: _open, ...ping } = {}] = [] } = webhooks ?? {}
  const description = describeAdapter(defineAdapter({
    config: Type.Object({}),
    credentials: Type.Null(),
    connect: () => undefined,
    account: async () => ({ id: '1', name: 'Test' }),
    capabilities: {},
    webhooks: { verify, source, challenges: [ping] } as NonNullable<Adapter['webhooks']>
  }))
  const findingsOf = async (id: string, found: unknown) => {
    const subject = {
      package: { manifest: { platformType: 'feedshop' } },
      settings: { settings: found },
      imported: async () => ({ report: { description } })
    }
    return await conformanceChecks.find(check => check.id === id)
      ?.run(subject as unknown as Parameters<Check['run']>[0])
  }
  const [delivery] = settings.deliveries
  const [challenge] = settings.challenges

  t.strictSame(await findingsOf('L1-SHP-09', settings), [])
  t.strictSame(await findingsOf('L1-SHP-10', settings), [])
  t.strictSame(await findingsOf('L1-SHP-12', settings), [])
  t.match(await findingsOf('L1-SHP-09', { deliveries: [{ ...delivery, body: 'id=28' }] }), [{ message: /refused/ }])
  t.match(await findingsOf('L1-SHP-10', { challenges: [{ ...challenge, body: 'webhook_id=8' }] }), [
    { message: /refused/ }
  ])
  t.match(await findingsOf('L1-SHP-12', { deliveries: [{ ...delivery, events: [{ externalId: '28' }] }] }), [
    { message: /externalId is read as 27, not 28/ }
  ])
})
