import t from 'tap'
import { hasProgram } from '../support/interpreters.ts'
import { availableModes } from '../support/modes.ts'
import { failLinks } from './links.ts'

const modes = availableModes(process.env).filter(mode => mode !== 'embedded')
if (modes.length === 0) t.pass('connections that fail', { skip: 'needs PostgreSQL' })

// A short version of `npm run chaos -- links`: all servers at once stop answering without closing
// a connection.
for (const mode of modes) {
  t.test(`${mode}: the hub reaches silent servers over new connections and loses no event`, async t => {
    const servers = mode === 'full' ? ['postgres', 'redis'] as const : ['postgres'] as const
    const counts = await failLinks({ mode, environment: process.env, failing: { servers, fault: 'silent' } })

    t.equal(counts.exitCode, 0, JSON.stringify(counts))
    t.ok(counts.refused > 0, 'the fault met deliveries')
  })
  t.test(`${mode}: the hub reaches PostgreSQL through a pooler that was killed, and loses no event`, async t => {
    if (!hasProgram(t, 'pgbouncer')) return
    const failing = { servers: ['pooler'], fault: 'killed' } as const
    const counts = await failLinks({ mode, environment: process.env, failing })

    t.equal(counts.exitCode, 0, JSON.stringify(counts))
    t.ok(counts.acceptedAgainMs < 10_000, JSON.stringify(counts))
  })
}
