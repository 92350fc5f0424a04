import t from 'tap'
import { commandLine, jobOptions } from '../../console/rules/command-line.ts'

t.test('a command has only the options that are given', async t => {
  const filter = jobOptions({ connectionId: '0198c3a1', jobType: 'offer.update' })

  t.equal(
    commandLine(['jobs', 'redrive'], { ...filter, 'first': 1, 'per-minute': null, 'dry-run': true, 'wait': false }),
    'linker jobs redrive --connection 0198c3a1 --type offer.update --first 1 --dry-run'
  )
})

t.test('a shell reads a value as one word', async t => {
  t.equal(
    commandLine(['jobs', 'cancel', 'a1'], { reason: "it's $gone" }),
    String.raw`linker jobs cancel a1 --reason 'it'\''s $gone'`
  )
})
