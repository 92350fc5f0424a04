import { randomUUID } from 'node:crypto'
import t from 'tap'
import { buildTestHub, type Job } from '../support/hub.ts'
import { availableModes } from '../support/modes.ts'
import { problemOf } from '../support/problem.ts'
import type { ForeignPackage } from '../support/project.ts'

const [labels, packer] = ['@acme/adapter-labels-v1', '@acme/adapter-packer-v1'] as const

/** Prints labels. The reference of a parcel tells it how the platform answers. */
const labelPackage: ForeignPackage = {
  manifest: {
    name: labels,
    version: '1.0.0',
    engines: { linker: '^0.1.0' },
    linker: {
      adapterKey: 'labels.api.v1',
      platformType: 'labels',
      displayName: 'Labels',
      capabilities: ['acme/Labels'],
      permissions: { jobs: ['labels.*'] }
    }
  },
  source: `
    import { AuthenticationError, defineAdapter, RejectedError } from '@linker/sdk'
    export default defineAdapter({
      config: { type: 'object' },
      credentials: { type: 'null' },
      connect: context => context,
      account: async () => undefined,
      capabilities: {
        'acme/Labels': (_context, context) => ({
          async createLabel (reference) {
            if (reference === 'refused') throw new AuthenticationError('the key is revoked')
            if (reference === 'unknown') {
              const fields = [{ pointer: '/reference', code: 'unknown', message: 'is no parcel' }]
              throw new RejectedError('no such parcel', { fields })
            }
            context.cursor.set('last', reference)
            await context.jobs.enqueue('labels.label.check', { reference }, { key: reference })
            return { reference, connectionId: context.connection.id, deadline: context.deadline !== undefined }
          }
        })
      },
      jobs: { 'labels.label.check': { payload: { type: 'object' }, run: async () => ({ result: 'checked' }) } }
    })`
}

/** Orders labels of the connection that its config names, in a job and at a route. */
const packerPackage: ForeignPackage = {
  manifest: {
    name: packer,
    version: '1.0.0',
    engines: { linker: '^0.1.0' },
    linker: {
      adapterKey: 'packer.api.v1',
      platformType: 'packer',
      displayName: 'Packer',
      capabilities: ['acme/Parcels'],
      permissions: { jobs: ['packer.*'], routes: true, capabilities: ['acme/Labels'] }
    }
  },
  source: `
    import { defineAdapter } from '@linker/sdk'
    const label = (context, reference) =>
      context.capability('acme/Labels', { connectionId: context.config.labels }).createLabel(reference)
    export default defineAdapter({
      config: { type: 'object', properties: { labels: { type: 'string', connection: true } } },
      credentials: { type: 'null' },
      connect: context => context,
      account: async () => undefined,
      capabilities: {
        'acme/Parcels': (_context, context) => ({
          pack: async reference => ({ packed: await label(context, reference) })
        })
      },
      jobs: {
        'packer.parcel.pack': {
          payload: { type: 'object' },
          async run (_client, { payload: { reference, fails } }, context) {
            const result = await context.capability('acme/Parcels').pack(reference)
            if (fails) throw Object.assign(new Error('no paper'), { code: 'LNK_ADAPTER_REJECTED' })
            return { result }
          }
        }
      },
      routes: [{
        method: 'GET',
        path: '/connections/:connectionId/labels/:reference',
        auth: 'operate',
        handler: async ({ params }, { connection: { context } }) => ({ body: await label(context, params.reference) })
      }]
    })`
}

