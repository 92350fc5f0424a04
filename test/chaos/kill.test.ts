import t from 'tap'
import { availableModes } from '../support/modes.ts'
import { killWhileSending } from './kill.ts'

// A short version of `npm run chaos -- kill`.
for (const mode of availableModes(process.env)) {
  t.test(`${mode}: every acknowledged event survives kill -9 and is published once`, async t => {
    const counts = await killWhileSending({
      mode,
      environment: process.env,
      kills: 1,
      events: 60,
      waitsForTheDead: false
    })

    t.match(counts, { acknowledged: 60, lost: 0, publishedTwice: 0, ranTwice: 0 })
    t.ok(counts.attempts > 70, 'deliveries failed and were repeated while the hub was away')
  })
}
