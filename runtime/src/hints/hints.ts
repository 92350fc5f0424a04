import fp from 'fastify-plugin'
import { runRegularly } from '../run-regularly.ts'
import { hintTables, textOfItems } from './kinds.ts'
import { readChanges } from './store.ts'
import { createStreams, type Streams } from './streams.ts'

declare module 'fastify' {
  interface FastifyInstance {
    hints: Streams
  }
}

const lookMs = 1_000
const beatMs = 15_000
const attentionMs = 15_000

/** Tells pages that something changed, so that they need not ask again and again. */
export default fp(async app => {
  const { database, attention, readiness, log } = app
  const streams = createStreams({
    see: async () => ({
      changes: await readChanges(database.query, hintTables),
      attention: textOfItems((await attention.look(attentionMs)).items)
    })
  })
  const warning = 'looking for changes for the streams of hints failed; trying again'
  const regular = [
    runRegularly({ run: streams.look, everyMs: lookMs, warning, log }),
    runRegularly({ run: streams.beat, everyMs: beatMs, warning, log })
  ]
  // Before the hub waits for open requests: a stream would not end by itself.
  readiness.stopping.addEventListener('abort', streams.end, { once: true })
  app.addHook('preClose', async () => {
    streams.end()
    for (const { stop } of regular) await stop()
  })
  app.decorate('hints', streams)
}, { name: 'hints', dependencies: ['database', 'attention', 'health'] })
