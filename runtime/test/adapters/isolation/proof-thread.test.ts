import type { WebhookDelivery } from '@linker/sdk'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import t, { type Test } from 'tap'
import { createProofThread, type ProofLimits, type ProofThread } from '../../../src/adapters/isolation/proof-thread.ts'

/** Does with a delivery what its body says, and counts those that its thread has judged. */
const source = `
  import { defineAdapter } from '@linker/sdk'
  let judged = 0
  export default defineAdapter({
    config: { type: 'object' },
    credentials: { type: 'null' },
    connect: () => ({}),
    account: async () => undefined,
    capabilities: {},
    webhooks: {
      verify: {
        kind: 'function',
        async isGenuine ({ rawBody, headers, query, method, callbackUrl, secrets }) {
          judged += 1
          const how = new TextDecoder().decode(rawBody)
          if (how === 'hang') for (;;);
          if (how === 'wait') await new Promise(() => {})
          if (how === 'exit') process.exit(1)
          if (how === 'throw') throw new TypeError('the secret is ' + secrets[0])
          if (how === 'text') return 'yes'
          if (how === 'first') return judged === 1
          if (how === 'bytes') return rawBody.buffer.byteLength === rawBody.length && !Buffer.isBuffer(rawBody)
          if (how === 'environment') return Object.keys(process.env).length === 0
          return headers['x-proof'] === secrets.join() && query === 'a=1' && method === 'POST' &&
            callbackUrl === 'https://hub.example/webhooks/feed/1'
        }
      }
    }
  })`

const delivery = (body: string, proof = 'old,new'): WebhookDelivery => ({
  rawBody: Buffer.from(body),
  headers: { 'x-proof': proof },
  query: 'a=1',
  method: 'POST',
  callbackUrl: 'https://hub.example/webhooks/feed/1',
  secrets: ['old', 'new']
})
const unavailable = { code: 'LNK_WEBHOOK_PROOF_UNAVAILABLE', statusCode: 503 }
// On a busy machine, the start of a thread and the wait for others last long.
const patient = { startMs: 60_000, waitMs: 60_000, longestMs: 60_000 } satisfies Partial<ProofLimits>

function open (
  t: Test,
  limits: Partial<ProofLimits> = {},
  code = source
): { proofs: ProofThread, failures: string[] } {
  const failures: string[] = []
  const folder = t.testdir({ 'package.json': '{"type":"module"}', 'index.js': code })
  const proofs = createProofThread({
    adapter: 'feed.api.v1@1.0.0',
    entry: pathToFileURL(join(folder, 'index.js')).href,
    onFailure (reason) {
      failures.push(reason)
    },
    limits: { ...patient, ...limits }
  })
  t.teardown(() => proofs.close())
  return { proofs, failures }
}

/** Waits until the thread gives a verdict. */
async function until (ask: () => Promise<boolean>): Promise<void> {
  const verdict = await ask().catch(() => false)
  if (!verdict) await until(ask)
}

t.test('the function sees the whole delivery, and its verdict counts', async t => {
  const { proofs } = open(t)

  t.equal(await proofs.isGenuine('one', delivery('{}')), true)
  t.equal(await proofs.isGenuine('one', delivery('{}', 'guessed')), false)
  t.equal(await proofs.isGenuine('one', delivery('bytes')), true, 'nothing of other bodies comes along')
  t.equal(await proofs.isGenuine('one', delivery('environment')), true, 'no variable of the hub')
})

t.test('a function that throws or gives no verdict makes the platform send again', async t => {
  const { proofs, failures } = open(t)

  t.equal(await proofs.isGenuine('one', delivery('first')), true)
  await t.rejects(proofs.isGenuine('one', delivery('throw')), unavailable)
  await t.rejects(proofs.isGenuine('one', delivery('text')), unavailable)
  t.equal(await proofs.isGenuine('one', delivery('first')), false, 'its thread lives')
  t.strictSame(failures, ['it threw TypeError'], 'one report a minute, without the secret of the message')
})

t.test('a function that hangs costs its own delivery, and the others are judged in a new thread', async t => {
  for (const how of ['hang', 'wait', 'exit']) {
    const { proofs } = open(t)
    t.equal(await proofs.isGenuine('another', delivery('first')), true)
    const hung = proofs.isGenuine('one', delivery(how))
    const waiting = [proofs.isGenuine('another', delivery('first')), proofs.isGenuine('one', delivery('{}'))]

    await t.rejects(hung, unavailable, how)
    t.strictSame(await Promise.all(waiting), [true, true], `${how}: a new thread judges those that waited`)
  }
})

t.test('a connection whose deliveries end the thread again and again has to wait, and no other one', async t => {
  const { proofs } = open(t)
  for (let index = 0; index < 5; index++) await t.rejects(proofs.isGenuine('one', delivery('exit')), unavailable)

  await t.rejects(proofs.isGenuine('one', delivery('{}')), unavailable)
  t.equal(await proofs.isGenuine('another', delivery('{}')), true)
})

t.test('connections take turns, and one that sends too much is refused alone', async t => {
  const { proofs } = open(t, { mostWaitingOfConnection: 2 })
  const order: string[] = []
  const judge = async (connectionId: string): Promise<string> => {
    try {
      await proofs.isGenuine(connectionId, delivery('{}'))
      order.push(connectionId)
      return 'judged'
    } catch {
      return 'refused'
    }
  }

  const ends = await Promise.all(['a', 'a', 'a', 'a', 'b'].map(judge))
  t.strictSame(ends, ['judged', 'judged', 'judged', 'refused', 'judged'])
  t.ok(order.indexOf('b') < order.lastIndexOf('a'))
})

t.test('a delivery that has waited too long, or comes after the close, is refused', async t => {
  const { proofs, failures } = open(t, { waitMs: -1 })

  await t.rejects(proofs.isGenuine('one', delivery('{}')), unavailable)
  t.match(failures, ['too many deliveries wait for it'])
  await proofs.close()
  await t.rejects(proofs.isGenuine('one', delivery('{}')), unavailable)
})

t.test('a delivery does not wait long for the start, and the thread goes on starting', async t => {
  const slow = `await new Promise(resolve => setTimeout(resolve, 300))\n${source}`
  const { proofs, failures } = open(t, { startMs: 1 }, slow)

  proofs.warm()
  await t.rejects(proofs.isGenuine('one', delivery('{}')), unavailable)
  t.match(failures, ['its thread did not start in time'])
  await until(async () => proofs.isGenuine('one', delivery('{}')))
})

t.test('a module that cannot be imported gives no verdict', async t => {
  const { proofs, failures } = open(t, {}, 'throw new Error("broken")')

  await t.rejects(proofs.isGenuine('one', delivery('{}')), unavailable)
  t.match(failures, [/its thread ended with an unhandled error/])
})
