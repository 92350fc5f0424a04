import { ConfigurationError, type HttpClient, type WebhookBodyForm, type WebhookInstallation } from '@linker/sdk'
import { Value } from '@sinclair/typebox/value'
import { CallbackAddress } from '../config.ts'
import { readAnswer } from '../read-answer.ts'

const hookNames = ['orderCreated', 'orderStatusChanged'] as const
const longestUrl = 2_000
const longestToken = 400

/** Both hooks send the whole order, and nothing in it tells one hook from the other. */
export const orderBody: WebhookBodyForm = {
  eventType: 'order.changed',
  objectType: 'order',
  externalId: '/id',
  occurredAt: ['/updated', '/created']
}

/**
 * Points both order hooks of the shop to the hub. A shop has one address for each hook, so this
 * replaces an earlier registration.
 */
export async function installHooks (
  http: HttpClient,
  { callbackUrl, secret }: WebhookInstallation
): Promise<undefined> {
  if (!Value.Check(CallbackAddress, callbackUrl)) {
    throw new ConfigurationError('config.callbackBaseUrl must be an https address that the marketplace can reach')
  }
  if (callbackUrl.length > longestUrl) {
    throw new ConfigurationError(`config.callbackBaseUrl makes an address longer than ${longestUrl} characters`)
  }
  if (secret.length > longestToken) {
    throw new ConfigurationError(`the marketplace takes a webhook secret of at most ${longestToken} characters`)
  }
  for (const hookName of hookNames) {
    readAnswer(await http.request({
      method: 'PUT',
      path: `hooks/${hookName}`,
      body: { hookName, url: callbackUrl, accessToken: secret }
    }))
  }
}
