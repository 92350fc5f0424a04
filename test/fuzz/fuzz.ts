import { signWebhook } from '@linker/sdk'
import fc from 'fast-check'
import { randomBytes, randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { Agent, request as send } from 'undici'
import { createApi, type Answer } from '../support/api.ts'
import { runLinker } from '../support/hub-process.ts'
import { buildTestHub, type TestHub } from '../support/hub.ts'
import type { Mode } from '../support/modes.ts'
import { holdsSecret } from '../support/secret-forms.ts'
import { readStoredTexts } from '../support/stored-texts.ts'
import { operationsOf, type Description } from './description.ts'
import { createJudge } from './judge.ts'
import { createKnownValues } from './known-values.ts'
import { plansOf, requestOf, type FuzzRequest, type Plan } from './requests.ts'

export interface FuzzOptions {
  mode: Mode
  requests: number
  /** The same seed makes the same requests, apart from the values that answers have shown. */
  seed: number
  /** How many requests are under way at the same time. */
  parallel: number
  atEnd(cleanUp: () => unknown): void
}

/** Something that an answer must not be. */
export interface Fault {
  operation: string
  status: number
  fault: string
  count: number
  /** The shortest request with this fault. */
  request: FuzzRequest
  answer: string
}

export interface FuzzResult {
  /** How many answers had each status. */
  statuses: Record<string, number>
  /** The operations that never answered with a 2xx status. */
  neverSucceeded: string[]
  faults: Fault[]
  /** The tables, the keys of Redis, the log, the backup and the report that hold a secret. */
  leaks: string[]
}

const requestsPerRound = 1_000

/**
 * Sends requests of every operation of `/openapi.json` to a hub, and judges the answers by it. In
 * the end, it looks for the secrets of the hub, its platforms and its tokens in all that it stored,
 * in a backup and in a report.
 */
export async function fuzzApi ({ mode, requests, seed, parallel, atEnd }: FuzzOptions): Promise<FuzzResult> {
  const sealingKey = randomBytes(32).toString('base64')
  const variables = { LINKER_CREDENTIALS_KEY: `k1:${sealingKey}` }
  const hub = await buildTestHub({ teardown: atEnd }, { mode, variables })
  const description = (await hub.call('GET', '/openapi.json')).json as Description
  // An answer of `/events` does not end.
  const operations = operationsOf(description).filter(({ path }) => path !== '/events')
  const judge = createJudge(description)
  const known = createKnownValues()
  const faults = new Map<string, Fault>()
  const statuses: Record<string, number> = {}
  const succeeded = new Set<string>()
  const tokens = { admin: hub.keys.admin, read: '', nobody: '' }
  // The hub slows down an address that sends wrong tokens, so these come from another one.
  const elsewhere = new Agent({ localAddress: '127.0.0.2' })
  atEnd(() => elsewhere.close())
  const secrets = [hub.keys.admin, hub.keys.shop, hub.keys.market, hub.keys.webhook, sealingKey]

  /** Makes things that requests can be about; those of earlier rounds may be gone. */
  async function makeThings (): Promise<void> {
    const headers = { 'idempotency-key': randomUUID() }
    const reader = await hub.call('POST', '/tokens', { body: { name: randomUUID(), scope: 'read' }, headers })
    tokens.read = (reader.json as { token: string }).token
    secrets.push(tokens.read)
    const shop = await hub.connect('shopa')
    const market = await hub.connect('mktb')
    const { json } = await hub.call('POST', '/jobs', {
      body: { jobType: 'master.product.syncByExternalId', connectionId: shop, payload: { externalId: '27' } }
    })
    await hub.endOf((json as { jobId: string }).jobId)
    const [product] = (await hub.call('GET', '/products')).json as { variants: { id: string }[] }[]
    for (const { id: variantId } of product?.variants ?? []) {
      const externalId = `offer-${randomUUID()}`
      hub.market.addProduct(externalId, { stock: 20 })
      await hub.call('POST', '/offers/link', { body: { connectionId: market, variantId, externalId } })
      hub.market.placeOrder({ lines: [{ externalId, quantity: 1 }] })
    }
    await hub.call('POST', '/jobs', { body: { jobType: 'marketplace.orders.poll', connectionId: market } })
    await hub.deliver(shop, { eventType: 'stock.changed', objectType: 'stock', externalId: '27' })
    for (const { method, path } of operations) {
      if (method === 'GET' && !path.includes('{')) known.learn(path, (await hub.call('GET', path)).json)
    }
  }

  function sign (body: string): Record<string, string> {
    const timestamp = String(Date.now())
    return {
      'x-linker-timestamp': timestamp,
      'x-linker-signature': signWebhook(hub.keys.webhook, timestamp, body)
    }
  }

  function note (plan: Plan, request: FuzzRequest, answer: Answer): void {
    const { operation } = plan
    const name = `${operation.method} ${operation.path}`
    statuses[answer.status] = (statuses[answer.status] ?? 0) + 1
    if (answer.status < 300) succeeded.add(name)
    if (answer.status < 400) known.learn(operation.path, [answer.json, { ifMatch: answer.headers.etag }])
    const told = holdsSecret(answer.text, secrets) ? ['the answer holds a secret'] : []
    for (const fault of [...judge(operation, answer), ...told]) {
      const key = `${name} ${answer.status} ${fault}`
      const { count = 0, request: shortest = request, answer: text = answer.text } = faults.get(key) ?? {}
      const isShorter = JSON.stringify(request).length < JSON.stringify(shortest).length
      faults.set(key, {
        operation: name,
        status: answer.status,
        fault,
        count: count + 1,
        ...(isShorter ? { request, answer: answer.text } : { request: shortest, answer: text })
      })
    }
  }

  /** Each token is shown once, by the answer that makes it. */
  function learnSecret ({ json }: Answer): void {
    const { token } = (json ?? {}) as { token?: unknown }
    if (typeof token === 'string') secrets.push(token)
  }

  const plans = fc.sample(plansOf(operations), { numRuns: requests, seed })
  while (plans.length > 0) {
    await makeThings()
    const round = plans.splice(0, requestsPerRound)
    await Promise.all(Array.from({ length: parallel }, async () => {
      for (let plan = round.pop(); plan !== undefined; plan = round.pop()) {
        const request = requestOf(plan, known, sign)
        const isStranger = plan.caller === 'nobody' || request.url.startsWith('/session')
        const call = createApi(hub.url, tokens[plan.caller], isStranger ? elsewhere : undefined)
        const answer = await call(request.method, request.url, request)
        note(plan, request, answer)
        learnSecret(answer)
      }
    }))
  }
  const stored = new Map([
    ...await readStoredTexts(hub),
    ['the log', hub.log],
    ['a backup', [await readBackup(hub)]],
    ['a report', [await readReport(hub)]]
  ])
  return {
    leaks: [...stored].filter(([, texts]) => holdsSecret(texts.join('\n'), secrets)).map(([name]) => name),
    statuses,
    neverSucceeded: operations.map(({ method, path }) => `${method} ${path}`).filter(name => !succeeded.has(name)),
    faults: [...faults.values()]
  }
}

async function readBackup ({ url, keys }: TestHub): Promise<string> {
  const headers = { authorization: `Bearer ${keys.admin}` }
  const { statusCode, body } = await send(`${url}/backup`, { method: 'POST', headers })
  const bytes = Buffer.from(await body.arrayBuffer())
  if (statusCode !== 200) throw new Error(`no backup was taken: ${bytes.toString()}`)
  return gunzipSync(bytes).toString()
}

async function readReport ({ url, keys, directory }: TestHub): Promise<string> {
  const { code, stderr } = await runLinker(
    ['report', '--out', 'fuzz-report.tar.gz', '--url', url, '--token', keys.admin],
    directory
  )
  if (code !== 0) throw new Error(`no report was made: ${stderr}`)
  return gunzipSync(await readFile(join(directory, 'fuzz-report.tar.gz'))).toString()
}
