import { conformanceChecks, testAdapter } from '@linker/sdk/testing'
import t from 'tap'
import { goodAdapter, writeAdapter } from './good-adapter.ts'

t.test('every check becomes an assertion, with its findings or the reason for skipping it', async t => {
  const good = goodAdapter()
  const exemptions = [{ check: 'L1-MAN-02', reason: 'it is not to be found yet' }]
  const { directory, remove } = await writeAdapter({
    ...good,
    packageJson: { ...good.packageJson, keywords: [], files: undefined },
    settings: { ...good.settings, exemptions }
  })
  t.teardown(remove)
  const said: { how: string, name: string, extra: unknown }[] = []
  const note = (how: string) => (name: string, extra?: unknown): void => {
    said.push({ how, name, extra })
  }

  await testAdapter({ pass: note('pass'), fail: note('fail') }, directory, {
    only: ['L1-MAN-01', 'L1-MAN-02', 'L1-MAN-06']
  })

  const title = (wanted: string): string =>
    `${wanted} ${conformanceChecks.find(({ id }) => id === wanted)?.title ?? ''}`
  t.match(said, [
    { how: 'pass', name: title('L1-MAN-01'), extra: {} },
    { how: 'pass', name: title('L1-MAN-02'), extra: { skip: 'exempt: it is not to be found yet' } },
    {
      how: 'fail',
      name: title('L1-MAN-06'),
      extra: { findings: ['files is missing: all of the folder is published'], prevents: /published/ }
    }
  ])
})
