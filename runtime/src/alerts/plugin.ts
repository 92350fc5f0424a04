import { createAddressPolicy, createHttpClientFactory } from '@linker/sdk/host'
import fp from 'fastify-plugin'
import { hostname } from 'node:os'
import { addressOf, consolePath } from '../access/console-address.ts'
import { outboundAllowOf } from '../adapters/adapters.ts'
import type { Config } from '../config.ts'
import { runRegularly } from '../run-regularly.ts'
import { createAlerts, type Alerts } from './alerts.ts'
import type { Channel } from './channel.ts'
import { createMailChannel } from './mail-channel.ts'
import type { Message } from './message.ts'
import { createWebhookChannel } from './webhook-channel.ts'

declare module 'fastify' {
  interface FastifyInstance {
    alerts: Alerts
  }
}

const everyMs = 60_000

/**
 * Tells people what needs them. Every process that works off jobs looks once a minute, and when
 * none is alive, every process that serves HTTP; the database lets one of them tell. The first look
 * comes after a minute: a hub that has just started may have a queue from the time when it was
 * down.
 */
export default fp<{ config: Config, now: () => Date }>(async (app, { config, now }) => {
  const log = app.log.child({ component: 'alerts' })
  const { quietMinutes, leastSeverity, webhook, mail } = config.alerts
  const channels: Channel[] = []
  if (webhook !== undefined) {
    const { http, close } = createHttpClientFactory({
      addressPolicy: createAddressPolicy({ allow: outboundAllowOf(config) }),
      currentCall: () => undefined
    })
    app.addHook('onClose', close)
    channels.push(createWebhookChannel({ ...webhook, http, now }))
  }
  if (mail !== undefined) channels.push(createMailChannel(mail))

  const alerts = createAlerts({
    database: app.database,
    attention: app.attention,
    channels,
    async isOnDuty () {
      return config.role !== 'http' || await app.processes.readWorkerAbsence(app.database.query) !== undefined
    },
    leastSeverity,
    quietMs: quietMinutes * 60_000,
    from: describeHub(config),
    now,
    log
  })
  app.decorate('alerts', alerts)

  if (channels.length === 0) return
  const looking = runRegularly({
    run: alerts.look,
    everyMs,
    warning: 'looking at what needs a person failed; trying again',
    log
  })
  app.addHook('preClose', () => looking.stop())
}, { name: 'alerts', dependencies: ['database', 'attention', 'processes'] })

/** How messages name the hub. Only a public address tells people where they find it. */
function describeHub ({ publicUrl, console }: Pick<Config, 'publicUrl' | 'console'>): Pick<
  Message,
  'hubName' | 'hub' | 'page'
> {
  if (publicUrl === undefined) return { hubName: hostname(), hub: undefined, page: undefined }
  return {
    hubName: new URL(publicUrl).host,
    hub: publicUrl,
    page: console ? addressOf(consolePath, publicUrl, undefined) : undefined
  }
}
