import t from 'tap'
import { describeWarnings } from '../../src/cli/backup.ts'

const reminder = /^The file does not hold LINKER_CREDENTIALS_KEY/
const plain = /^WARNING: 2 credentials and secrets in the file are not encrypted/

t.test('a terminal shows what to keep beside the file, and a warning only when a secret is plain', async t => {
  t.match(describeWarnings(0, true), { length: 1, 0: reminder })
  t.match(describeWarnings(2, true), { length: 2, 0: reminder, 1: plain })
})

t.test('a cron job gets nothing but a warning', async t => {
  t.strictSame(describeWarnings(0, undefined), [])
  t.match(describeWarnings(2, undefined), { length: 1, 0: plain })
})
