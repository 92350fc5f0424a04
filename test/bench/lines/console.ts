import { setTimeout as wait } from 'node:timers/promises'
import { defineBench } from '../bench.ts'
import { spreadOf, type Spreads } from '../report/figures.ts'
import { openReport } from '../report/report.ts'
import { overviewRhythm, pagesOf } from '../tools/console-pages.ts'
import { fillForConsole, nameRows, type NamedRows } from '../tools/console-rows.ts'
import { cpuMicroseconds } from '../tools/measured-process.ts'
import { openOneJobHub, type OneJobHub } from '../tools/one-job-hub.ts'
import { openRunningDatabase } from '../tools/running-database.ts'
import { noop } from '../tools/small-jobs.ts'

type Name = 'ms' | 'longest' | 'hubCpu' | 'databaseCpu' | 'kibibytes'
type TabName = 'hubShare' | 'databaseShare' | 'requests'

/** A page has all its answers within this time, in the median. */
const mostMs = 200
/** An open tab takes at most this share of a core of the hub, in percent. */
const mostShare = 0.5

/**
 * Measures what the operator console asks of a hub with many rows: each page, and a tab that stays
 * open. The program exits with 1 when a page or the tab takes more than it may.
 */
export const operatorConsole = defineBench({
  name: 'console',
  options: {
    'console-connections': 10_000,
    'console-jobs': 1_000_000,
    'console-offers': 100_000,
    asks: 9,
    'tab-seconds': 60
  },
  async run ({ modes, environment, runs, options }) {
    if (!modes.includes('postgres')) {
      console.log('\nconsole: left out without PostgreSQL')
      return
    }
    const { 'console-connections': connections, 'console-jobs': jobs, 'console-offers': offers } = options
    const rows = `${connections} connections, ${jobs} jobs, ${offers} offers`
    const hub = await openOneJobHub('postgres', environment, noop, {
      // A process without jobs: it spends its time on the requests only.
      roles: ['http'],
      fill: query => fillForConsole(query, noop.platformType, { connections, jobs, offers })
    })
    try {
      const exceeded = [
        ...await measurePages(hub, await readNames(hub), { rows, runs, asks: options.asks }),
        ...await measureTab(hub, { rows, runs, seconds: options['tab-seconds'] })
      ]
      for (const line of exceeded) console.log(`too much: ${line}`)
      if (exceeded.length > 0) process.exitCode = 1
    } finally {
      await hub.close()
    }
  }
})

async function readNames ({ place }: OneJobHub): Promise<NamedRows> {
  const { query, close } = await openRunningDatabase(place)
  try {
    return await nameRows(query)
  } finally {
    await close()
  }
}

/** Returns a sentence for each page that takes too long. */
async function measurePages (
  hub: OneJobHub,
  names: NamedRows,
  { rows, runs, asks }: { rows: string, runs: number, asks: number }
): Promise<string[]> {
  const report = openReport<Name>({
    name: 'console-postgres',
    title: `The pages of the operator console, ${rows}`,
    method: `a page sends its requests at once, ${asks} times; the rows below it are its requests one after the other`,
    runs,
    columns: {
      ms: { heading: 'ms' },
      longest: { heading: 'longest ms' },
      hubCpu: { heading: 'hub CPU ms', digits: 1 },
      databaseCpu: { heading: 'database CPU ms', digits: 1 },
      kibibytes: { heading: 'KiB', digits: 1 }
    },
    main: 'ms'
  })
  const exceeded: string[] = []
  for (const [page, paths] of Object.entries(pagesOf(names))) {
    const together = await measureAsks(hub, asks, () => askAll(hub, paths))
    report.hub(page, together)
    if (together.ms.median > mostMs) exceeded.push(`${page}: ${together.ms.median.toFixed(0)} ms of ${mostMs}`)
    if (paths.length === 1) continue
    for (const path of paths) report.hub(`  ${nameOf(path)}`, await measureAsks(hub, asks, () => askAll(hub, [path])))
  }
  await report.keep()
  return exceeded
}

const idPattern = /[0-9a-f]{8}-[0-9a-f-]{27}/g