for (const mode of availableModes(process.env)) {
  for (const isolation of ['inline', 'worker'] as const) {
    t.test(`adapters call capabilities of third parties, ${mode}, ${isolation}`, async t => {
      const config = { adapters: [{ use: labels, isolation }, { use: packer, isolation }] }
      const hub = await buildTestHub(t, { mode, packages: [labelPackage, packerPackage], config })
      const connect = async (platformType: string, settings: object): Promise<string> => {
        const body = { name: platformType, platformType, config: settings }
        return ((await hub.call('POST', '/connections', { body })).json as { id: string }).id
      }
      const labelsId = await connect('labels', {})
      const packerId = await connect('packer', { labels: labelsId })
      const start = async (reference: string, more: object = {}, connectionId = packerId): Promise<string> => {
        const payload = { externalId: reference, reference, ...more }
        const body = { jobType: 'packer.parcel.pack', connectionId, payload }
        return ((await hub.call('POST', '/jobs', { body })).json as { jobId: string }).jobId
      }
      const jobsOf = async (connectionId: string): Promise<Job[]> =>
        (await hub.call('GET', `/jobs?connectionId=${connectionId}`)).json as Job[]
      const cursorOf = async (): Promise<unknown> =>
        ((await hub.call('GET', `/connections/${labelsId}/cursors`)).json as { value: string }[])[0]?.value

      t.test('from a job, through an own capability, and store what they leave with its end', async t => {
        const failed = await hub.endOf(await start('first', { fails: true }))
        t.match(failed, { status: 'dead', problem: { message: 'no paper' } })
        t.strictSame([await jobsOf(labelsId), await cursorOf()], [[], undefined], 'nothing of a job that failed')

        const job = await hub.endOf(await start('second'))
        t.match(job, {
          status: 'succeeded',
          result: { packed: { reference: 'second', connectionId: labelsId, deadline: true } }
        })
        t.match(await jobsOf(labelsId), [{ jobType: 'labels.label.check' }])
        t.equal(await cursorOf(), 'second')
      })

      t.test('from a route and over the API, which a dry run does not store', async t => {
        const path = `/integrations/packer/connections/${packerId}/labels/third`
        const answer = await hub.call('GET', path)
        t.match(answer, { status: 200, json: { reference: 'third', connectionId: labelsId } })
        t.equal(await cursorOf(), 'third')

        const body = { capability: 'acme/Parcels', method: 'pack', args: ['fourth'] }
        const dry = await hub.call('POST', `/connections/${packerId}/invoke`, { body: { ...body, dryRun: true } })
        t.match(dry.json, { success: true, value: { packed: { reference: 'fourth' } } })
        t.equal(await cursorOf(), 'third')
        await hub.call('POST', `/connections/${packerId}/invoke`, { body })
        t.equal(await cursorOf(), 'fourth')
      })

      t.test('and get the refusal of the called adapter with its fields', async t => {
        t.match(await hub.endOf(await start('unknown')), {
          status: 'dead',
          problem: { code: 'LNK_ADAPTER_REJECTED', message: 'no such parcel', fields: [{ pointer: '/reference' }] }
        })
      })

      t.test('only on the connection that the config names', async t => {
        const strangerId = await connect('packer', { labels: randomUUID() })
        const open = await connect('packer', {})

        t.match(await hub.endOf(await start('fifth', {}, strangerId)), {
          status: 'dead',
          problem: { code: 'LNK_ADAPTER_CONFIGURATION', message: /not found/ }
        })
        t.match(await hub.endOf(await start('sixth', {}, open)), {
          status: 'dead',
          problem: { code: 'LNK_ADAPTER_CONFIGURATION' }
        })
      })

      t.test('and wait, with the reason, while the called connection cannot be used', async t => {
        const statusOf = async (id: string): Promise<unknown> =>
          ((await hub.call('GET', `/connections/${id}`)).json as { status: string }).status
        const path = (reference: string): string => `/integrations/packer/connections/${packerId}/labels/${reference}`

        const refused = problemOf(await hub.call('GET', path('refused')))
        t.match(refused, { status: 503, code: 'LNK_CAPABILITY_UNAVAILABLE', detail: /the key is revoked/ })
        t.strictSame([await statusOf(labelsId), await statusOf(packerId)], ['error', 'active'])

        t.match(problemOf(await hub.call('GET', path('seventh'))), { status: 503, detail: /the key is revoked/ })
        await hub.call('PATCH', `/connections/${labelsId}`, { body: { status: 'active' } })
        t.equal((await hub.call('GET', path('eighth'))).status, 200)
      })
    })
  }
}
