import type { WebhookDelivery } from '@linker/sdk'
import { importAdapter } from '@linker/sdk/host/trial'
import { parentPort, workerData } from 'node:worker_threads'
import type { ProofAnswer, ProofQuestion } from './protocol.ts'

// The thread in which the function of an adapter judges deliveries. It has no services of the hub,
// and the adapter is neither initialised nor connected here.

delete process.env.NODE_COMPILE_CACHE

const port = parentPort
if (port === null) throw new Error('this module is the entry of a worker thread')
// Keep the function before the adapter can replace it.
const post = port.postMessage.bind(port)

const { definition } = await importAdapter(String(workerData))

async function judge (delivery: WebhookDelivery): Promise<Omit<ProofAnswer, 'id'>> {
  const verify = definition.webhooks?.verify
  if (verify?.kind !== 'function') return { failure: 'the adapter has no such function' }
  try {
    const verdict: unknown = await verify.isGenuine(delivery)
    return typeof verdict === 'boolean' ? { verdict } : { failure: `it answered ${typeof verdict}, not true or false` }
  } catch (error) {
    // The message may repeat a part of the delivery, or a secret.
    return { failure: `it threw ${error instanceof Error ? error.name.slice(0, 100) : typeof error}` }
  }
}

port.on('message', ({ id, delivery }: ProofQuestion) => {
  judge(delivery).then(answer => {
    post({ id, ...answer } satisfies ProofAnswer)
  }, () => undefined)
})
post('ready')
