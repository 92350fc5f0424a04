import fp from 'fastify-plugin'
import type { Config } from '../config.ts'
import { runRegularly } from '../run-regularly.ts'
import { watchIntake, type Intake } from './intake.ts'
import { inboundGroup, inboundStream, jobsGroup, jobsStream, type StreamPort } from './port.ts'
import { createTableStreams } from './postgres.ts'
import { createRedisStreams } from './redis.ts'
import { watchWrites } from './write-watch.ts'

declare module 'fastify' {
  interface FastifyInstance {
    streams: StreamPort
    intake: Intake
  }
}

const maintenanceIntervalMs = 60_000
const renewIntervalMs = 1_000

/**
 * The streams of this hub: on Redis when it is configured, else on tables. Groups exist before
 * anything is published.
 */
export default fp<{ config: Config }>(async (app, { config }) => {
  const log = app.log.child({ component: 'streams' })
  const opened = config.redisUrl === undefined
    ? createTableStreams({ database: app.database, log })
    : await createRedisStreams({ url: config.redisUrl, log, maxBytes: config.streamBytes })
  const { streams: watched, renew } = watchWrites(opened, log)
  const { streams, intake } = watchIntake(watched)
  await streams.ensureGroup(inboundStream, inboundGroup)
  await streams.ensureGroup(jobsStream, jobsGroup)
  for (const { message } of await streams.inspect()) {
    log.warn({ warning: message }, 'the stream server may lose acknowledged events')
  }

  const maintenance = runRegularly({
    run: () => streams.maintain(),
    everyMs: maintenanceIntervalMs,
    warning: 'stream maintenance failed; trying again later',
    log
  })
  const renewal = runRegularly({
    run: renew,
    everyMs: renewIntervalMs,
    warning: 'the test write failed; trying again later',
    log
  })
  app.decorate('streams', streams)
  app.decorate('intake', intake)
  app.addHook('onClose', async () => {
    // Maintenance does not end early: waiting for it could take longer than the hub has to stop.
    void maintenance.stop()
    await renewal.stop()
    await streams.close()
  })
}, { name: 'streams', dependencies: ['database'] })
