import { Type } from '@sinclair/typebox'
import t from 'tap'
import { describePayloads } from '../../src/handlers/describe-payloads.ts'
import { defineJob } from '../../src/jobs/define-job.ts'

t.test('payloads are described by what a person may write into them', t => {
  const defined = (type: string, payload: ReturnType<typeof Type.Object>) =>
    defineJob({ type, lane: 'state', object: 'payload', payload })
  const text = describePayloads([
    defined(
      'thing.read',
      Type.Object({
        thingId: Type.String(),
        mood: Type.Union([Type.Literal('good'), Type.Literal('bad')]),
        days: Type.Optional(Type.Integer({ description: 'at most so many days' })),
        cursor: Type.Optional(Type.String())
      })
    ),
    defined('things.sweep', Type.Object({}))
  ])

  t.match(text, /^- `thing\.read`: `thingId`, `mood` \(good, bad\), `days\?` \(at most so many days\)$/m)
  t.match(text, /^- `things\.sweep`: none$/m)
  t.end()
})
