import t from 'tap'
import { partCommands, saysCount } from '../../console/rules/told.ts'

t.test('the commands of a text stand apart from what it says', async t => {
  t.strictSame(partCommands('2 jobs died; `linker jobs show 1` shows why. `linker jobs redrive --type a.b` goes on.'), {
    text: '2 jobs died.',
    commands: ['linker jobs show 1', 'linker jobs redrive --type a.b']
  })
  t.strictSame(partCommands('Set `LINKER_X`. Then start again.'), {
    text: 'Set `LINKER_X`. Then start again.',
    commands: []
  })
  t.strictSame(partCommands('Try `linker jobs list --connection "A; b"` first.'), {
    text: 'Try `linker jobs list --connection "A; b"` first.',
    commands: []
  })
})

t.test('a count is not repeated behind a title that has it', async t => {
  t.equal(saysCount('4 jobs died', 4), true)
  t.equal(saysCount('14 jobs died', 4), false)
  t.equal(saysCount('Schedules are off', 3), false)
})
