import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { ownModules } from '../fixtures/modules.ts'
import { installShopaVersions, shopaPackages } from '../fixtures/shopa-versions.ts'
import { refused } from '../support/command.ts'
import { runLinker } from '../support/hub-process.ts'
import { buildTestHub } from '../support/hub.ts'
import { cheapestMode } from '../support/modes.ts'
import { createMover } from '../support/moves.ts'
import { pattern } from '../support/pattern.ts'

const v1 = 'shopa.webservice.v1'

t.test('linker connections move, rollback, moves and linker upgrade', async t => {
  const versions = ['0.2.0', '0.3.0-rc.1'] as const
  const hub = await buildTestHub(t, {
    mode: cheapestMode(process.env),
    install: directory => installShopaVersions(directory, versions),
    config: { adapters: [...shopaPackages(versions), '@linker/adapter-mktb-v1'] }
  })
  const { read, state } = createMover(hub)
  const linker = (...args: string[]) => runLinker([...args, '--url', hub.url, '--token', hub.keys.admin], hub.directory)
  const id = await hub.connect('shopa', {
    name: 'Shop',
    adapterKey: v1,
    adapterVersion: '0.1.0',
    config: { shopId: '1', baseUrl: 'https://shop.example' }
  })

  t.test('move shows what changes, does it unless it is a dry run, and rollback undoes it', async t => {
    const before = await state()
    const none = await linker('connections', 'moves', 'Shop', '--json')
    const dry = await linker('connections', 'move', id, '--to', '2.0.0', '--key', 'shopa.webservice.v2', '--dry-run')
    const after = await state()
    const moved = await linker('connections', 'move', 'Shop', '--to', '2.0.0', '--key', 'shopa.webservice.v2')
    const pin = await read(id)
    const dryBack = await linker('connections', 'rollback', id, '--dry-run')
    const back = await linker('connections', 'rollback', 'Shop')
    const moves = await linker('connections', 'moves', 'Shop')
    const nothing = await linker('connections', 'rollback', id)

    t.strictSame(after, before)
    t.match(dry, {
      code: 0,
      stdout: pattern(
        /^shopa\.webservice\.v1@0\.1\.0 → shopa\.webservice\.v2@2\.0\.0 {2}\(dry run: nothing /,
        /was changed\)\n {2}migrates {2}shopa\.webservice\.v1 → 2\.0\.0\n/,
        /.* {2}config {4}\/shopId: "1" → 1\n {2}config {4}\/shopUrl: \(absent\) /,
        /→ "https:\/\/shop\.example"\n {2}event {5}order\.created: shopa\.order\.syncByExternalId → \(ignored\)\n/,
        /.*status_changed: [^\n]*\n$/s
      )
    })
    t.notMatch(dry.stdout, '--yes', 'nothing has to be confirmed')
    t.equal(moved.stdout, dry.stdout.replace('  (dry run: nothing was changed)', ''))
    t.match(pin, { adapterKey: 'shopa.webservice.v2', adapterVersion: '2.0.0' })
    t.match([dryBack.stdout, back.stdout], [
      /^shopa\.webservice\.v2@2\.0\.0 → shopa\.webservice\.v1@0\.1\.0 {2}\(dry run: nothing/,
      /^shopa\.webservice\.v2@2\.0\.0 → shopa\.webservice\.v1@0\.1\.0\n/
    ])
    t.match(await read(id), { adapterKey: v1, adapterVersion: '0.1.0', config: { shopId: '1' } })
    refused(t, nothing, /^linker: 409 LNK_MOVE_REFUSED: the connection was never moved[^\n]*\n$/)
    t.strictSame(JSON.parse(none.stdout), [])
    t.match(
      moves.stdout,
      pattern(
        /^TIME +FROM +TO +ACTOR +ROLLED BACK\n\S+Z {2}shopa\.webservice\.v1@0\.1\.0 {2}/,
        /shopa\.webservice\.v2@2\.0\.0 {2}\(own token\) {2}\S+Z\n$/
      )
    )
    refused(t, await linker('connections', 'rollback', 'Shopp'), /no connection is called 'Shopp'/)
  })

  t.test('the command lists what has to be confirmed, and --yes confirms it', async t => {
    const dry = await linker('connections', 'move', id, '--to', '0.3.0-rc.1', '--dry-run')
    const agreed = await linker('connections', 'move', id, '--to', '0.3.0-rc.1', '--dry-run', '--yes')
    const unconfirmed = await linker('connections', 'move', id, '--to', '0.3.0-rc.1')
    const confirmed = await linker('connections', 'move', id, '--to', '0.3.0-rc.1', '--yes')
    await linker('connections', 'rollback', id)

    t.match(dry, { code: 0, stdout: /loses {5}ProductMaster\n.* {2}To make this move, add --yes\. [^\n]*\n$/s })
    t.equal(agreed.stdout, dry.stdout.replace(/ {2}To make this move.*\n/, ''))
    refused(
      t,
      unconfirmed,
      /409 LNK_MOVE_UNCONFIRMED.*loses ProductMaster.*start jobs on a schedule\n {2}--yes accepts this\n/s
    )
    t.match(confirmed, { code: 0, stdout: / {2}loses {5}ProductMaster\n {2}may now {3}start jobs on a schedule\n/ })
  })

  t.test('a rollback to a version that is not there any more is refused, and its reason is printed once', async t => {
    await linker('connections', 'move', id, '--to', '2.0.0', '--key', 'shopa.webservice.v2')
    const adapters = [...shopaPackages(versions), '@linker/adapter-mktb-v1']
    await hub.restart({ config: { adapters: adapters.filter(name => name !== '@linker/adapter-shopa-v1') } })
    const missing = await linker('connections', 'rollback', id)
    await hub.restart({ config: { adapters } })
    await linker('connections', 'rollback', id)

    refused(
      t,
      missing,
      pattern(
        /^linker: 409 LNK_MOVE_REFUSED\n {2}\/adapterVersion: Adapter /,
        /shopa\.webservice\.v1 is installed in version [^\n]*, not in version 0\.1\.0\n/,
        /$/
      )
    )
  })

  t.test('the command tells every reason why a move cannot be made', async t => {
    refused(
      t,
      await linker('connections', 'move', id, '--to', '9.9.9'),
      pattern(
        /400 LNK_CONNECTION_INVALID[^]*loaded: 0\.3\.0-rc\.1, 0\.2\.0, 0\.1\.0; install a version /,
        /that fits, then restart the hub/
      )
    )
    refused(t, await linker('connections', 'move', id), /required option '--to <version>'/)
    refused(t, await linker('upgrade'), /required option '--plan'/)
  })

  t.test('a version that was installed since the start needs a restart', async t => {
    const modules = await ownModules(hub.directory)
    const [released, next] = ['', '-next'].map(end => join(modules, `@linker/adapter-shopa-v1${end}`))
    const manifest = JSON.parse(await readFile(join(released ?? '', 'package.json'), 'utf8')) as object
    await mkdir(next ?? '')
    await writeFile(join(next ?? '', 'package.json'), JSON.stringify({ ...manifest, version: '0.9.0' }))
    const adapters = [...shopaPackages(versions), '@linker/adapter-shopa-v1-next']
    await writeFile(join(hub.directory, 'linker.config.json'), JSON.stringify({ adapters }))

    refused(
      t,
      await linker('connections', 'move', id, '--to', '^0.9.0'),
      /fits '\^0\.9\.0'; loaded: [^;]*; 0\.9\.0 is installed, but not loaded: restart the hub/
    )
    t.match(
      (await linker('upgrade', '--plan')).stdout,
      /^ {2}warning .* is the newest loaded version; 0\.9\.0 is installed, but not loaded: restart the hub\./m
    )
    const config = { adapters: shopaPackages(versions) }
    await writeFile(join(hub.directory, 'linker.config.json'), JSON.stringify(config))
  })

  t.test('a newer major under another key is known by its version, and named when the newest is asked for', async t => {
    const byVersion = await linker('connections', 'move', id, '--to', '2.0.0', '--dry-run')
    const latest = await linker('connections', 'move', id, '--to', 'latest', '--dry-run')

    refused(
      t,
      byVersion,
      pattern(
        /no loaded version of 'shopa\.webservice\.v1' fits '2\.0\.0'.*; /,
        /shopa\.webservice\.v2 has this version: .*adapterKey \(--key/
      )
    )
    t.notMatch(byVersion.stderr, 'webservice.v3', 'which has another version')
    t.match(latest, {
      code: 0,
      stdout: pattern(
        /→ shopa\.webservice\.v1@0\.2\.0.* {2}warning {3}\/adapterKey could name the newer major /,
        /shopa\.webservice\.v2@2\.0\.0, which is also installed.*shopa\.webservice\.v3@3\.0\.0, /,
        /which is also installed/s
      )
    })
  })

  t.test('upgrade --plan says for each connection where the newest stable version leads; nothing changes', async t => {
    const current = await hub.connect('shopa', { name: 'Current', adapterKey: v1, adapterVersion: '0.2.0' })
    const trying = await hub.connect('shopa', { name: 'Trying', adapterKey: v1, adapterVersion: '0.3.0-rc.1' })
    const misfit = await hub.connect('mktb', { name: 'Misfit' })
    await hub.database().query('update connections set config = \'{"environment": 7, "language": 8}\' where id = $1', [
      misfit
    ])
    hub.shop.requests.clear()
    const before = await state()
    const [table, json] = [await linker('upgrade', '--plan'), await linker('upgrade', '--plan', '--json')]
    const plans = JSON.parse(json.stdout) as {
      id: string,
      outcome: string,
      reasons: { pointer: string }[],
      majors: { to: string, outcome: string }[]
    }[]

    t.strictSame(await state(), before)
    t.equal(hub.shop.requests.entries.length, 0, 'no platform is asked')
    t.match([table.code, json.code], [0, 0])
    t.match(
      table.stdout,
      new RegExp(`^${id} {2}Shop {2}${v1}@0\\.1\\.0 → ${v1}@0\\.2\\.0\n(?: {2}.*\n)*${current} {2}Current ` +
        `{2}${v1}@0\\.2\\.0 {2}up to date\n(?: {2}.*\n)*${trying} {2}Trying .*newer than the newest stable ` +
        `version\n(?: {2}.*\n)*${misfit} `)
    )
    t.match(
      table.stdout,
      new RegExp(` {2}newer major shopa\\.webservice\\.v2@2\\.0\\.0: linker connections move ${id} --key ` +
        `shopa\\.webservice\\.v2 --to 2\\.0\\.0\n {4}migrates `)
    )
    t.match(
      table.stdout,
      new RegExp(` {2}newer major shopa\\.webservice\\.v3@3\\.0\\.0: linker connections move ${id} --key ` +
        `shopa\\.webservice\\.v3 --to 3\\.0\\.0 --yes\n`)
    )
    t.match(plans[0]?.majors, [{ to: 'shopa.webservice.v2@2.0.0', outcome: 'can be moved' }, {
      to: 'shopa.webservice.v3@3.0.0',
      outcome: 'can be moved'
    }])
    t.strictSame(plans.at(-1)?.majors, [], 'the marketplace has one major')
    t.match(plans, [
      {
        id,
        from: `${v1}@0.1.0`,
        to: `${v1}@0.2.0`,
        outcome: 'can be moved',
        changes: { config: { length: 0 }, capabilities: { lost: { length: 0 }, gained: { length: 0 } } }
      },
      { id: current, outcome: 'up to date' },
      { id: trying, outcome: 'newer than the newest stable version' },
      { id: misfit, outcome: 'cannot be moved', changes: null }
    ])
    t.ok((plans.at(-1)?.reasons.length ?? 0) > 0)
    t.match(table.stdout, / {2}refused {3}\/config\//)
  })
})
