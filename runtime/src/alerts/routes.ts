import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import { AlertList, AlertTest } from './schemas.ts'
import type { ChannelState } from './store.ts'

// Several pages of one person ask every few seconds.
const sharedMs = 1_000

const routes: FastifyPluginAsyncTypebox = async app => {
  app.addSchema(AlertList).addSchema(AlertTest)
  const { alerts, attention } = app
  const tags = ['operation']

  app.get('/alerts', {
    config: { scope: 'read' },
    schema: {
      tags,
      operationId: 'listAlerts',
      description:
        'Shows also the channels, and why the last message on each of them failed. What needs a person may ' +
        'be a second old.',
      summary: 'List what needs a person and when people were told of it',
      response: { 200: Type.Ref(AlertList) }
    }
  }, async (): Promise<AlertList> => {
    const { items } = await attention.look(sharedMs)
    const { states, tellings } = await alerts.read()
    const byKey = Map.groupBy(tellings, ({ key }) => key)
    return {
      channels: alerts.channels.map(channel => viewOf(channel, states.find(state => state.channel === channel))),
      open: items.map(item => {
        const before = byKey.get(item.key) ?? []
        return {
          ...item,
          told: before.filter(({ isOpen }) => isOpen).map(({ channel, toldAt }) => ({ channel, at: toldAt })),
          quiet: before.flatMap(telling => {
            const until = alerts.quietUntil(item, telling)
            return until === undefined ? [] : [{ channel: telling.channel, until: until.toISOString() }]
          })
        }
      })
    }
  })

  // `operate`: the test changes nothing, and reaches only the receivers that the settings name.
  app.post('/alerts/test', {
    config: { scope: 'operate', problems: ['LNK_ALERTS_NOT_CONFIGURED'] },
    schema: {
      tags,
      operationId: 'testAlerts',
      description: 'Reaches only the receivers that the settings name.',
      summary: 'Send a test on each channel of the alerts, and say for each whether it arrived',
      response: { 200: Type.Array(Type.Ref(AlertTest)) }
    }
  }, async () => alerts.test())
}

function viewOf (
  channel: ChannelState['channel'],
  state: ChannelState | undefined
): AlertList['channels'][number] {
  const { failures = 0, failingSince = null, problem = null, lastSentAt = null } = state ?? {}
  return { channel, failures, failingSince, problem, lastSentAt }
}

export default routes
