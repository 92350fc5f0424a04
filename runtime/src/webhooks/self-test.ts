import type { HttpClientFactory, HttpResponse } from '@linker/sdk'
import { randomUUID } from 'node:crypto'
import type { Connection } from '../connections/entity.ts'
import { jobIdOf } from '../jobs/identity.ts'
import { eventKey } from '../streams/port.ts'
import { deliveryHeaders, proveDelivery, UnknownProofError } from './prove-delivery.ts'

export interface SelfTest {
  connection: Pick<Connection, 'id' | 'platformType' | 'webhookScheme' | 'webhookRules'>
  callbackUrl: string
  secret: string
  now: Date
}

const timeoutMs = 5_000
const maxResponseBytes = 65_536
// Accept every status, because each one says something about the server at that address.
const everyStatus = Array.from({ length: 300 }, (_, index) => 300 + index)

/**
 * Delivers `test.ping` to the hub's own public address, as the platform would. Returns undefined
 * when it arrived, else what the hub saw.
 */
export async function pingSelf (
  http: HttpClientFactory,
  test: SelfTest
): Promise<string | undefined> {
  const { connection, callbackUrl, secret, now } = test
  const { id: connectionId, platformType: provider, webhookScheme: scheme, webhookRules } = connection
  const eventId = `test-${randomUUID()}`
  const body = JSON.stringify({
    schemaVersion: 1,
    eventId,
    eventType: 'test.ping',
    occurredAt: now.toISOString(),
    object: { type: 'connection', externalId: connectionId }
  })
  try {
    const { headers, query } = proveDelivery({ scheme, verify: webhookRules?.verify }, {
      secret,
      body,
      callbackUrl,
      now
    })
    const client = http({
      baseUrl: callbackUrl,
      timeoutMs,
      retries: 0,
      maxResponseBytes,
      headers
    })
    const answer = await client.request({
      method: 'POST',
      path: '',
      query,
      headers: deliveryHeaders,
      body,
      accept: everyStatus
    })
    return describe(answer, jobIdOf(eventKey({ provider, connectionId, eventId })))
  } catch (error) {
    if (error instanceof UnknownProofError) return `the hub sent no test: ${error.message}`
    return `the hub did not reach its own address: ${error instanceof Error ? error.message : 'no answer'}`
  }
}

/** Checks the id of the delivery, because only this hub can know it. */
function describe ({ status, headers }: HttpResponse, deliveryId: string): string | undefined {
  const isAccepted = status >= 200 && status < 300
  if (isAccepted && headers['x-linker-delivery-id'] === deliveryId) return undefined
  if (status === 404) {
    return 'the address answered 404: another server answers there, or a proxy does not pass the path on'
  }
  if (status === 401) return 'the address answered 401: another server or another hub answers there'
  return `the address answered ${status}${isAccepted ? ', but the answer is not that of this hub' : ''}`
}
