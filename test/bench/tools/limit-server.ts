import { openDatabase } from '@linker/runtime'
import { createSigningKey, verifyWebhook } from '@linker/sdk'
import { Type } from '@sinclair/typebox'
import { TypeCompiler } from '@sinclair/typebox/compiler'
import Fastify from 'fastify'
import { Redis } from 'ioredis'

// A server that shows the limits of the hub's parts. Each variant does more than the one before:
// `bare` takes the body; `verify` also looks the connection up, checks the signature, parses and
// checks the event; `script` also runs one Redis script per request, `insert` one INSERT. The
// benchmark passes the variant, the secret, the connection ids, the URL of the store and the
// directory of an embedded database.

interface Parts {
  eventId: string
  text: string
}

const [variant = 'bare', secret = '', connectionIds = '', serverUrl = '', dataDirectory = ''] = process.argv.slice(2)
const keys = new Map(connectionIds.split(',').map(id => [id, createSigningKey(secret)]))
const event = TypeCompiler.Compile(Type.Object({
  schemaVersion: Type.Literal(1),
  eventId: Type.String({ maxLength: 200 }),
  eventType: Type.String(),
  occurredAt: Type.String(),
  object: Type.Object({ type: Type.String(), externalId: Type.String() }),
  payload: Type.Optional(Type.Object({}))
}))

const script = `if redis.call('EXISTS', KEYS[1]) == 1 then return 0 end
redis.call('XADD', KEYS[2], '*', unpack(ARGV))
redis.call('SET', KEYS[1], 'done', 'EX', 604800)
return 1`

async function openStore (): Promise<(parts: Parts) => Promise<unknown>> {
  if (variant === 'script') {
    const redis = new Redis(serverUrl)
    const sha = String(await redis.script('LOAD', script))
    return ({ eventId, text }) =>
      redis.evalsha(sha, 2, `bench:${eventId}`, 'bench:stream', 'eventId', eventId, 'payloadJson', text)
  }
  if (variant !== 'insert') return async () => undefined
  const { query } = await openDatabase({ dataDirectory, ...(serverUrl === '' ? {} : { databaseUrl: serverUrl }) }, {
    warn () {}
  })
  await query('create table bench (key text primary key, fields json not null)')
  return ({ eventId, text }) =>
    query('insert into bench (key, fields) values ($1, $2) on conflict do nothing', [eventId, text])
}

const store = await openStore()
const app = Fastify({ keepAliveTimeout: 72_000 })
app.removeAllContentTypeParsers()
app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => {
  done(null, body)
})

app.post<{ Body: Buffer, Params: { provider: string, connectionId: string } }>(
  '/webhooks/:provider/:connectionId',
  async (request, reply) => {
    if (variant === 'bare') return reply.code(202).send()
    const { headers, body, params } = request
    const key = keys.get(params.connectionId)
    if (key === undefined) return reply.code(404).send()
    const { 'x-linker-timestamp': timestamp, 'x-linker-signature': signature } = headers
    if (!verifyWebhook(key, String(timestamp), body, String(signature))) return reply.code(401).send()
    const value: unknown = JSON.parse(body.toString())
    if (!event.Check(value)) return reply.code(400).send()
    await store({ eventId: value.eventId, text: JSON.stringify(value) })
    return reply.code(202).send()
  }
)
await app.listen({ host: '127.0.0.1', port: 0 })
const address = app.server.address()
console.log(`listens on http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`)
