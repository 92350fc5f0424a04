import { redactEvent } from '@linker/sdk/host'
import t from 'tap'

const redact = (text: string): string => text.replaceAll('the-secret', '[redacted]')
const event = { method: 'PUT', origin: 'https://shop.example', path: '/of/the-secret', durationMs: 0 }

t.test('the report of a request has no secret in its path', async t => {
  t.strictSame(redactEvent(event, redact), { ...event, path: '/of/[redacted]' })
})

t.test('what was not sent is cut after its secrets are gone, so that no half of one stays', async t => {
  const body = `${'x'.repeat(16_384 - 4)}the-secret`
  const { unsent } = redactEvent({ ...event, unsent: { query: '?key=the-secret', body } }, redact)

  t.equal(unsent?.query, '?key=[redacted]')
  t.equal(unsent?.body, `${'x'.repeat(16_384 - 4)}[red`)
})
