import t from 'tap'
import { availableModes } from '../support/modes.ts'
import { failLinks, linksOf } from './links.ts'

const modes = availableModes(process.env).filter(mode => mode !== 'embedded')
if (modes.length === 0) t.pass('connections that fail', { skip: 'needs PostgreSQL' })

// A short version of `npm run chaos -- links`: all servers at once stop answering without closing
// a connection.
for (const mode of modes) {
  t.test(`${mode}: the hub reaches silent servers over new connections and loses no event`, async t => {
    const servers = linksOf(mode).at(-1) ?? []
    const counts = await failLinks({ mode, environment: process.env, servers, fault: 'silent' })

    t.equal(counts.exitCode, 0, JSON.stringify(counts))
    t.ok(counts.refused > 0, 'the fault met deliveries')
  })
}
