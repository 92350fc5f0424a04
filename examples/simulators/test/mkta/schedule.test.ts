import t from 'tap'
import { createSchedule } from '../../src/mkta/schedule.ts'

t.test('work that becomes due during other work waits for work that was due before', async t => {
  let time = 0
  const done: string[] = []
  const schedule = createSchedule(() => new Date(time))
  schedule.plan(10, () => {
    time = 30
    schedule.catchUp()
    done.push('first')
  })
  schedule.plan(20, () => {
    done.push('second')
  })
  schedule.plan(30, () => {
    done.push('third')
  })

  time = 20
  schedule.catchUp()
  schedule.catchUp()

  t.same(done, ['first', 'second', 'third'])
})
