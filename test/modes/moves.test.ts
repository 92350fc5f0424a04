import t from 'tap'
import { installShopaVersions, shopaPackages } from '../fixtures/shopa-versions.ts'
import { createApi } from '../support/api.ts'
import { buildTestHub } from '../support/hub.ts'
import { availableModes } from '../support/modes.ts'
import { createMover } from '../support/moves.ts'
import { problemOf } from '../support/problem.ts'

const key = 'shopa.webservice.v1'
const pin = (adapterVersion: string) => ({ adapterKey: key, adapterVersion })

for (const mode of availableModes(process.env)) {
  t.test(`${mode}: the moves of a connection are listed, rolled back ones included`, async t => {
    const versions = ['0.2.0'] as const
    const hub = await buildTestHub(t, {
      mode,
      install: directory => installShopaVersions(directory, versions),
      config: { adapters: shopaPackages(versions) }
    })
    const { move, rollback } = createMover(hub)
    const made = await hub.call('POST', '/tokens', { body: { name: 'ada', scope: 'admin' } })
    const ada = createApi(hub.url, (made.json as { token: string }).token)
    const id = await hub.connect('shopa', pin('0.1.0'))
    const list = async () => (await hub.call('GET', `/connections/${id}/adapter/moves`)).json as { movedBy: object }[]

    t.strictSame(await list(), [])
    await move(id, { adapterVersion: '0.2.0', dryRun: true })
    await move(id, { adapterVersion: '9.9.9' })
    t.strictSame(await list(), [], 'neither a dry run nor a refused move is one')

    await move(id, { adapterVersion: '0.2.0' })
    await rollback(id)
    await ada('PATCH', `/connections/${id}`, { body: { adapterVersion: '^0.2.0' } })
    t.match(await list(), [
      { movedBy: { kind: 'token', name: 'ada' }, from: pin('0.1.0'), to: pin('^0.2.0'), rolledBackAt: null },
      { movedBy: { name: '(own token)' }, from: pin('0.1.0'), to: pin('0.2.0'), rolledBackAt: /^\d{4}-.*Z$/ }
    ])

    const unknown = await hub.call('GET', '/connections/00000000-0000-4000-8000-000000000000/adapter/moves')
    t.match([unknown.status, problemOf(unknown).code], [404, 'LNK_CONNECTION_NOT_FOUND'])
  })
}
