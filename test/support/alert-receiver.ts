import { signatureHeader, timestampHeader, verifyWebhook } from '@linker/sdk'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import type { Test } from 'tap'

export interface AlertBody {
  eventType: string
  new: { key: string, kind: string, severity: string }[]
  open: { key: string }[]
  recovered: { key: string }[]
  omitted: number
}

export interface AlertReceiver {
  url: string
  /** The bodies whose signature is right. */
  bodies: AlertBody[]
  /** Answers this status from now on. */
  answer(status: number): void
}

/** A server of somebody else that verifies alerts as the README says. */
export async function startAlertReceiver (t: Pick<Test, 'teardown'>, secret: string): Promise<AlertReceiver> {
  const bodies: AlertBody[] = []
  let status = 204
  const server = createServer(async (request, response) => {
    const body = await buffer(request)
    const [timestamp, signature] = [timestampHeader, signatureHeader].map(name => String(request.headers[name]))
    const isGenuine = verifyWebhook(secret, timestamp ?? '', body, signature ?? '')
    if (isGenuine && status < 300) bodies.push(JSON.parse(body.toString()) as AlertBody)
    response.writeHead(isGenuine ? status : 401).end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(async () => {
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/alerts?key=a-secret-of-the-address`,
    bodies,
    answer (next) {
      status = next
    }
  }
}
