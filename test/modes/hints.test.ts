import t from 'tap'
import { request } from 'undici'
import { createApi, eventually } from '../support/api.ts'
import { buildTestHub, type TestHub } from '../support/hub.ts'
import { availableModes } from '../support/modes.ts'

interface Stream {
  /** What came so far. */
  text(): string
  /** Resolves when the hub has ended the stream. */
  ended: Promise<void>
}

async function listen (hub: TestHub, token: string): Promise<Stream> {
  const { statusCode, headers, body } = await request(`${hub.url}/events`, {
    headers: { authorization: `Bearer ${token}` },
    bodyTimeout: 0
  })
  if (statusCode !== 200) throw new Error(await body.text())
  if (headers['content-type'] !== 'text/event-stream') throw new Error(`a stream of ${String(headers['content-type'])}`)
  let text = ''
  body.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk
  })
  return {
    text: () => text,
    ended: new Promise((resolve, reject) => {
      body.on('end', resolve).on('error', reject)
    })
  }
}

/** Waits for a hint, and makes the change again and again: the first look sees no change. */
async function hint (stream: Stream, kind: string, change: () => Promise<unknown>): Promise<void> {
  const from = stream.text().length
  await eventually(`a hint about ${kind}`, async () => {
    await change()
    return stream.text().includes(`event: changed\ndata: {"kind":"${kind}"}\n\n`, from) ? true : undefined
  })
}

for (const mode of availableModes(process.env)) {
  t.test(`${mode}: a stream tells that something changed`, async t => {
    const hub = await buildTestHub(t, { mode })
    const shop = await hub.connect('shopa')
    const made = (await hub.call('POST', '/tokens', { body: { name: 'page', scope: 'read' } })).json as {
      id: string,
      token: string
    }
    const [own, named] = [await listen(hub, hub.keys.admin), await listen(hub, made.token)]
    t.equal((await createApi(hub.url, 'wrong')('GET', '/events')).status, 401)

    let renames = 0
    await hint(own, 'connections', () => {
      renames += 1
      return hub.call('PATCH', `/connections/${shop}`, { body: { name: `Shop ${renames}` } })
    })
    await hint(named, 'jobs', async () =>
      hub.call('POST', '/jobs', {
        body: { jobType: 'master.product.syncByExternalId', connectionId: shop, payload: { externalId: '27' } }
      }))

    await hub.call('DELETE', `/tokens/${made.id}`)
    await hub.beat()
    await named.ended
    t.pass('the stream of a revoked token ends')

    await hub.stop()
    await own.ended
    t.pass('a hub that stops ends its streams')
  })
}
