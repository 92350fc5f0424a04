import { readFile } from 'node:fs/promises'
import t from 'tap'
import { describeApi, entries, reportOf } from './api/report.ts'

for (const entry of entries) {
  t.test(`the declarations of '${entry.name}' are those of its report: \`npm run api\` writes it`, async t => {
    t.equal(await describeApi(entry, t.testdir()), await readFile(reportOf(entry.name), 'utf8'))
  })
}
