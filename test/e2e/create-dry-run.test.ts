import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { refused } from '../support/command.ts'
import { countRows } from '../support/count-rows.ts'
import { runLinker } from '../support/hub-process.ts'
import { buildTestHub } from '../support/hub.ts'
import { cheapestMode } from '../support/modes.ts'

t.test('linker connections create --dry-run tries the settings and creates nothing', async t => {
  const hub = await buildTestHub(t, { mode: cheapestMode(process.env) })
  const before = await countRows(hub.database())
  const dryRun = (platform: string, ...args: string[]) =>
    runLinker(
      ['connections', 'create', '--platform', platform, '--name', 'New', '--dry-run', ...args]
        .concat('--url', hub.url, '--token', hub.keys.admin),
      hub.directory
    )

  const file = join(hub.directory, 'config.json')
  await writeFile(file, '{"colour":"red"}')
  const right = await dryRun('mktb', '--credentials', hub.keys.market, '--config', `@${file}`)
  const wrong = await dryRun('mktb', '--credentials', 'wrong-key', '--adapter', 'mktb.shopapi.v1')
  const invalid = await dryRun('mktb', '--config', '{"environment":"moon"}')
  const unknown = await dryRun('nowhere')

  t.match(right, { code: 0, stdout: /^warning {2}\/config\/colour .*\nok {2}.* \(\d+ ms\)\n$/ })
  t.match(wrong, { code: 1, stdout: /^failed {2}.* \(\d+ ms\)\n$/ })
  t.match(invalid, { code: 1, stdout: /^error {4}\/config\/environment .*\nerror {4}\/credentials are required.*\n$/ })
  refused(t, unknown, /platform 'nowhere' has no default adapter; name one with --adapter/)
  t.strictSame(await countRows(hub.database()), before)
})