/** Ids and times would make the line too long. */
function nameOf (path: string): string {
  return path.replace(idPattern, '{id}').replace(/[0-9-]{10}T[0-9:.]+Z/g, '{time}').slice(0, 52)
}

/** Returns how many bytes the answers have. */
async function askAll ({ api }: OneJobHub, paths: readonly string[]): Promise<number> {
  const answers = await Promise.all(paths.map(async path => {
    const { status, text } = await api('GET', path)
    if (status !== 200) throw new Error(`GET ${path} answered ${status}: ${text}`)
    return text.length
  }))
  return answers.reduce((sum, bytes) => sum + bytes, 0)
}

async function measureAsks (hub: OneJobHub, asks: number, ask: () => Promise<number>): Promise<Spreads<Name>> {
  // The first answer also compiles the code of the route.
  let bytes = await ask()
  const times: number[] = []
  const before = await readUse(hub)
  for (let n = 0; n < asks; n++) {
    const startedAt = performance.now()
    bytes = await ask()
    times.push(performance.now() - startedAt)
  }
  const after = await readUse(hub)
  return {
    ms: spreadOf(times),
    longest: spreadOf([Math.max(...times)]),
    hubCpu: spreadOf([(after.hub - before.hub) / 1_000 / asks]),
    databaseCpu: spreadOf([(after.database - before.database) / 1_000 / asks]),
    kibibytes: spreadOf([bytes / 1_024])
  }
}

/** The processor time so far, in microseconds. */
async function readUse ({ pids, readServers }: OneJobHub): Promise<{ hub: number, database: number }> {
  const { databaseCpu = Number.NaN } = await readServers()
  return { hub: pids.reduce((sum, pid) => sum + cpuMicroseconds(pid), 0), database: databaseCpu }
}

/** Asks what an open Overview asks, at its rhythm, and compares it with a hub that nobody asks. */
async function measureTab (
  hub: OneJobHub,
  { rows, runs, seconds }: { rows: string, runs: number, seconds: number }
): Promise<string[]> {
  const report = openReport<TabName>({
    name: 'console-tab-postgres',
    title: `An Overview that stays open, ${rows}`,
    method: `${seconds} s; a tab costs what the hub needs more than with none. Others may use the database server, too`,
    runs,
    columns: {
      hubShare: { heading: 'hub % of a core', digits: 2 },
      databaseShare: { heading: 'database % of a core', digits: 2 },
      requests: { heading: 'requests' }
    },
    main: 'hubShare'
  })
  const none = await measureShare(hub, seconds, [])
  report.hub('no tab', none)
  const open = await measureShare(hub, seconds, overviewRhythm())
  report.hub('one tab', open)
  const share = open.hubShare - none.hubShare
  report.hub('the tab alone', {
    hubShare: share,
    databaseShare: open.databaseShare - none.databaseShare,
    requests: open.requests
  })
  await report.keep()
  return share > mostShare ? [`an open tab: ${share.toFixed(2)} % of a core, of ${mostShare} %`] : []
}

async function measureShare (
  hub: OneJobHub,
  seconds: number,
  rhythm: ReturnType<typeof overviewRhythm>
): Promise<Record<TabName, number>> {
  // After a rest: the hub still frees what the requests before left.
  await wait(2_000)
  const before = await readUse(hub)
  const endsAt = performance.now() + seconds * 1_000
  const asked = await Promise.all(rhythm.map(async ([path, everySeconds]) => {
    let count = 0
    while (performance.now() < endsAt) {
      await askAll(hub, [path])
      count += 1
      await wait(Math.max(0, Math.min(everySeconds * 1_000, endsAt - performance.now())))
    }
    return count
  }))
  await wait(Math.max(0, endsAt - performance.now()))
  const after = await readUse(hub)
  const shareOf = (used: number): number => used / (seconds * 1_000_000) * 100
  return {
    hubShare: shareOf(after.hub - before.hub),
    databaseShare: shareOf(after.database - before.database),
    requests: asked.reduce((sum, count) => sum + count, 0)
  }
}
